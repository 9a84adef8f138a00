import {
  fdatasync,
  fstatSync,
  fsync,
  ftruncateSync,
  read,
  readSync,
  type Stats,
  statfsSync,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { smallBytes } from '../opening/sizes.ts';
import { descriptorPath } from '../verifying/descriptors.ts';
import type { HardLinks } from './links.ts';
import { type Cancelling, type Work, wait } from './work.ts';

export type Content = Buffer | string | readonly (Buffer | string)[];

/** A file before its change, open for reading. */
export interface Before {
  readonly fd: number;
  readonly stat: Stats;
}

/** Content, or a function that makes it from the present file; that is undefined for a new one. */
export type Making = Content | ((before: Before | undefined) => Content | Promise<Content>);

/** Reports the progress of the work. */
export type Progress = (done: number, total?: number) => void;

/** The options of every change of a file. */
export interface ChangeOptions extends Cancelling {
  /** answers only when content and names are on the disk */
  readonly fsync?: boolean | undefined;
  /** the policy for a file with other names, `break` unless given */
  readonly hardLinks?: HardLinks | undefined;
  readonly progress?: Progress | undefined;
}

interface Copying {
  readonly fsync?: boolean | undefined;
  readonly progress?: Progress | undefined;
}

interface CopyingFile extends Copying {
  /** leaves holes for zeros: from a file with holes, into a new one */
  readonly sparse?: boolean | undefined;
}

const pieceBytes = 1024 * 1024;
// bytes between two syncs: a sync of everything at the end could take seconds, in which a cancelled call would not end
const syncedBytes = 8 * 1024 * 1024;

const reading = promisify(read);
const writing = promisify(write);
const syncing = promisify(fsync);
const syncingData = promisify(fdatasync);

/** The content that is written. */
export function* contentOf(making: Making, before: Before | undefined): Work<Content> {
  if (typeof making !== 'function') return making;
  const made = making(before);
  return made instanceof Promise ? yield* wait(made) : made;
}

/** Writes content at the descriptor's position and returns the number of bytes. */
export function* writeContent(
  fd: number,
  content: Content,
  { fsync: syncs, progress }: Copying,
  wrote: (bytes: number) => void = () => {},
): Work<number> {
  const parts = Array.isArray(content)
    ? (content as readonly (Buffer | string)[])
    : [content as Buffer | string];
  const size = parts.reduce((sum, part) => sum + part.length, 0);
  let total = 0;
  let synced = 0;
  for (const part of parts) {
    for (const piece of piecesOf(part)) {
      if (size < smallBytes) writeAll(fd, piece, wrote);
      else yield* writePiece(fd, piece, wrote);
      total += piece.length;
      if (size < smallBytes) continue;
      // a string's bytes are not counted beforehand: the end may come a little after the total
      progress?.(total, Math.max(size, total + 1));
      if (syncs && total - synced >= syncedBytes) {
        yield* wait(syncingData(fd));
        synced = total;
      }
    }
  }
  if (size >= smallBytes) progress?.(total, total);
  return total;
}

/** Yields the content in small pieces of bytes. */
function* piecesOf(part: Buffer | string): Generator<Buffer> {
  if (part.length <= pieceBytes) {
    yield typeof part === 'string' ? Buffer.from(part) : part;
    return;
  }
  for (let from = 0; from < part.length; ) {
    let to = Math.min(from + pieceBytes, part.length);
    if (typeof part === 'string') {
      // both halves of a character stay together
      if (to < part.length && isHighSurrogate(part.charCodeAt(to - 1))) to--;
      yield Buffer.from(part.slice(from, to));
    } else yield part.subarray(from, to);
    from = to;
  }
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function writeAll(fd: number, bytes: Buffer, wrote?: (bytes: number) => void): void {
  for (let done = 0; done < bytes.length; ) {
    const count = writeSync(fd, bytes, done);
    done += count;
    wrote?.(count);
  }
}

/** Writes in the thread pool: a full page cache makes even a small write wait. */
function* writePiece(fd: number, bytes: Buffer, wrote?: (bytes: number) => void): Work<void> {
  for (let done = 0; done < bytes.length; ) {
    const write = writing(fd, bytes, done, bytes.length - done, null).then(({ bytesWritten }) => {
      // also when the work is cancelled meanwhile
      wrote?.(bytesWritten);
      return bytesWritten;
    });
    done += yield* wait(write);
  }
}

/** Reads that many bytes from the start of the file, fewer when it has shrunk. */
export function* readContent(fd: number, size: number): Work<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const length = Math.min(pieceBytes, size - filled);
    const got =
      size < smallBytes
        ? readSync(fd, bytes, filled, length, filled)
        : (yield* wait(reading(fd, bytes, filled, length, filled))).bytesRead;
    if (got === 0) break;
    filled += got;
  }
  return filled === size ? bytes : bytes.subarray(0, filled);
}

/** Copies the file's content to the other descriptor's position and returns the number of bytes. */
export function* copyContent(
  from: number,
  to: number,
  size: number,
  { fsync: syncs, progress, sparse = false }: CopyingFile,
): Work<number> {
  if (sparse && size >= smallBytes) {
    const { blocks } = fstatSync(from);
    // Windows counts no blocks
    const held = process.platform === 'win32' ? size : Math.min(size, blocks * 512);
    assertRoom(to, held);
    if (held < size) return yield* copyWithHoles(from, to, size, { fsync: syncs, progress });
  }
  const small = size < smallBytes;
  // one byte more, so that growth of the file is noticed
  const buffer = Buffer.allocUnsafe(Math.min(size + 1, pieceBytes));
  let total = 0;
  let synced = 0;
  for (;;) {
    const got = small
      ? readSync(from, buffer, 0, buffer.length, total)
      : (yield* wait(reading(from, buffer, 0, buffer.length, total))).bytesRead;
    if (got === 0) return total;
    const piece = buffer.subarray(0, got);
    if (small) writeAll(to, piece);
    else yield* writePiece(to, piece);
    total += got;
    // it grows: a later check of the file sees that
    if (total > size) return total;
    if (small) continue;
    progress?.(total, size);
    if (syncs && total - synced >= syncedBytes) {
      yield* wait(syncingData(to));
      synced = total;
    }
  }
}

/** Does the same into a new file, which gets a hole for every block of zeros. */
function* copyWithHoles(from: number, to: number, size: number, copying: Copying): Work<number> {
  const buffer = Buffer.allocUnsafe(pieceBytes);
  let total = 0;
  let synced = 0;
  while (total <= size) {
    const { bytesRead } = yield* wait(reading(from, buffer, 0, buffer.length, total));
    if (bytesRead === 0) break;
    for (const [start, end] of heldRanges(buffer.subarray(0, bytesRead))) {
      for (let at = start; at < end; )
        at += (yield* wait(writing(to, buffer, at, end - at, total + at))).bytesWritten;
    }
    total += bytesRead;
    copying.progress?.(total, Math.max(size, total));
    if (copying.fsync && total - synced >= syncedBytes) {
      yield* wait(syncingData(to));
      synced = total;
    }
  }
  ftruncateSync(to, total);
  return total;
}

const blockBytes = 4096;
const zeros = Buffer.alloc(pieceBytes);

/** Returns the ranges of bytes that are not blocks of zeros. */
function heldRanges(bytes: Buffer): [start: number, end: number][] {
  if (bytes.equals(zeros.subarray(0, bytes.length))) return [];
  const ranges: [start: number, end: number][] = [];
  for (let start = 0; start < bytes.length; start += blockBytes) {
    const end = Math.min(start + blockBytes, bytes.length);
    if (bytes.compare(zeros, 0, end - start, start, end) === 0) continue;
    const last = ranges.at(-1);
    if (last?.[1] === start) last[1] = end;
    else ranges.push([start, end]);
  }
  return ranges;
}

/** Throws the system's error for the end of the work, where it is known before. */
function assertRoom(to: number, bytes: number): void {
  if (process.platform !== 'linux') return;
  let free: number;
  try {
    const { bavail, bsize } = statfsSync(descriptorPath(to));
    free = bavail * bsize;
  } catch {
    // no /proc: the disk itself reports when it is full
    return;
  }
  if (bytes > free) throw Object.assign(new Error('more than is free'), { code: 'ENOSPC' });
}

/** Waits until the data written to a descriptor is on the disk. */
export function* sync(fd: number): Work<void> {
  yield* wait(syncing(fd));
}
