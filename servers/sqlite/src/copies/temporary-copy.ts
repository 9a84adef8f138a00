import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

const NAME_BYTES = 9;

/** Gives a path for a copy in the server's own folder; whatever the work leaves there is gone after it. */
export async function withCopy<T>(folder: string, work: (path: string) => Promise<T>): Promise<T> {
  const path = join(folder, `copy-${randomBytes(NAME_BYTES).toString('hex')}.db`);
  try {
    return await work(path);
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  }
}
