import { buildServer } from '@rootbound/kit/build';

await buildServer({
  root: import.meta.dirname,
  entries: { cli: 'src/cli.ts', reader: 'src/reading/worker.ts' },
  catalog: 'src/catalog.ts',
  tools: 'src/tools',
  // what Chinese, Japanese and Korean PDFs name instead of bringing it
  assets: { cmaps: 'pdfjs-dist/cmaps/' },
});
