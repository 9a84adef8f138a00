import { MARKER_SIZE } from './conflicts.ts';

/** A part of a file: text on which both sides agree, or a conflict. The parts together are the file's bytes. */
export type Region = { readonly kind: 'agreed'; readonly bytes: Buffer } | ConflictRegion;

export interface ConflictRegion {
  readonly kind: 'conflict';
  /** including the markers */
  readonly bytes: Buffer;
  /** the line of the first marker, counted from 1 */
  readonly line: number;
  readonly ours: Buffer;
  /** only in the styles that write it: diff3 and zdiff3 */
  readonly base: Buffer | undefined;
  readonly theirs: Buffer;
  /** the labels of the markers, as byte strings */
  readonly labels: { readonly ours: string; readonly base: string | undefined; readonly theirs: string };
}

export interface Marked {
  readonly regions: readonly Region[];
  /** lines with a marker outside of a conflict: the file was edited, or the line only looks like a marker */
  readonly stray: readonly number[];
}

type Mark = '<' | '|' | '=' | '>';
interface Marker {
  readonly mark: Mark;
  readonly label: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** Parses a file that a merge left with conflicts, byte for byte. */
export function parseMarkers(bytes: Buffer, size: number = MARKER_SIZE): Marked {
  const regions: Region[] = [];
  const stray: number[] = [];
  let open: Marker[] = [];
  let done = 0;
  const drop = () => {
    stray.push(...open.map((marker) => marker.line));
    open = [];
  };
  for (const marker of markersIn(bytes, size)) {
    const expected = follow[open.map(({ mark }) => mark).join('')] ?? '';
    if (!expected.includes(marker.mark)) drop();
    if (open.length === 0 && marker.mark !== '<') stray.push(marker.line);
    else open.push(marker);
    if (marker.mark !== '>' || open.length === 0) continue;
    if (open[0]!.start > done) regions.push({ kind: 'agreed', bytes: bytes.subarray(done, open[0]!.start) });
    regions.push(toConflict(bytes, open));
    done = marker.end;
    open = [];
  }
  drop();
  if (done < bytes.length) regions.push({ kind: 'agreed', bytes: bytes.subarray(done) });
  return { regions, stray: stray.toSorted((one, other) => one - other) };
}

/** Returns the markers that may follow those found so far. */
const follow: Readonly<Record<string, string>> = { '': '<', '<': '|=', '<|': '=', '<=': '>', '<|=': '>' };

function toConflict(bytes: Buffer, markers: readonly Marker[]): ConflictRegion {
  const by = (mark: Mark) => markers.find((marker) => marker.mark === mark);
  const [first, bar, middle, last] = [by('<')!, by('|'), by('=')!, by('>')!];
  return {
    kind: 'conflict',
    bytes: bytes.subarray(first.start, last.end),
    line: first.line,
    ours: bytes.subarray(first.end, (bar ?? middle).start),
    base: bar === undefined ? undefined : bytes.subarray(bar.end, middle.start),
    theirs: bytes.subarray(middle.end, last.start),
    labels: { ours: first.label, base: bar?.label, theirs: last.label },
  };
}

const NEWLINE = 10;
const codes: readonly number[] = Array.from('<|=>', (mark) => mark.charCodeAt(0));

function* markersIn(bytes: Buffer, size: number): Generator<Marker> {
  for (let at = 0, line = 1; at < bytes.length; line++) {
    const newline = bytes.indexOf(NEWLINE, at);
    const end = newline === -1 ? bytes.length : newline + 1;
    if (codes.includes(bytes[at]!) && end - at >= size) {
      const text = bytes.toString('latin1', at, newline === -1 ? end : newline).replace(/\r$/, '');
      const mark = text[0] as Mark;
      const label = text.slice(size);
      const isMarker = text.startsWith(mark.repeat(size)) && (label === '' || label.startsWith(' '));
      // only the marker stands between the sides
      if (isMarker && (mark !== '=' || label === ''))
        yield { mark, label: label.slice(1), start: at, end, line };
    }
    at = end;
  }
}
