import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { countNewlines, skipLines } from './lines.ts';
import { newlineCounter } from './newlines.ts';
import { type Source, unitsOf } from './source.ts';
import { type Attention, readAt } from './window.ts';

/** The text of an open file. */
export interface Body {
  readonly fd: number;
  readonly source: Source;
  /** its units behind the byte order mark */
  readonly size: number;
}

export interface Scan {
  /** most bytes of text that are kept */
  room: number;
  /** whether the number of the first line is needed, whatever it costs */
  numbers: boolean;
  attention: Attention;
}

/** What is counted at once stays near the processor. */
const PIECE_BYTES = 256 * 1024;
/** Bytes between two breaths of the event loop: a few milliseconds of work. */
export const BYTES_IN_ONE_GO = 4 * 1024 * 1024;

export interface Tally {
  /** where counting ended, in units */
  at: number;
  newlines: number;
  /** 1 when a line was begun and not ended */
  open: 0 | 1;
  short: boolean;
}

/** Counts newlines, at most `most` of them. */
export async function tally(
  body: Body,
  from: number,
  to: number,
  scan: Scan,
  trail: number[],
  most = Number.POSITIVE_INFINITY,
): Promise<Tally> {
  const { source } = body;
  const { unit, newline } = source;
  const piece = PIECE_BYTES / unit;
  const counter = newlineCounter(PIECE_BYTES);
  let newlines = 0;
  let at = from;
  let last = newline;
  for (let gone = 0; at < to && newlines < most; ) {
    const length = Math.min(piece, to - at);
    const into = counter.buffer.subarray(0, length * unit);
    const bytes = readAt(body.fd, source.base + at * unit, into.length, into);
    const units = unitsOf(bytes, source);
    const found = unit === 1 ? counter.count(bytes.length) : countNewlines(units, newline);
    trail.push(found);
    if (newlines + found >= most)
      return {
        at: at + skipLines(units, 0, most - newlines, newline).offset,
        newlines: most,
        open: 0,
        short: false,
      };
    newlines += found;
    at += units.length;
    last = units.at(-1) ?? last;
    reportProgress(body, at, scan);
    if (units.length < length) return { at, newlines, open: last === newline ? 0 : 1, short: true };
    gone += bytes.length;
    if (gone >= BYTES_IN_ONE_GO) {
      gone = 0;
      await yieldToEventLoop();
      scan.attention.signal.throwIfAborted();
    }
  }
  return { at, newlines, open: last === newline ? 0 : 1, short: false };
}

/** Says how far a file was read. */
export function reportProgress({ source, size }: Body, at: number, { attention }: Scan): void {
  attention.progress(source.base + at * source.unit, source.base + size * source.unit);
}
