import { isUtf8 } from 'node:buffer';
import { etagOf, readSmall } from '@rootbound/kit/boundary';
import { byteOrderMark, isBinary } from '@rootbound/kit/media';
import { Utf8Text } from '@rootbound/protocol';
import { isPlainEncoding } from '../encodings/names.ts';
import type { CallControl, Workspace } from '../workspace.ts';
import { oddLineEnds } from './lines.ts';
import type { ReadFile, Reading, ReadText } from './read-text.ts';
import { type Lines, type Window, windowOf } from './window.ts';

/** A file of up to this size, in bytes, is read synchronously: a turn of the event loop costs more than the read. */
const SMALL_BYTES = 256 * 1024;
/** Size of the buffer into which small files are read; its bytes are valid until the call ends. */
const SCRATCH_BYTES = 64 * 1024;
let scratch: Buffer | undefined;
const MARK_BYTES = 3;
const DEFAULT_READING: Reading = {};

/**
 * Reads lines of a text file, as many as fit into `room` bytes of JSON: synchronously if the file is small UTF-8, or
 * else in pieces. Offsets are counted from after the byte order mark.
 */
export function readLines(
  workspace: Workspace,
  path: string,
  lines: Lines,
  room: number,
  call: CallControl,
  reading: Reading = DEFAULT_READING,
): ReadText | Promise<ReadText> {
  const plain = reading.numbers !== true && (reading.encoding ?? 'utf-8') === 'utf-8';
  const read = plain ? readPlain(workspace, path, lines, room, reading) : undefined;
  const { encoding = 'utf-8' } = reading;
  if (!isPlainEncoding(encoding))
    return import('./table-read.ts').then(({ readByTable }) =>
      readByTable(workspace, path, lines, encoding, { room, reading, call }),
    );
  return (
    read ??
    import('./streamed.ts').then(({ readStreamed }) =>
      readStreamed(workspace, path, lines, { room, reading, call }),
    )
  );
}

/** Reads lines of a small UTF-8 file if they fit; returns undefined for any other file. */
function readPlain(
  workspace: Workspace,
  path: string,
  lines: Lines,
  room: number,
  { encoding }: Reading,
): ReadText | undefined {
  scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES);
  // JSON never makes a text shorter
  const most = lines.kind === 'all' ? Math.min(SMALL_BYTES, room + MARK_BYTES) : SMALL_BYTES;
  const file = readSmall(workspace.scope, path, most, scratch);
  if (file === undefined) return undefined;
  const { bytes, stat } = file;
  if (stat.nlink > 1 && workspace.changes.hardLinks === 'refuse') return undefined;
  if (lines.kind === 'from' && lines.etag !== etagOf(stat)) return undefined;
  const mark = byteOrderMark(bytes);
  if ((mark !== undefined && mark.encoding !== 'utf-8' && encoding === undefined) || isBinary(bytes))
    return undefined;
  const window = windowOf(mark?.encoding === 'utf-8' ? bytes.subarray(mark.bytes) : bytes, lines);
  if (window.bytes.length > room || !isUtf8(window.bytes)) return undefined;
  const text = new Utf8Text(window.bytes);
  return text.jsonBytes - 2 <= room ? describe(window, text, file, mark?.encoding === 'utf-8') : undefined;
}

function describe(
  { bytes, offset, startLine, totalLines, toEnd }: Window,
  text: Utf8Text,
  file: ReadFile,
  marked: boolean,
): ReadText {
  const lines = text.endsWithNewline ? text.newlines : text.newlines + 1;
  const endLine = startLine === undefined ? undefined : startLine + lines - 1;
  return {
    text,
    numbered: undefined,
    encoding: 'utf-8',
    marked,
    lineEnds: oddLineEnds(bytes),
    invalid: undefined,
    next: offset + bytes.length,
    startLine,
    endLine,
    totalLines: totalLines ?? (toEnd ? endLine : undefined),
    complete: true,
    etag: etagOf(file.stat),
    file,
  };
}
