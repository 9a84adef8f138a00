import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll } from 'vitest';

type Parts = typeof import('./listing/parts.ts');

/** Bundles the server with its search worker for the tests of one file. */
export function bundledParts(): () => Parts {
  let built = '';
  let parts: Parts;
  beforeAll(async () => {
    built = mkdtempSync(join(tmpdir(), 'rootbound-bundled-'));
    const bundle = await rolldown({
      input: {
        parts: join(import.meta.dirname, 'listing/parts.ts'),
        'search-worker': join(import.meta.dirname, '../src/search/worker.ts'),
      },
      platform: 'node',
      external: ['chokidar'],
      resolve: { conditionNames: ['rootbound-source', 'node', 'import'] },
      logLevel: 'silent',
    });
    await bundle.write({ dir: built, format: 'esm', entryFileNames: '[name].js', sourcemap: 'inline' });
    await bundle.close();
    writeFileSync(join(built, 'package.json'), '{"type":"module"}');
    parts = (await import(/* @vite-ignore */ pathToFileURL(join(built, 'parts.js')).href)) as Parts;
  });
  afterAll(() => rmSync(built, { recursive: true, force: true }));
  return () => parts;
}
