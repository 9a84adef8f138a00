import { yieldToEventLoop } from '@rootbound/kit/primitives';
import type { CallControl } from '../workspace.ts';
import { countNewlines, skipLines } from './lines.ts';
import { newlineCounter } from './newlines.ts';
import { type Source, unitsOf } from './source.ts';
import { readAt } from './window.ts';

/** The text of an open file. */
export interface Body {
  readonly fd: number;
  readonly source: Source;
  /** number of code units after the byte order mark */
  readonly size: number;
}

export interface Scan {
  /** maximum number of bytes that are kept */
  room: number;
  /** whether the number of the first line is needed, at any cost */
  numbers: boolean;
  call: CallControl;
}

/** Bytes that are counted at once, small enough for the processor's cache. */
const PIECE_BYTES = 256 * 1024;
/** Bytes that are read in one turn of the event loop: a few milliseconds of work. */
export const BYTES_IN_ONE_GO = 4 * 1024 * 1024;

export interface Tally {
  /** offset at which counting ended, in code units */
  at: number;
  newlines: number;
  /** 1 if the last line has no line end */
  open: 0 | 1;
  short: boolean;
}

/** Counts newlines, up to `most`. */
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
      scan.call.signal.throwIfAborted();
    }
  }
  return { at, newlines, open: last === newline ? 0 : 1, short: false };
}

/** Reports the progress of a read. */
export function reportProgress({ source, size }: Body, at: number, { call }: Scan): void {
  call.progress(source.base + at * source.unit, source.base + size * source.unit);
}
