import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const NAME_BYTES = 9;

/** Calls `work` with a path in the server's own folder and removes the files of that path afterwards. */
export async function withCopy<T>(folder: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, `copy-${randomBytes(NAME_BYTES).toString('hex')}.db`);
  try {
    return await work(path);
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}
