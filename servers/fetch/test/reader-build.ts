import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildFolder, bundleInto } from './bundle.ts';

let built: Promise<string> | undefined;

/** Returns the built worker that parses pages, made once for all files of a test worker. */
export function builtReader(): Promise<string> {
  built ??= build();
  return built;
}

async function build(): Promise<string> {
  const folder = buildFolder('reader');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await bundleInto(folder, { reader: 'src/reading/worker.ts' });
  return join(folder, 'reader.cjs');
}
