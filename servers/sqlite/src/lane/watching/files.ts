import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';

/** An open file and its status. */
export interface OpenFile {
  readonly fd: number;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: number;
  readonly changed: bigint;
}

// SQLite's side files are not links; opening a pipe must not block
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Opens a regular file; returns undefined if there is none. The caller closes it. */
export function openPlain(path: string): OpenFile | undefined {
  let fd: number;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    // missing, a link, or not readable
    return undefined;
  }
  const stat = fstatSync(fd, { bigint: true });
  if (stat.isFile())
    return { fd, dev: stat.dev, ino: stat.ino, size: Number(stat.size), changed: stat.mtimeNs };
  closeSync(fd);
  return undefined;
}

/** Reads bytes at an offset; returns fewer at the end of the file. */
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
