import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The server of these tests, built from source for plain Node. */
export interface Program {
  readonly path: string;
  remove(): void;
}

/** Bundles the server into a temporary folder. */
export async function bundleProgram(): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-faults-'));
  const bundle = await rolldown({
    input: fileURLToPath(new URL('program.ts', import.meta.url)),
    platform: 'node',
    resolve: { conditionNames: ['rootbound-source', 'import', 'node'] },
    logLevel: 'silent',
  });
  await bundle.write({ dir: folder, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  return {
    path: join(folder, 'program.mjs'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
