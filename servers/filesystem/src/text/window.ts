import { readSync } from 'node:fs';
import { ToolError } from '@rootbound/protocol';
import { countLines, countNewlines, lastLines, skipLines } from './lines.ts';

/** Which lines of a file are wanted; lines count from 1 and `end` is included. */
export type Lines =
  | { kind: 'all' }
  | { kind: 'head'; count: number }
  | { kind: 'tail'; count: number }
  | { kind: 'range'; start: number; end: number }
  /** from a byte where line `line` begins or goes on, to line `end`, of the file that had this etag */
  | { kind: 'from'; offset: number; line: number; end: number; etag: string };

/** The text of an open file: `size` bytes behind its byte order mark, which takes `base` bytes. */
export interface Body {
  readonly fd: number;
  readonly base: number;
  readonly size: number;
}

/** Bytes of a file, cut where the wanted lines or the room ended. */
export interface Window {
  bytes: Buffer;
  /** where `bytes` begins in the file */
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

export interface Scan {
  /** most bytes that are kept */
  room: number;
  attention: Attention;
}

const CHUNK_BYTES = 1024 * 1024;
/** Chunks between two breaths of the event loop: a few milliseconds of work. */
const CHUNKS_IN_ONE_GO = 4;

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

/** The wanted lines of a large file, read in pieces: never more than the room is kept. */
export async function scanWindow(file: Body, lines: Lines, scan: Scan): Promise<Window> {
  switch (lines.kind) {
    case 'tail':
      return scanBackwards(file, lines.count, scan);
    case 'all':
      return file.size <= scan.room
        ? readAll(file, scan)
        : collect(file, { offset: 0, line: 1, until: Number.POSITIVE_INFINITY }, scan, undefined);
    case 'head':
      return collect(file, { offset: 0, line: 1, until: lines.count }, scan, undefined);
    case 'from':
      return collect(file, { offset: lines.offset, line: lines.line, until: lines.end }, scan, undefined);
    case 'range':
      return scanRange(file, lines.start, lines.end, scan);
  }
}

/** The whole file, into one buffer; what it grew meanwhile is left out. */
async function readAll(file: Body, { attention }: Scan): Promise<Window> {
  const { size } = file;
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  for (let read = 1; filled < size; read++) {
    const got = readSync(file.fd, bytes, filled, Math.min(CHUNK_BYTES, size - filled), file.base + filled);
    if (got === 0) break;
    filled += got;
    if (read % CHUNKS_IN_ONE_GO === 0) {
      await breath();
      attention.signal.throwIfAborted();
    }
  }
  const whole = { offset: 0, startLine: 1, totalLines: undefined, complete: true, toEnd: true };
  return { bytes: bytes.subarray(0, filled), ...whole };
}

interface Start {
  offset: number;
  line: number;
  /** last line wanted */
  until: number;
}

async function collect(
  file: Body,
  start: Start,
  scan: Scan,
  totalLines: number | undefined,
): Promise<Window> {
  const { size } = file;
  const pieces: Buffer[] = [];
  let kept = 0;
  let wanted = start.until - start.line + 1;
  let complete = false;
  for await (const chunk of chunks(file, start.offset, scan)) {
    const end = Number.isFinite(wanted) ? skipLines(chunk, 0, wanted) : { offset: chunk.length, skipped: 0 };
    wanted -= end.skipped;
    const piece = chunk.subarray(0, Math.min(end.offset, scan.room - kept));
    pieces.push(piece);
    kept += piece.length;
    if (piece.length < end.offset) break;
    if (wanted <= 0 || start.offset + kept >= size) {
      complete = true;
      break;
    }
    if (kept >= scan.room) break;
  }
  const toEnd = start.offset + kept >= size;
  if (start.offset >= size) complete = true;
  const bytes = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, kept);
  return { bytes, offset: start.offset, startLine: start.line, totalLines, complete, toEnd };
}

/** Counts every line of the file and notes where the wanted ones begin. */
async function scanRange(file: Body, start: number, end: number, scan: Scan): Promise<Window> {
  let line = 1;
  let at = 0;
  let offset = start === 1 ? 0 : undefined;
  let last = 0x0a;
  for await (const chunk of chunks(file, 0, scan, Buffer.allocUnsafe(CHUNK_BYTES))) {
    const newlines = countNewlines(chunk);
    if (offset === undefined && line + newlines >= start)
      offset = at + skipLines(chunk, 0, start - line).offset;
    line += newlines;
    at += chunk.length;
    if (chunk.length > 0) last = chunk[chunk.length - 1]!;
    scan.attention.progress(at, file.size);
  }
  const totalLines = last === 0x0a ? line - 1 : line;
  if (offset === undefined || start > totalLines) {
    return { bytes: Buffer.alloc(0), offset: at, startLine: start, totalLines, complete: true, toEnd: true };
  }
  return collect(file, { offset, line: start, until: end }, scan, totalLines);
}

async function scanBackwards(file: Body, count: number, scan: Scan): Promise<Window> {
  const { size } = file;
  let reach = Math.min(size, 64 * 1024);
  for (;;) {
    scan.attention.signal.throwIfAborted();
    const bytes = readAt(file.fd, file.base + size - reach, reach);
    const last = lastLines(bytes, count);
    const whole = reach === size || (last.lines === count && last.offset > 0);
    if (whole || reach > scan.room) {
      const cut = whole ? last.offset : 0;
      return {
        bytes: bytes.subarray(cut),
        offset: size - reach + cut,
        startLine: undefined,
        totalLines: undefined,
        complete: whole,
        toEnd: true,
      };
    }
    reach = Math.min(size, reach * 4);
    await breath();
  }
}

/** The file in pieces; with `into`, each piece is good until the next. */
async function* chunks(file: Body, from: number, scan: Scan, into?: Buffer): AsyncGenerator<Buffer> {
  let at = from;
  for (let read = 1; ; read++) {
    const chunk = readAt(file.fd, file.base + at, CHUNK_BYTES, into);
    if (chunk.length === 0) return;
    yield chunk;
    at += chunk.length;
    if (read % CHUNKS_IN_ONE_GO === 0) {
      await breath();
      scan.attention.signal.throwIfAborted();
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

function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The refusal for lines that cannot be: one field, one fix. */
export function assertRange(start: number | undefined, end: number | undefined): void {
  if (start !== undefined && end !== undefined && end < start) {
    throw new ToolError(`endLine ${end} is before startLine ${start}`, { code: 'invalid-arguments' });
  }
}
