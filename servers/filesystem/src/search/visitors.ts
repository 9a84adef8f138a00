import { DIRECTORY, FILE, OTHER, SYMLINK } from './entries.ts';
import type { Frame, Frames } from './frames.ts';
import type { Chunk } from './messages.ts';
import type { Visitor } from './walk.ts';

const LETTERS = new Map([
  [FILE, 'f'],
  [DIRECTORY, 'd'],
  [SYMLINK, 'l'],
  [OTHER, 'o'],
]);
const KIND_MASK = FILE | DIRECTORY | SYMLINK | OTHER;

/** Returns the type letter of an entry. */
export function letterOf(kind: number): string {
  return LETTERS.get(kind & KIND_MASK)!; // every entry has one of the four kinds
}

/** Counts the entries of a directory that is not entered; undefined if it cannot be read. */
export type CountEntries = (frames: Frames, frame: Frame, name: string) => number | undefined;

/** Keeps each selected name. */
export class NameVisitor implements Visitor {
  readonly #count: CountEntries | undefined;
  #names: string[] = [];
  #entries = new Map<number, number>();

  constructor(count: CountEntries | undefined) {
    this.#count = count;
  }

  visit(frames: Frames, frame: Frame, name: string, kind: number): number {
    const entries = (kind & DIRECTORY) === 0 ? undefined : this.#count?.(frames, frame, name);
    if (entries !== undefined) this.#entries.set(this.#names.length, entries);
    this.#names.push(letterOf(kind) + frame.prefix + name);
    return 1;
  }

  take(): Chunk | undefined {
    if (this.#names.length === 0) return undefined;
    // one string is the cheapest message between threads; NUL is in no name
    const chunk = { names: this.#names.join('\0'), size: this.#names.length };
    const entries = this.#entries;
    this.#names = [];
    if (entries.size === 0) return chunk;
    this.#entries = new Map();
    return { ...chunk, entries };
  }
}
