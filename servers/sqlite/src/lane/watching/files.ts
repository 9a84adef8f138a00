import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** What stands for the open file of a name, and whether it is still that one. */
export interface OpenFile {
  readonly fd: number;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: number;
  readonly changed: bigint;
}

// a side file that is a link is none of SQLite's; a pipe must not make the open wait
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** An open file, or undefined where none is; close it. */
export function openPlain(path: string): OpenFile | undefined {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    // missing, a link, or not ours to read: nothing can be learnt from it
    return undefined;
  }
  const stat = fstatSync(fd, { bigint: true });
  if (stat.isFile())
    return { fd, dev: stat.dev, ino: stat.ino, size: Number(stat.size), changed: stat.mtimeNs };
  closeSync(fd);
  return undefined;
}

/** Bytes from a place in a file; fewer at its end. */
export function readAt(fd: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  let have = 0;
  while (have < length) {
    const got = readSync(fd, bytes, have, length - have, at + have);
    if (got === 0) break;
    have += got;
  }
  return bytes.subarray(0, have);
}
