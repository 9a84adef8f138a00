import { readSync } from 'node:fs';
import { ToolError } from '@rootbound/protocol';
import { countLines, lastLines, skipLines } from './lines.ts';

/** The requested lines of a file; lines count from 1 and `end` is included. */
export type Lines =
  | { kind: 'all' }
  | { kind: 'head'; count: number }
  | { kind: 'tail'; count: number }
  | { kind: 'range'; start: number; end: number }
  /** from an offset in line `line` to line `end`, of the file with this etag */
  | { kind: 'from'; offset: number; line: number; end: number; etag: string; total?: number | undefined };

/** Bytes of a file, up to the last requested line or the room. */
export interface Window {
  bytes: Buffer;
  /** offset of `bytes`, counted from after the byte order mark */
  offset: number;
  /** number of the line at `offset`; undefined if the lines before it were not counted */
  startLine: number | undefined;
  /** number of lines of the file; undefined if it was not read to its end */
  totalLines: number | undefined;
  /** whether `bytes` has all requested lines */
  complete: boolean;
  /** whether `bytes` reaches the end of the file */
  toEnd: boolean;
}

/** Returns the requested lines of a whole file. */
export function windowOf(bytes: Buffer, lines: Lines): Window {
  // the lines of a whole text are counted when it is escaped
  const totalLines = lines.kind === 'all' ? undefined : countLines(bytes);
  const all = { bytes, offset: 0, startLine: 1, totalLines, complete: true, toEnd: lines.kind === 'all' };
  switch (lines.kind) {
    case 'all':
      return all;
    case 'head':
      return { ...all, bytes: bytes.subarray(0, skipLines(bytes, 0, lines.count).offset) };
    case 'tail': {
      const last = lastLines(bytes, lines.count);
      return {
        ...all,
        bytes: bytes.subarray(last.offset),
        offset: last.offset,
        startLine: countLines(bytes) - last.lines + 1,
      };
    }
    case 'range': {
      const { offset } = skipLines(bytes, 0, lines.start - 1);
      const end = skipLines(bytes, offset, lines.end - lines.start + 1);
      return { ...all, bytes: bytes.subarray(offset, end.offset), offset, startLine: lines.start };
    }
    case 'from': {
      const start = Math.min(lines.offset, bytes.length);
      const end = skipLines(bytes, start, lines.end - lines.line + 1);
      return { ...all, bytes: bytes.subarray(start, end.offset), offset: start, startLine: lines.line };
    }
  }
}

/** Reads up to `length` bytes at a position of an open file. */
export function readAt(fd: number, position: number, length: number, into?: Buffer): Buffer {
  const bytes = into ?? Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(fd, bytes, filled, length - filled, position + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}

/** Throws a ToolError if a range ends before its start. */
export function assertRange(start: number | undefined, end: number | undefined): void {
  if (start !== undefined && end !== undefined && end < start) {
    throw new ToolError(`endLine ${end} is before startLine ${start}`, { code: 'invalid-arguments' });
  }
}
