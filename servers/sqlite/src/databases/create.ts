import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Makes the file of a database that the operator named, with its folders, where it is missing: an empty one is one. */
export function createMissing(path: string): void {
  const file = resolve(path);
  // whatever is there is a root as it is
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, 'a'));
}
