import { buildServer } from '@rootbound/kit/build';

await buildServer({
  root: import.meta.dirname,
  entries: { cli: 'src/cli.ts', lane: 'src/lane.ts', chart: 'src/chart.ts' },
  catalog: 'src/catalog.ts',
  assets: {
    'resvg.wasm': '@resvg/resvg-wasm/index_bg.wasm',
    'chart-font.ttf': 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
  },
  licences: { '@resvg/resvg-wasm': 'licences/resvg-wasm.txt' },
  external: ['better-sqlite3', '@rootbound/sqlite-node20'],
});
