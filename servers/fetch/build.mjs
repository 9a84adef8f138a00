import { buildServer } from '@rootbound/kit/build';

await buildServer({
  root: import.meta.dirname,
  entries: { cli: 'src/cli.ts', reader: 'src/reading/worker.ts' },
  catalog: 'src/catalog.ts',
  // an optional dependency: most who fetch pages need no browser
  external: ['playwright-core'],
  // what Chinese, Japanese and Korean PDFs name instead of bringing it
  assets: { cmaps: 'pdfjs-dist/cmaps/' },
});
