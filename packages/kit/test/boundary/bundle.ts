import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Bundles the boundary for a plain Node process and returns the file's path. */
export async function bundleBoundary(folder: string): Promise<string> {
  const file = join(folder, 'boundary.mjs');
  const bundle = await rolldown({
    input: new URL('../../src/boundary.ts', import.meta.url).pathname,
    platform: 'node',
    resolve: { conditionNames: ['rootbound-source', 'node', 'import'] },
    logLevel: 'silent',
  });
  await bundle.write({ file, format: 'esm' });
  await bundle.close();
  return file;
}
