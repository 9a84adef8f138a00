import type { Stats } from 'node:fs';
import { etagOf, type OpenFile, openFile, readSmall, refuse } from '@rootbound/kit/boundary';
import { clipText } from '@rootbound/kit/budget';
import { ToolError, Utf8Text } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';
import { byteOrderMark, type Encoding, fromUtf16, isBinary, SNIFFED_BYTES, toUtf8 } from './decode.ts';
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
  /** where `text` begins in the file, in bytes; undefined when it was decoded from UTF-16 */
  offset: number;
  /** bytes of the file that `text` stands for */
  bytes: number;
  startLine: number | undefined;
  endLine: number | undefined;
  totalLines: number | undefined;
  /** whether everything that was asked for is in `text` */
  complete: boolean;
  size: number;
  etag: string;
  mtimeMs: number;
}

/** A file up to this size is read at once: a pause would cost more than the read. */
const SMALL_BYTES = 256 * 1024;
/** Where small files are read; nothing keeps its bytes beyond the call that read them. */
const SCRATCH_BYTES = 64 * 1024;
let scratch: Buffer | undefined;
/** UTF-16 is decoded as a whole; larger files are refused. */
const MAX_UTF16_BYTES = 64 * 1024 * 1024;

/** Reads lines of a text file within the workspace's budget; at once when it is small, else in pieces. */
export function readLines(
  workspace: Workspace,
  path: string,
  lines: Lines,
  attention: Attention,
): ReadText | Promise<ReadText> {
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  const small = readSmall(workspace.scope, path, SMALL_BYTES, scratch);
  if (small === undefined) return readLarge(workspace, path, lines, attention);
  const { bytes, stat } = small;
  const mark = byteOrderMark(bytes);
  if (mark === undefined || mark.encoding === 'utf-8') {
    assertText(bytes, path);
    const body = mark === undefined ? bytes : bytes.subarray(mark.bytes);
    const window = windowOf(body, lines);
    return finish(window, mark?.bytes ?? 0, 'utf-8', stat, workspace.maxOutput);
  }
  return readUtf16(bytes, mark.encoding, lines, stat, workspace.maxOutput);
}

async function readLarge(
  { scope, maxOutput }: Workspace,
  path: string,
  lines: Lines,
  attention: Attention,
): Promise<ReadText> {
  const file = openFile(scope, path);
  try {
    const start = readAt(file.fd, 0, SNIFFED_BYTES);
    const mark = byteOrderMark(start);
    if (mark !== undefined && mark.encoding !== 'utf-8') {
      if (file.stat.size > MAX_UTF16_BYTES)
        throw refuse('too-large', path, 'UTF-16 files are read up to 64 MiB');
      return readUtf16(readAt(file.fd, 0, file.stat.size), mark.encoding, lines, file.stat, maxOutput);
    }
    assertText(start, path);
    return await readLargeUtf8(file, mark?.bytes ?? 0, lines, { attention, room: maxOutput }, maxOutput);
  } finally {
    file.close();
  }
}

async function readLargeUtf8(
  file: OpenFile,
  markBytes: number,
  lines: Lines,
  scan: Scan,
  maxOutput: number,
): Promise<ReadText> {
  const window = await scanWindow(file, lines, scan);
  const atMark = window.offset === 0 && markBytes > 0;
  const body = atMark ? { ...window, bytes: window.bytes.subarray(markBytes), offset: markBytes } : window;
  const { bytes, lossy } = toUtf8(trimToCharacters(body));
  const text = new Utf8Text(bytes);
  await text.prepare();
  const whole = { ...body, bytes };
  if (text.jsonBytes - 2 <= maxOutput) return describe(whole, text, 0, 'utf-8', file.stat, lossy);
  return finish(whole, 0, 'utf-8', file.stat, maxOutput);
}

/** Bytes that were cut in the middle of a character lose its first part; the rest comes with the next piece. */
function trimToCharacters({ bytes, complete }: Window): Buffer {
  if (complete || bytes.length === 0) return bytes;
  let end = bytes.length;
  for (let back = 1; back <= 3 && back <= bytes.length; back++) {
    const byte = bytes[bytes.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    if (length > back) end = bytes.length - back;
    break;
  }
  return bytes.subarray(0, end);
}

function readUtf16(
  bytes: Buffer,
  encoding: 'utf-16le' | 'utf-16be',
  lines: Lines,
  stat: Stats,
  maxOutput: number,
): ReadText {
  const decoded = fromUtf16(bytes.subarray(2), encoding);
  const window = windowOf(decoded.bytes, lines);
  return { ...finish(window, 0, encoding, stat, maxOutput), encoding, lossy: decoded.lossy };
}

function finish(window: Window, shift: number, encoding: Encoding, stat: Stats, maxOutput: number): ReadText {
  const { bytes, lossy } = toUtf8(window.bytes);
  const text = new Utf8Text(bytes);
  if (text.jsonBytes - 2 <= maxOutput) return describe(window, text, shift, encoding, stat, lossy);
  const { kept } = clipText(bytes, maxOutput, { measure: 'json' });
  const cut = { ...window, complete: false, toEnd: false };
  return describe(cut, new Utf8Text(kept), shift, encoding, stat, lossy);
}

function describe(
  { offset, startLine, totalLines, complete, toEnd }: Window,
  text: Utf8Text,
  shift: number,
  encoding: Encoding,
  stat: Stats,
  lossy: boolean,
): ReadText {
  const lines = text.endsWithNewline ? text.newlines : text.newlines + 1;
  const endLine = startLine === undefined ? undefined : startLine + lines - 1;
  return {
    text,
    encoding,
    lossy,
    offset: offset + shift,
    bytes: text.byteLength,
    startLine,
    endLine,
    totalLines: totalLines ?? (toEnd ? endLine : undefined),
    complete,
    size: stat.size,
    etag: etagOf(stat),
    mtimeMs: stat.mtimeMs,
  };
}

function assertText(start: Buffer, path: string): void {
  if (!isBinary(start)) return;
  throw new ToolError(`not a text file: ${path}`, {
    code: 'binary',
    hint: 'read_media_file returns its bytes',
  });
}
