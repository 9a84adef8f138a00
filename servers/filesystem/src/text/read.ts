import type { Stats } from 'node:fs';
import { etagOf, openFile, readSmall, refuse } from '@rootbound/kit/boundary';
import { clipText } from '@rootbound/kit/budget';
import { ToolError, Utf8Text } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { byteOrderMark, type Encoding, fromUtf16, isBinary, SNIFFED_BYTES, toUtf8 } from './decode.ts';
import { countNewlines } from './lines.ts';
import {
  type Attention,
  type Lines,
  readAt,
  type Scan,
  scanWindow,
  type Window,
  windowOf,
} from './window.ts';

/** Text of a file as tools and resources give it. */
export interface ReadText {
  text: Utf8Text;
  encoding: Encoding;
  /** some bytes were not valid in the encoding and became U+FFFD */
  lossy: boolean;
  /** where the text after it begins */
  next: number;
  startLine: number | undefined;
  endLine: number | undefined;
  totalLines: number | undefined;
  /** whether everything that was asked for is in `text` */
  complete: boolean;
  size: number;
  etag: string;
}

/** A file up to this size is read at once: a pause would cost more than the read. */
const SMALL_BYTES = 256 * 1024;
/** Where small files are read; nothing keeps its bytes beyond the call that read them. */
const SCRATCH_BYTES = 64 * 1024;
let scratch: Buffer | undefined;
const NEWLINE = 0x0a;
/** UTF-16 is decoded as a whole; larger files are refused. */
const MAX_UTF16_BYTES = 64 * 1024 * 1024;

/**
 * Reads lines of a text file such that their JSON text fits `room` bytes; at once when it is small, else in pieces.
 * Places in a file are counted from behind its byte order mark.
 */
export function readLines(
  { scope }: Workspace,
  path: string,
  lines: Lines,
  room: number,
  attention: Attention,
): ReadText | Promise<ReadText> {
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  const small = readSmall(scope, path, SMALL_BYTES, scratch);
  if (small === undefined) return readLarge(scope, path, lines, { attention, room });
  const { bytes, stat } = small;
  assertUnchanged(lines, stat, path);
  const mark = byteOrderMark(bytes);
  if (mark !== undefined && mark.encoding !== 'utf-8')
    return readUtf16(bytes, mark.encoding, lines, stat, room);
  assertText(bytes, path);
  const body = mark === undefined ? bytes : bytes.subarray(mark.bytes);
  return fit(windowOf(body, lines), lines.kind, stat, room);
}

async function readLarge(
  scope: Workspace['scope'],
  path: string,
  lines: Lines,
  scan: Scan,
): Promise<ReadText> {
  const file = openFile(scope, path);
  try {
    const { stat } = file;
    assertUnchanged(lines, stat, path);
    const start = readAt(file.fd, 0, SNIFFED_BYTES);
    const mark = byteOrderMark(start);
    if (mark !== undefined && mark.encoding !== 'utf-8') {
      if (stat.size > MAX_UTF16_BYTES) throw refuse('too-large', path, 'UTF-16 files are read up to 64 MiB');
      return readUtf16(readAt(file.fd, 0, stat.size), mark.encoding, lines, stat, scan.room);
    }
    assertText(start, path);
    const base = mark?.bytes ?? 0;
    const window = await scanWindow({ fd: file.fd, base, size: stat.size - base }, lines, scan);
    const endsEarly = !window.complete && lines.kind !== 'tail';
    const bytes = endsEarly ? wholeCharacters(window.bytes) : window.bytes;
    const { bytes: valid, lossy } = toUtf8(bytes);
    const text = new Utf8Text(valid);
    await text.prepare();
    if (text.jsonBytes - 2 <= scan.room) return describe(window, { text, kept: bytes.length, lossy }, stat);
    return fit({ ...window, bytes }, lines.kind, stat, scan.room);
  } finally {
    file.close();
  }
}

function readUtf16(
  bytes: Buffer,
  encoding: 'utf-16le' | 'utf-16be',
  lines: Lines,
  stat: Stats,
  room: number,
): ReadText {
  const decoded = fromUtf16(bytes.subarray(2), encoding);
  return { ...fit(windowOf(decoded.bytes, lines), lines.kind, stat, room), encoding, lossy: decoded.lossy };
}

/** Bytes of a file as text, and how many of them it stands for. */
interface Fitted {
  text: Utf8Text;
  kept: number;
  lossy: boolean;
}

/** The part of a window that fits the room: its beginning, or its end when the last lines are wanted. */
function fit(window: Window, kind: Lines['kind'], stat: Stats, room: number): ReadText {
  const whole = fitted(window.bytes);
  if (whole.text.jsonBytes - 2 <= room) return describe(window, whole, stat);
  const cut = { ...window, complete: false };
  if (kind !== 'tail') return describe({ ...cut, toEnd: false }, fitStart(window.bytes, room), stat);
  const end = fitEnd(window.bytes, room);
  const offset = window.offset + window.bytes.length - end.kept;
  const skipped = countNewlines(window.bytes.subarray(0, window.bytes.length - end.kept));
  const startLine = window.startLine === undefined ? undefined : window.startLine + skipped;
  return describe({ ...cut, offset, startLine }, end, stat);
}

function fitted(bytes: Buffer): Fitted {
  const { bytes: valid, lossy } = toUtf8(bytes);
  return { text: new Utf8Text(valid), kept: bytes.length, lossy };
}

/** As much of the start as fits; bytes that are no text take more room than they have. */
function fitStart(bytes: Buffer, room: number): Fitted {
  for (let most = room; ; most = Math.floor(most / 2)) {
    const found = fitted(clipText(bytes, most, { measure: 'json' }).kept);
    if (found.text.jsonBytes - 2 <= room || most === 0) return found;
  }
}

/** As much of the end as fits, from the start of a line where that keeps at least half. */
function fitEnd(bytes: Buffer, room: number): Fitted {
  for (let most = Math.min(room, bytes.length); ; most = Math.floor((most * 7) / 8)) {
    const start = bytes.length - most;
    const line = bytes.indexOf(NEWLINE, start) + 1;
    const atLine = line > 0 && line < bytes.length && bytes.length - line >= most / 2;
    const found = fitted(bytes.subarray(atLine ? line : characterStart(bytes, start)));
    if (found.text.jsonBytes - 2 <= room || most === 0) return found;
  }
}

function characterStart(bytes: Buffer, at: number): number {
  let start = at;
  while (start < bytes.length && start < at + 3 && (bytes[start]! & 0xc0) === 0x80) start += 1;
  return start;
}

/** Bytes that end in the middle of a character lose its first part; the rest comes with the next piece. */
function wholeCharacters(bytes: Buffer): Buffer {
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function describe(
  { offset, startLine, totalLines, complete, toEnd }: Window,
  { text, kept, lossy }: Fitted,
  stat: Stats,
): ReadText {
  const lines = text.endsWithNewline ? text.newlines : text.newlines + 1;
  const endLine = startLine === undefined ? undefined : startLine + lines - 1;
  return {
    text,
    encoding: 'utf-8',
    lossy,
    next: offset + kept,
    startLine,
    endLine,
    totalLines: totalLines ?? (toEnd ? endLine : undefined),
    complete,
    size: stat.size,
    etag: etagOf(stat),
  };
}

function assertUnchanged(lines: Lines, stat: Stats, path: string): void {
  if (lines.kind !== 'from' || lines.etag === etagOf(stat)) return;
  throw new ToolError(`changed since the first part was read: ${path}`, {
    code: 'changed',
    retryable: true,
    hint: 'start again without cursor',
  });
}

function assertText(start: Buffer, path: string): void {
  if (!isBinary(start)) return;
  throw new ToolError(`not a text file: ${path}`, {
    code: 'binary',
    hint: 'read_media_file returns its bytes',
  });
}
