import { readSync } from 'node:fs';
import { ToolError } from '@rootbound/protocol';
import { countLines, lastLines, skipLines } from './lines.ts';

/** Which lines of a file are wanted; lines count from 1 and `end` is included. */
export type Lines =
  | { kind: 'all' }
  | { kind: 'head'; count: number }
  | { kind: 'tail'; count: number }
  | { kind: 'range'; start: number; end: number }
  /** from a byte where line `line` begins or goes on, to line `end`, of the file that had this etag */
  | { kind: 'from'; offset: number; line: number; end: number; etag: string; total?: number | undefined };

/** Bytes of a file, cut where the wanted lines or the room ended. */
export interface Window {
  bytes: Buffer;
  /** where `bytes` begins in the file, from behind its byte order mark */
  offset: number;
  /** line that begins at `offset`; undefined when the file was not read up to there */
  startLine: number | undefined;
  /** all lines of the file; undefined when it was not read whole */
  totalLines: number | undefined;
  /** whether all wanted lines are in `bytes` */
  complete: boolean;
  /** whether `bytes` are known to reach the end of the file */
  toEnd: boolean;
}

/** What a long read answers to; a call's context is one. */
export interface Attention {
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
}

/** The wanted lines of bytes that are all here. */
export function windowOf(bytes: Buffer, lines: Lines): Window {
  // the lines of a text that is wanted whole are counted when it is written
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

/** Reads through a verified handle, so nothing here follows a path. */
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

/** The refusal for lines that cannot be: one field, one fix. */
export function assertRange(start: number | undefined, end: number | undefined): void {
  if (start !== undefined && end !== undefined && end < start) {
    throw new ToolError(`endLine ${end} is before startLine ${start}`, { code: 'invalid-arguments' });
  }
}
