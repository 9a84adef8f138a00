import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Creates the database file that the operator named, and its folders, if missing; an empty file is an empty database.
 */
export function createMissing(path: string): void {
  const file = resolve(path);
  // an existing file or folder is used as a root unchanged
  if (existsSync(file)) return;
  mkdirSync(dirname(file), { recursive: true });
  closeSync(openSync(file, 'a'));
}
