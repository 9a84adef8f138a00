import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { skipLines } from './lines.ts';
import { unitsOf } from './source.ts';
import { type Body, BYTES_IN_ONE_GO, reportProgress, type Scan, tally } from './tally.ts';
import { type Lines, readAt, type Window } from './window.ts';

/** The result of one scan of a file, to be compared with a second scan. */
export interface ScannedText extends Window {
  /** number of newlines in each counted piece */
  trail: number[];
  /** whether the file ended before its size */
  short: boolean;
}

/** Lines of a file up to this size, in bytes, are always counted; of a larger file only up to the requested ones. */
const COUNTED_BYTES = 16 * 1024 * 1024;
const FIRST_STEP = 64 * 1024;
const STEP = 1024 * 1024;

/** Reads the requested lines of a file in pieces, up to one unit beyond the room. */
export async function scanFile(body: Body, lines: Lines, scan: Scan): Promise<ScannedText> {
  const trail: number[] = [];
  switch (lines.kind) {
    case 'tail':
      return scanBackwards(body, lines.count, scan, trail);
    case 'range':
      return scanRange(body, lines.start, lines.end, scan, trail);
    case 'all':
      return collectCounted(body, { offset: 0, line: 1, until: Number.POSITIVE_INFINITY }, scan, trail);
    case 'head':
      return collectCounted(body, { offset: 0, line: 1, until: lines.count }, scan, trail);
    case 'from': {
      const { unit } = body.source;
      const offset = Math.min(Math.floor(lines.offset / unit), body.size);
      const window = await collect(body, { offset, line: lines.line, until: lines.end }, scan, trail);
      return { ...window, totalLines: lines.total };
    }
  }
}

interface Start {
  /** in units */
  offset: number;
  line: number;
  /** last requested line */
  until: number;
}

async function collect(body: Body, start: Start, scan: Scan, trail: number[]): Promise<ScannedText> {
  const { fd, source, size } = body;
  const { unit, newline, base } = source;
  // one unit beyond the room, so that a character cut there never counts as complete
  const most = Math.min(scan.room + 1, size - start.offset);
  const bytes = Buffer.allocUnsafe(most * unit);
  let kept = 0;
  let wanted = start.until - start.line + 1;
  let short = false;
  for (let step = FIRST_STEP, gone = 0; kept < most && wanted > 0; step = Math.min(step * 4, STEP)) {
    const length = Math.min(step, most - kept);
    const into = bytes.subarray(kept * unit, (kept + length) * unit);
    const units = unitsOf(readAt(fd, base + (start.offset + kept) * unit, into.length, into), source);
    short = units.length < length;
    const end = Number.isFinite(wanted) ? skipLines(units, 0, wanted, newline) : undefined;
    wanted -= end?.skipped ?? 0;
    kept += end?.offset ?? units.length;
    if (short) break;
    reportProgress(body, start.offset + kept, scan);
    gone += length * unit;
    if (gone >= BYTES_IN_ONE_GO) {
      gone = 0;
      await yieldToEventLoop();
      scan.call.signal.throwIfAborted();
    }
  }
  const toEnd = start.offset + kept >= size;
  return {
    bytes: bytes.subarray(0, kept * unit),
    offset: start.offset * unit,
    startLine: start.line,
    totalLines: undefined,
    complete: toEnd || wanted <= 0,
    toEnd,
    trail,
    short,
  };
}

/** Collects lines, and counts all lines of the file unless it is too large. */
async function collectCounted(body: Body, start: Start, scan: Scan, trail: number[]): Promise<ScannedText> {
  const window = await collect(body, start, scan, trail);
  const { unit } = body.source;
  if (window.toEnd || window.short || (body.size - start.offset) * unit > COUNTED_BYTES) return window;
  const rest = await tally(body, start.offset, body.size, scan, trail);
  return { ...window, totalLines: start.line - 1 + rest.newlines + rest.open, short: rest.short };
}

async function scanRange(
  body: Body,
  start: number,
  end: number,
  scan: Scan,
  trail: number[],
): Promise<ScannedText> {
  const before = await tally(body, 0, body.size, scan, trail, start - 1);
  if (before.newlines === start - 1 && (before.at < body.size || start === 1)) {
    const window = await collectCounted(body, { offset: before.at, line: start, until: end }, scan, trail);
    if (window.toEnd) reportProgress(body, body.size, scan);
    return window;
  }
  const totalLines = before.newlines + before.open;
  const none = { bytes: Buffer.alloc(0), offset: before.at * body.source.unit, startLine: start };
  return { ...none, totalLines, complete: true, toEnd: false, trail, short: before.short };
}

async function scanBackwards(body: Body, count: number, scan: Scan, trail: number[]): Promise<ScannedText> {
  const { fd, source, size } = body;
  const { unit, newline, base } = source;
  const pieces: Buffer[] = [];
  let start = size;
  let lines = 0;
  let short = false;
  for (let step = FIRST_STEP; start > 0 && lines < count && size - start < scan.room && !short; ) {
    const length = Math.min(step, start);
    const bytes = readAt(fd, base + (start - length) * unit, length * unit);
    const units = unitsOf(bytes, source);
    short = units.length < length;
    // the line end of the last line does not begin another line
    let before = start === size && units.at(-1) === newline ? units.length - 1 : units.length;
    while (lines < count) {
      const end = before === 0 ? -1 : units.lastIndexOf(newline, before - 1);
      if (end < 0) {
        before = 0;
        break;
      }
      lines += 1;
      before = lines === count ? end + 1 : end;
    }
    pieces.push(bytes.subarray(before * unit));
    start -= length - before;
    step = Math.min(step * 4, STEP);
    await yieldToEventLoop();
    scan.call.signal.throwIfAborted();
  }
  const complete = start === 0 || lines === count;
  const window = { bytes: Buffer.concat(pieces.reverse()), offset: start * unit, complete, toEnd: true };
  if (short || !(scan.numbers || size * unit <= COUNTED_BYTES))
    return { ...window, startLine: undefined, totalLines: undefined, trail, short };
  const above = await tally(body, 0, start, scan, trail);
  return { ...window, startLine: above.newlines + 1, totalLines: undefined, trail, short: above.short };
}
