import { isUtf8 } from 'node:buffer';
import type { Stats } from 'node:fs';
import { assertOneName, etagOf, type OpenFile, openFile, showPath } from '@rootbound/kit/boundary';
import { type Encoding, SNIFFED_BYTES } from '@rootbound/kit/media';
import { ToolError, Utf8Text } from '@rootbound/protocol';
import { isPlainEncoding } from '../encodings/names.ts';
import type { CallControl, Workspace } from '../workspace.ts';
import { readConsistent } from './consistent.ts';
import { type FitDemand, type Fitted, fit } from './fit.ts';
import { invalidIn } from './invalid.ts';
import { countNewlines, oddLineEnds } from './lines.ts';
import { numberBytes, numbered, widthOf } from './numbers.ts';
import type { Invalid, ReadFile, Reading, ReadText } from './read-text.ts';
import { type ScannedText, scanFile } from './scan.ts';
import { type Source, sourceOf, unitsOf } from './source.ts';
import { type Lines, readAt } from './window.ts';

/** The options of a read besides its lines. */
export interface Demand {
  /** maximum size of the text in a JSON string, in bytes */
  readonly room: number;
  readonly reading: Reading;
  readonly call: CallControl;
}

/** The result of a scan and the encoding of the file. */
export interface DecodableText extends ScannedText {
  source: Source;
}

/** Reads lines of a file of any size and encoding in pieces. A file that changes meanwhile is read again or refused. */
export async function readStreamed(
  workspace: Workspace,
  path: string,
  lines: Lines,
  demand: Demand,
): Promise<ReadText> {
  const file = openFile(workspace.scope, path);
  try {
    const look = (stat: Stats): Promise<DecodableText> => {
      assertOneName(stat, path, workspace.changes.hardLinks);
      assertUnchanged(lines, stat, path);
      return scanText(file, stat, path, lines, demand);
    };
    const { seen, stat } = await readConsistent(file, path, look, isSame);
    return await toText(seen, { path: file.path, root: file.root, stat }, lines, demand);
  } finally {
    file.close();
  }
}

async function scanText(
  { fd }: OpenFile,
  stat: Stats,
  path: string,
  lines: Lines,
  { room, reading, call }: Demand,
): Promise<DecodableText> {
  const source = sourceOf(readAt(fd, 0, SNIFFED_BYTES), plainOf(reading.encoding));
  if (source === undefined) throw notText(path);
  const size = Math.max(0, Math.floor((stat.size - source.base) / source.unit));
  const scan = { room, numbers: reading.numbers === true, call };
  return { ...(await scanFile({ fd, source, size }, lines, scan)), source };
}

function plainOf(encoding: string | undefined): Encoding | undefined {
  return encoding !== undefined && isPlainEncoding(encoding) ? encoding : undefined;
}

/** Throws a ToolError if the file has changed since the part before the cursor was read. */
export function assertUnchanged(lines: Lines, stat: Stats, path: string): void {
  if (lines.kind !== 'from' || lines.etag === etagOf(stat)) return;
  throw new ToolError(`changed since the first part was read: ${showPath(path)}`, {
    code: 'changed',
    retryable: true,
    hint: 'read it again without cursor',
  });
}

/** Returns the error for a binary file. */
export function notText(path: string): ToolError {
  return new ToolError(`not a text file: ${showPath(path)}`, {
    code: 'binary',
    hint: 'call read_media_file to read its bytes',
  });
}

function isSame(one: DecodableText, other: DecodableText): boolean {
  return (
    one.source.encoding === other.source.encoding &&
    one.source.base === other.source.base &&
    one.offset === other.offset &&
    one.trail.length === other.trail.length &&
    one.trail.every((newlines, index) => newlines === other.trail[index]) &&
    one.bytes.equals(other.bytes)
  );
}

export async function toText(
  seen: DecodableText,
  file: ReadFile,
  lines: Lines,
  demand: Demand,
): Promise<ReadText> {
  const { source, bytes, offset } = seen;
  const fromEnd = lines.kind === 'tail';
  const width = demand.reading.numbers === true ? widthIn(bytes, seen) : undefined;
  const perLine = width === undefined ? 0 : numberBytes(width);
  const part = await partThatFits(seen, { room: demand.room, fromEnd, perLine });
  const kept = bytes.subarray(part.from, part.to);
  const toEnd = seen.toEnd && part.to === bytes.length;
  const { text } = part;
  const startLine = seen.startLine && seen.startLine + newlinesOf(bytes.subarray(0, part.from), source);
  const ends = text.endsWithNewline ? text.newlines : text.newlines + 1;
  const endLine = startLine && startLine + ends - 1;
  return {
    text,
    numbered: width && startLine ? await withNumbers(part.utf8, startLine, width) : undefined,
    encoding: source.encoding,
    marked: source.base > 0,
    lineEnds: oddLineEnds(part.utf8),
    invalid: await invalidOf(kept, offset + part.from, source, toEnd ? file.stat.size : undefined),
    next: offset + part.to,
    startLine,
    endLine,
    totalLines: seen.totalLines ?? (toEnd ? endLine : totalIn(seen)),
    complete: seen.complete && kept.length === bytes.length,
    etag: etagOf(file.stat),
    file,
  };
}

/** Counts the lines of a file that was read to its end but does not fit. */
function totalIn({ bytes, source, startLine, toEnd }: DecodableText): number | undefined {
  if (!toEnd || startLine === undefined) return undefined;
  const open = unitsOf(bytes, source).at(-1) === source.newline ? 0 : 1;
  return startLine - 1 + newlinesOf(bytes, source) + open;
}

interface Part extends Fitted {
  text: Utf8Text;
}

async function partThatFits({ bytes, source, complete }: DecodableText, want: FitDemand): Promise<Part> {
  // most files are escaped once, for this check and for the result
  const plain = complete && source.encoding === 'utf-8' && want.perLine === 0 && bytes.length <= want.room;
  if (plain && isUtf8(bytes)) {
    const text = await prepared(bytes);
    if (text.jsonBytes - 2 <= want.room) return { text, utf8: bytes, from: 0, to: bytes.length };
  }
  const part = await fit(bytes, source, want);
  return { ...part, text: await prepared(part.utf8) };
}

/** Returns a text that is already escaped, which yields to the event loop meanwhile. */
async function prepared(utf8: Buffer): Promise<Utf8Text> {
  const text = new Utf8Text(utf8);
  await text.prepare();
  return text;
}

function widthIn(bytes: Buffer, { startLine = 1, source }: DecodableText): number {
  return widthOf(startLine + newlinesOf(bytes, source));
}

function newlinesOf(bytes: Buffer, source: Source): number {
  return countNewlines(unitsOf(bytes, source), source.newline);
}

async function withNumbers(text: Buffer, startLine: number, width: number): Promise<Utf8Text> {
  return prepared(await numbered(text, startLine, width));
}

/** Counts the invalid bytes of a part by their offset in the file, including half a unit at its end. */
async function invalidOf(
  bytes: Buffer,
  offset: number,
  source: Source,
  end: number | undefined,
): Promise<Invalid | undefined> {
  const found = await invalidIn(bytes, source);
  const half = end === undefined ? 0 : (end - source.base) % source.unit;
  if (found === undefined) return half === 0 ? undefined : { bytes: half, first: end! - half };
  return { bytes: found.bytes + half, first: source.base + offset + found.first };
}
