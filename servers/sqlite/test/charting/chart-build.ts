import { copyFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildFolder, bundleInto } from '../bundle.ts';

const require = createRequire(import.meta.url);
const assets = {
  'resvg.wasm': '@resvg/resvg-wasm/index_bg.wasm',
  'chart-font.ttf': 'dejavu-fonts-ttf/ttf/DejaVuSans.ttf',
};

/** Builds the drawing module for the tests of one file; returns its path, which exists once they begin. */
export function builtChart(): { readonly chartFile: string } {
  const folder = buildFolder('chart');
  beforeAll(async () => {
    await bundleInto(folder, { chart: 'src/chart.ts' });
    for (const [name, asset] of Object.entries(assets))
      copyFileSync(require.resolve(asset), join(folder, name));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return { chartFile: join(folder, 'chart.cjs') };
}
