import { createHash } from 'node:crypto';
import { CONTEXT_LINES } from './diff.ts';
import { type Head, headAt } from './patch-head.ts';
import { unexpected } from './records.ts';

/** A range of lines, counted from 1; an empty one names the line before it. */
export interface Stretch {
  readonly start: number;
  readonly lines: number;
}

export interface HunkPlace {
  /** stable while both sides of the file and the position are the same */
  readonly id: string;
  /** one for each parent: several only in a merge */
  readonly old: readonly Stretch[];
  readonly new: Stretch;
  /** git's function name for the hunk, as a byte string */
  readonly section: string;
}

export interface Hunk extends HunkPlace {
  /** the whole hunk, with its `@@` line */
  readonly bytes: Buffer;
  /** only its lines */
  readonly body: Buffer;
}

export interface FilePatch extends Head {
  readonly hunks: readonly Hunk[];
  /** the facts of the head that no hunk carries: a mode, a name, binary contents, an empty file */
  readonly changeId: string | undefined;
}

export interface Patch {
  readonly files: readonly FilePatch[];
  /** the beginning of a file or hunk that was cut off */
  readonly rest: Buffer;
}

export interface PatchRead {
  /** the context lines of the diff */
  readonly context?: number;
  /** git was stopped before its end: the last line may be missing */
  readonly cut?: boolean;
}

/** Parses the output of `patchCommand`; `joinPatch` gives the same bytes again. */
export function parsePatch(bytes: Buffer, { context = CONTEXT_LINES, cut = false }: PatchRead = {}): Patch {
  const isWhole = (end: number | undefined): end is number =>
    end !== undefined && !(cut && end === bytes.length);
  const files: FilePatch[] = [];
  let at = 0;
  let broken = false;
  while (at < bytes.length && !broken) {
    const read = headAt(bytes, at);
    if (read === undefined || !isWhole(read.end)) break;
    const hunks: Hunk[] = [];
    for (at = read.end; bytes[at] === AT && !broken; ) {
      const end = hunkEnd(bytes, at);
      broken = !isWhole(end);
      if (!isWhole(end)) break;
      hunks.push(toHunk(bytes.subarray(at, end), read.head, context));
      at = end;
    }
    // the remaining second half of a type change is not valid without the first
    if (broken && isSecondHalf(files.at(-1), read.head)) at = read.head.bytes.byteOffset - bytes.byteOffset;
    else addFile(files, toFile(read.head, hunks, context), bytes, context);
  }
  // and the first half looks like the removal of a file
  if (cut && files.at(-1)?.kind === 'deleted') at = files.pop()!.bytes.byteOffset - bytes.byteOffset;
  return { files, rest: bytes.subarray(at) };
}

export function joinPatch({ files, rest }: Patch): Buffer {
  return Buffer.concat([...files.flatMap(bytesOf), rest]);
}

/** Returns the patch of one file as git printed it. */
export function bytesOf(file: FilePatch): Buffer[] {
  return [file.bytes, ...file.hunks.map((hunk) => hunk.bytes)];
}

/** Returns how many context lines the diff had in which an id was given; undefined for a text that is no such id. */
export function contextOf(id: string): number | undefined {
  const [, digits] = /^(\d{1,5})-[0-9a-f]{20}$/.exec(id) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

const NEWLINE = 10;
const AT = 64;
const BACKSLASH = 92;

function toFile(head: Head, hunks: readonly Hunk[], context: number): FilePatch {
  return { ...head, hunks, changeId: changeIdOf(head, hunks.length, context) };
}

/** Returns the id for the head of a file with this number of hunks. */
export function changeIdOf(head: Head, hunks: number, context: number): string | undefined {
  const { kind, oldMode, newMode } = head;
  const moded = kind === 'modified' && oldMode !== newMode;
  const headOnly = kind === 'renamed' || kind === 'copied' || moded || hunks === 0;
  return headOnly && kind !== 'merged' ? idOf(head, context, 'head') : undefined;
}

/** Adds a file; a file that became a link, or the reverse, has two patches, which are valid only together. */
function addFile(files: FilePatch[], file: FilePatch, bytes: Buffer, context: number): void {
  const last = files.at(-1);
  if (last === undefined || !isSecondHalf(last, file)) {
    files.push(file);
    return;
  }
  const start = last.bytes.byteOffset - bytes.byteOffset;
  const length = [...bytesOf(last), ...bytesOf(file)].reduce((sum, part) => sum + part.length, 0);
  files.pop();
  files.push(
    toFile({ ...typeChange(last, file), bytes: bytes.subarray(start, start + length) }, [], context),
  );
}

/** Returns the head of both halves. */
export function typeChange(last: Head, { newMode, newOid, binary }: Head): Head {
  return { ...last, kind: 'type-changed', newMode, newOid, binary: last.binary || binary };
}

export function isSecondHalf(last: Head | undefined, head: Head): boolean {
  return last?.kind === 'deleted' && head.kind === 'created' && last.path === head.path;
}

function toHunk(bytes: Buffer, head: Head, context: number): Hunk {
  const end = bytes.indexOf(NEWLINE) + 1;
  const place = placeOf(bytes.toString('latin1', 0, end - 1), head, context);
  return { ...place, bytes, body: bytes.subarray(end) };
}

/** Returns the position that the first line of a hunk states. */
export function placeOf(line: string, head: Head, context: number): HunkPlace {
  const { ranges, section } = readPlace(line);
  const stretches = ranges.map(toStretch);
  return {
    id: idOf(head, context, ranges.join(' ')),
    old: stretches.slice(0, -1),
    new: stretches.at(-1)!,
    section,
  };
}

/** Returns how many lines of each side the first line of a hunk states. */
export function linesLeft(line: string): number[] {
  return readPlace(line).ranges.map((range) => toStretch(range).lines);
}

function readPlace(line: string): { ranges: string[]; section: string } {
  const [, ranges, section] = /^@@+ (.*?) @@+ ?(.*)$/s.exec(line) ?? [];
  if (ranges === undefined) throw unexpected('hunk');
  return { ranges: ranges.split(' '), section: section! };
}

function toStretch(range: string): Stretch {
  const [, start, lines] = /^[-+](\d+)(?:,(\d+))?$/.exec(range) ?? [];
  if (start === undefined) throw unexpected('range of a hunk');
  return { start: Number(start), lines: Number(lines ?? 1) };
}

/** Returns an id of a hunk from both contents and its position, so that it is valid for no other. */
function idOf(head: Head, context: number, place: string): string {
  const { path, from, kind, oldMode, newMode, oldOids, newOid } = head;
  const facts = JSON.stringify([path, from, kind, oldMode, newMode, oldOids, newOid, place]);
  return `${context}-${createHash('sha256').update(facts).digest('hex').slice(0, 20)}`;
}

/** Returns the end of a hunk by the counts of its first line, so that no line in it can look like the end. */
function hunkEnd(bytes: Buffer, start: number): number | undefined {
  let at = bytes.indexOf(NEWLINE, start) + 1;
  if (at === 0) return undefined;
  const left = linesLeft(bytes.toString('latin1', start, at - 1));
  // "\ No newline at end of file" may follow the last line
  while (left.some((lines) => lines > 0) || bytes[at] === BACKSLASH) {
    const end = bytes.indexOf(NEWLINE, at) + 1;
    if (end === 0) return undefined;
    if (bytes[at] !== BACKSLASH)
      countLine(bytes.toString('latin1', at, Math.min(end - 1, at + left.length - 1)), left);
    at = end;
  }
  return at;
}

/** Subtracts a line from the sides that have it: one sign for each parent; none in an empty line that git shortened. */
export function countLine(signs: string, left: number[]): void {
  const gone = signs.includes('-');
  for (let parent = 0; parent < left.length - 1; parent++) {
    const sign = signs[parent] ?? ' ';
    if (gone ? sign === '-' : sign !== '+') left[parent]! -= 1;
  }
  if (!gone) left[left.length - 1]! -= 1;
}
