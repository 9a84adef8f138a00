import { fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../names/bytes.ts';
import { fromSystem, isNotFound } from '../scope/refusal.ts';
import type { Root, Scope } from '../scope/scope.ts';
import { backendOf } from '../verifying/backend.ts';
import { readFlags } from '../verifying/flags.ts';
import { close, type Handle } from '../verifying/handle.ts';
import type { OpenDirectory } from './directories.ts';
import { candidatesOf, firstFound } from './paths.ts';

/** A regular file inside the boundary, open for reading. */
export interface OpenFile extends Handle {
  close(): void;
}

/** A whole small file. */
export interface SmallFile {
  readonly bytes: Buffer;
  readonly path: string;
  readonly root: Root;
  readonly stat: Stats;
}

/** Bytes that the system reads in one step; only larger files are checked again. */
const PAGE_BYTES = 4096;

/**
 * Opens a regular file for reading; throws for FIFOs, devices and sockets without blocking on them or having an effect.
 */
export function openFile(scope: Scope, path: string): OpenFile {
  const backend = backendOf(scope);
  const handle = firstFound(scope, path, (candidate) => backend.openRegular(scope, candidate, path));
  return closable(handle);
}

/**
 * Reads the whole file; undefined when it is larger than `maxBytes` or is being written: then use `openFile` and read
 * parts. With `into`, a file that fits is read there: its bytes are valid until the next read into the same buffer.
 */
export function readSmall(
  scope: Scope,
  path: string,
  maxBytes: number,
  into?: Buffer,
): SmallFile | undefined {
  const handle = openForReading(scope, path);
  try {
    const { size } = handle.stat;
    if (size > maxBytes) return undefined;
    const bytes = size === 0 ? readUnsized(handle.fd, maxBytes) : readSized(handle.fd, size, into);
    if (bytes === undefined || bytes.length < size) return undefined;
    if (size > PAGE_BYTES && isTouched(handle)) return undefined;
    return { bytes, path: handle.path, root: handle.root, stat: handle.stat };
  } catch (error) {
    throw fromSystem(error, path);
  } finally {
    close(handle.fd);
  }
}

/** Returns whether a file has changed since it was opened. */
function isTouched({ fd, stat }: Handle): boolean {
  const { size, mtimeMs } = fstatSync(fd);
  return size !== stat.size || mtimeMs !== stat.mtimeMs;
}

function openForReading(scope: Scope, path: string): Handle {
  const { openRegular } = backendOf(scope);
  const candidates = candidatesOf(scope, path);
  if (candidates.length === 1) {
    try {
      return openRegular(scope, candidates[0]!, path);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return firstFound(scope, path, (candidate) => openRegular(scope, candidate, path));
}

/**
 * Opens a regular file by its name in an open folder, never through a link; undefined when it is no regular file. The
 * parent is verified, so the file needs no check of its own: the way to read many files of one folder.
 */
export function openChildFile(folder: OpenDirectory, name: string | Buffer): OpenFile | undefined {
  const displayPath = String(name);
  let fd: number;
  try {
    fd = openSync(folder.child(name), readFlags);
  } catch (error) {
    throw fromSystem(error, displayPath);
  }
  try {
    const stat = fstatSync(fd);
    if (stat.isFile())
      return closable({ fd, path: join(folder.path, textOf(name)), root: folder.root, stat });
  } catch (error) {
    close(fd);
    throw fromSystem(error, displayPath);
  }
  close(fd);
  return undefined;
}

function closable(handle: Handle): OpenFile {
  return { ...handle, close: () => close(handle.fd) };
}

/** Reads that many bytes from the start of the file, fewer when it has shrunk; into a buffer that is large enough. */
export function readSized(fd: number, size: number, into?: Buffer): Buffer {
  const bytes = into !== undefined && size <= into.length ? into.subarray(0, size) : Buffer.allocUnsafe(size);
  let filled = 0;
  while (filled < size) {
    const read = readSync(fd, bytes, filled, size - filled, filled);
    if (read === 0) return bytes.subarray(0, filled);
    filled += read;
  }
  return bytes;
}

// files of /proc and the like report 0 and have content
function readUnsized(fd: number, maxBytes: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(16_384);
    const read = readSync(fd, chunk, 0, chunk.length, total);
    if (read === 0) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, read));
    total += read;
    if (total > maxBytes) return undefined;
  }
}
