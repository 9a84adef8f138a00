import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputOptions, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** A new folder for built modules, from which the driver can be resolved. */
export function buildFolder(name: string): string {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, `${name}-`));
}

/** Bundles modules of this server under the given names, for plain Node processes. */
export async function bundleInto(
  folder: string,
  input: Readonly<Record<string, string>>,
  format: NonNullable<OutputOptions['format']> = 'cjs',
): Promise<void> {
  const ending = format === 'cjs' ? 'cjs' : 'js';
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, join(root, path)])),
    platform: 'node',
    external: ['better-sqlite3', '@rootbound/sqlite-node20'],
    resolve: { conditionNames: ['rootbound-source', 'node', 'import', 'default'] },
    logLevel: 'silent',
  });
  await bundle.write({
    dir: folder,
    format,
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name]-[hash].${ending}`,
  });
  await bundle.close();
}
