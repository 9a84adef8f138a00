import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

export type Parts = typeof import('./parts.ts');

export interface Build extends Parts {
  remove(): void;
}

/** Builds the filesystem server with its search worker. */
export function buildVerifying(): Promise<Build> {
  return build([]);
}

/** Builds it without the verification of handles, to prove that the tests detect the difference. */
export function buildUnverified(): Promise<Build> {
  return build([
    {
      name: 'unverified',
      load(id) {
        if (!id.endsWith('/boundary/verifying/verification.ts')) return undefined;
        return { code: 'export const isVerifying = () => false;', moduleType: 'js' };
      },
    },
  ]);
}

async function build(plugins: Plugin[]): Promise<Build> {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-table-'));
  const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
  const bundle = await rolldown({
    input: {
      parts: source('parts.ts'),
      'search-worker': source('../../servers/filesystem/src/search/worker.ts'),
    },
    platform: 'node',
    plugins,
    resolve: { conditionNames: ['rootbound-source', 'node', 'import'] },
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, format: 'esm', entryFileNames: '[name].js' });
  await bundle.close();
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const parts = (await import(/* @vite-ignore */ pathToFileURL(join(folder, 'parts.js')).href)) as Parts;
  return { ...parts, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
