import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** A module of this folder as a program for plain Node. */
export interface Program {
  path: string;
  remove(): void;
}

/** Bundles a module of this folder into a temporary folder. */
export async function program(module: string): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-program-'));
  const bundle = await rolldown({
    input: fileURLToPath(new URL(module, import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['rootbound-source', 'import', 'node'] },
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  return {
    path: join(folder, module.replace(/\.ts$/, '.mjs').replace(/^.*\//, '')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
