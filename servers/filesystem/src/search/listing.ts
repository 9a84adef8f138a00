import { DIRECTORY, type EntrySink } from './entries.ts';
import { COUNT } from './messages.ts';
import { segmentBelow } from './order.ts';
import type { ContentPosition } from './query.ts';
import type { NameTest } from './segment.ts';
import type { Selection } from './select.ts';

/** Marks beside an entry's kind: a result, a directory to go into. */
export const RESULT = 16;
export const ENTER = 32;

/** Collects what matters of one directory's entries: the results and the directories to enter, in order. */
export class Listing implements EntrySink {
  names: string[] = [];
  kinds: number[] = [];
  readonly #selection: Selection;
  readonly #wanted: number;
  readonly #after: ContentPosition | undefined;
  readonly #counts: Int32Array;
  readonly #halted: () => boolean;
  #prefix = '';
  #included: NameTest | undefined;
  #excluded: NameTest | undefined;
  #resume: string | undefined;
  #files = 0;
  #directories = 0;

  constructor(options: {
    selection: Selection;
    wanted: number;
    after: ContentPosition | undefined;
    counts: Int32Array;
    halted: () => boolean;
  }) {
    this.#selection = options.selection;
    this.#wanted = options.wanted;
    this.#after = options.after;
    this.#counts = options.counts;
    this.#halted = options.halted;
  }

  open(prefix: string): void {
    this.#prefix = prefix;
    this.#included = this.#selection.included.inside(prefix);
    this.#excluded = this.#selection.excluded(prefix);
    this.#resume = this.#after === undefined ? undefined : segmentBelow(this.#after.path, prefix);
  }

  begin(): void {
    this.names = [];
    this.kinds = [];
    this.#files = 0;
    this.#directories = 0;
  }

  entry(name: string, kind: number): void {
    if (this.#excluded?.(name)) return;
    let marks = 0;
    if (kind === DIRECTORY) {
      this.#directories++;
      if (this.#selection.included.reaches(`${this.#prefix}${name}/`)) marks = ENTER;
    } else {
      this.#files++;
    }
    if ((kind & this.#wanted) !== 0 && this.#included?.(name)) marks |= RESULT;
    if (marks !== 0 && this.#resume !== undefined) marks = this.#unseen(name, marks, this.#resume);
    if (marks === 0) return;
    this.names.push(name);
    this.kinds.push(kind | marks);
  }

  halted(): boolean {
    return this.#halted();
  }

  /** Counts and sorts what was collected. */
  close(): void {
    this.#counts[COUNT.filesSeen]! += this.#files;
    this.#counts[COUNT.directoriesSeen]! += this.#directories;
    if (isSorted(this.names)) return;
    const order = this.names
      .map((_, index) => index)
      .sort((a, b) => (this.names[a]! < this.names[b]! ? -1 : 1));
    this.kinds = order.map((index) => this.kinds[index]!);
    this.names = order.map((index) => this.names[index]!);
  }

  /** What is left of an entry's marks in a directory that an earlier page has been in. */
  #unseen(name: string, marks: number, resume: string): number {
    if (name < resume) return 0;
    if (name > resume) return marks;
    const within = this.#after?.line !== undefined && this.#after.path === this.#prefix + name;
    return within ? marks : marks & ~RESULT;
  }
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) if (names[index - 1]! > names[index]!) return false;
  return true;
}
