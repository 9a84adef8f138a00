import { buildServer } from '@rootbound/kit/build';

await buildServer({
  root: import.meta.dirname,
  entries: { cli: 'src/cli.ts' },
  catalog: 'src/catalog.ts',
});
