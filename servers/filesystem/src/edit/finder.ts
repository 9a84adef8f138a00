import type { Document } from './document.ts';
import { BYTES_IN_ONE_GO, type Sliced, STEPS_IN_ONE_GO } from './slices.ts';

/** Offsets that one window covers. */
const PLACES = 128 * 1024;

/** Length of the part of the searched bytes that `Buffer.indexOf` looks for; a longer one can take unbounded time. */
const PROBE = 64;
const PROBES_TRIED = 32;

/** A rolling hash takes over when failed comparisons have cost this many times the size of the document. */
const VAIN_FACTOR = 4;

// products stay below 2 ** 53
const PRIME = 67_108_859;
const BASE = 256 + Math.floor(Math.random() * (2 ** 25 - 256));

/** Finds bytes in a document from left to right, in time linear in the size of the document. */
export class Finder {
  readonly #document: Document;
  readonly #searched: Buffer;
  readonly #probeAt: number;
  readonly #probe: Buffer;
  #window: Buffer = Buffer.alloc(0);
  /** the offsets that the window covers */
  #from = 0;
  #to = 0;
  #vain = 0;
  #hash: { searched: number; power: number } | undefined;

  constructor(document: Document, searched: Buffer) {
    this.#document = document;
    this.#searched = searched;
    this.#probeAt = probeAt(searched);
    this.#probe = searched.subarray(this.#probeAt, this.#probeAt + PROBE);
  }

  /** Returns the next match if it is in the window, so that it costs no generator; undefined otherwise. */
  near(offset: number): number | undefined {
    if (offset < this.#from || offset >= this.#to || this.#searched.length > PROBE) return undefined;
    const at = this.#window.indexOf(this.#probe, offset - this.#from);
    return at >= 0 && this.#from + at < this.#to && this.#isAt(at) ? this.#from + at : undefined;
  }

  /** Returns the first match from an offset on, or -1. */
  *next(offset: number): Sliced<number> {
    const places = this.#document.length - this.#searched.length + 1;
    for (let at = offset; at < places; at = this.#to) {
      if (at < this.#from || at >= this.#to) {
        this.#load(at, places);
        yield;
      }
      const rolls = this.#vain > VAIN_FACTOR * this.#document.length + BYTES_IN_ONE_GO;
      const found = rolls ? yield* this.#roll(at) : yield* this.#probeFrom(at);
      if (found >= 0) return found;
    }
    return -1;
  }

  #load(at: number, places: number): void {
    const { length } = this.#searched;
    this.#from = at;
    this.#to = Math.min(places, at + Math.max(PLACES, length));
    this.#window = this.#document.read(at, this.#to + length - 1);
  }

  *#probeFrom(start: number): Sliced<number> {
    const { length } = this.#searched;
    const skipped = this.#probeAt;
    const window = this.#window.subarray(0, this.#to - this.#from - 1 + skipped + this.#probe.length);
    let steps = 0;
    let compared = 0;
    for (let at = start - this.#from; ; at++) {
      at = window.indexOf(this.#probe, at + skipped) - skipped;
      if (at + skipped < 0) return -1;
      if (this.#isAt(at)) return this.#from + at;
      this.#vain += length;
      compared += length;
      steps += 1;
      if (steps % STEPS_IN_ONE_GO === 0 || compared > BYTES_IN_ONE_GO) {
        compared = 0;
        yield;
      }
    }
  }

  #isAt(at: number): boolean {
    if ((this.#from + at) % this.#document.coding.unit !== 0) return false;
    const { length } = this.#searched;
    return (
      length === this.#probe.length || this.#window.compare(this.#searched, 0, length, at, at + length) === 0
    );
  }

  *#roll(start: number): Sliced<number> {
    const { length } = this.#searched;
    const window = this.#window;
    this.#hash ??= { searched: yield* hashOf(this.#searched, 0, length), power: powerOf(length - 1) };
    const { searched, power } = this.#hash;
    const last = this.#to - this.#from - 1;
    let hash = yield* hashOf(window, start - this.#from, length);
    for (let at = start - this.#from; ; at++) {
      if (hash === searched && this.#isAt(at)) return this.#from + at;
      if (at === last) return -1;
      hash = rest((hash + PRIME - rest(window[at]! * power)) * BASE + window[at + length]!);
      if (at % STEPS_IN_ONE_GO === 0) yield;
    }
  }
}

/** Returns the offset of the part with the most distinct bytes, which is rare in most texts. */
function probeAt(searched: Buffer): number {
  const room = searched.length - PROBE;
  if (room <= 0) return 0;
  let best = { at: 0, kinds: 0 };
  for (let tried = 0; tried < PROBES_TRIED; tried++) {
    const at = Math.floor((room * tried) / (PROBES_TRIED - 1));
    const kinds = new Set(searched.subarray(at, at + PROBE)).size;
    if (kinds > best.kinds) best = { at, kinds };
  }
  return best.at;
}

function* hashOf(bytes: Buffer, start: number, length: number): Sliced<number> {
  let hash = 0;
  for (let at = start; at < start + length; at++) {
    hash = rest(hash * BASE + bytes[at]!);
    if (at % STEPS_IN_ONE_GO === 0) yield;
  }
  return hash;
}

function powerOf(exponent: number): number {
  let power = 1;
  let square = BASE;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = rest(power * square);
    square = rest(square * square);
  }
  return power;
}

function rest(value: number): number {
  return value - Math.floor(value / PRIME) * PRIME;
}
