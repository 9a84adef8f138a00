import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { type OutputOptions, rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');

/** Creates a folder for built modules. */
export function buildFolder(name: string): string {
  const cache = join(root, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  return mkdtempSync(join(cache, `${name}-`));
}

/** Bundles modules of this server under these names, for plain Node processes; returns the contents of each file. */
export async function bundleInto(
  folder: string,
  input: Readonly<Record<string, string>>,
  format: NonNullable<OutputOptions['format']> = 'cjs',
): Promise<ReadonlyMap<string, readonly string[]>> {
  const ending = format === 'cjs' ? 'cjs' : 'js';
  const bundle = await rolldown({
    input: Object.fromEntries(Object.entries(input).map(([name, path]) => [name, join(root, path)])),
    platform: 'node',
    external: ['playwright-core'],
    resolve: { conditionNames: ['rootbound-source', 'node', 'import', 'default'] },
    logLevel: 'silent',
  });
  const { output } = await bundle.write({
    dir: folder,
    format,
    entryFileNames: `[name].${ending}`,
    chunkFileNames: `[name]-[hash].${ending}`,
  });
  await bundle.close();
  return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.moduleIds]] : [])));
}
