import { DIRECTORY, type EntrySink, FILE } from './entries.ts';
import { GIT_FILE, OWN_FILE, REPOSITORY, REPOSITORY_FOLDER } from './ignore-read.ts';
import { type Ignores, ignoredIn } from './ignores.ts';
import { COUNT } from './messages.ts';
import { segmentBelow } from './order.ts';
import type { Position } from './query.ts';
import type { NameTest } from './segment.ts';
import type { Selection } from './select.ts';

/** Flags beside an entry's kind: a result, a directory to enter. */
export const RESULT = 16;
export const ENTER = 32;

const DOT = 46;

export interface ListingOptions {
  selection: Selection;
  wanted: number;
  after: Position | undefined;
  /** Directories at this level are not entered. */
  depth: number | undefined;
  /** Returns the test for the denied names of a directory. */
  denied: ((prefix: string) => NameTest) | undefined;
  counts: Int32Array;
  halted: () => boolean;
}

/** Collects the results and the directories to enter among one directory's entries, in order. */
export class Listing implements EntrySink {
  names: string[] = [];
  kinds: number[] = [];
  /** Flags for the ignore files and the repository of the directory. */
  marks = 0;
  readonly #options: ListingOptions;
  #prefix = '';
  #included: NameTest | undefined;
  #excluded: NameTest | undefined;
  #denied: NameTest | undefined;
  #resume: string | undefined;
  #enters = true;
  #files = 0;
  #directories = 0;

  constructor(options: ListingOptions) {
    this.#options = options;
  }

  open(prefix: string): void {
    const { selection, denied, after, depth } = this.#options;
    this.#prefix = prefix;
    this.#included = selection.included.inside(prefix);
    this.#excluded = selection.excluded(prefix);
    this.#denied = denied?.(prefix);
    this.#resume = after === undefined ? undefined : segmentBelow(after.path, prefix);
    this.#enters = depth === undefined || levelOf(prefix) < depth;
  }

  begin(): void {
    this.names = [];
    this.kinds = [];
    this.marks = 0;
    this.#files = 0;
    this.#directories = 0;
  }

  entry(name: string, kind: number): void {
    if (name.charCodeAt(0) === DOT) this.marks |= markOf(name, kind);
    if (this.#excluded?.(name) || this.#denied?.(name)) return;
    let marks = 0;
    if (kind === DIRECTORY) {
      this.#directories++;
      if (this.#enters && this.#options.selection.included.reaches(`${this.#prefix}${name}/`)) marks = ENTER;
    } else {
      this.#files++;
    }
    if ((kind & this.#options.wanted) !== 0 && this.#included?.(name)) marks |= RESULT;
    if (marks !== 0 && this.#resume !== undefined) marks = this.#unseen(name, marks, this.#resume);
    if (marks === 0) return;
    this.names.push(name);
    this.kinds.push(kind | marks);
  }

  halted(): boolean {
    return this.#options.halted();
  }

  /** Counts and sorts the collected entries, without those that the ignore files exclude in the directory `path`. */
  close(ignores: Ignores | undefined, path: string): void {
    const { counts } = this.#options;
    counts[COUNT.filesSeen]! += this.#files;
    counts[COUNT.directoriesSeen]! += this.#directories;
    const ignored = ignores === undefined ? undefined : ignoredIn(ignores, path);
    if (ignored !== undefined) {
      const all = this.names.length;
      this.#keep((name, kind) => !ignored(name, (kind & DIRECTORY) !== 0));
      counts[COUNT.ignored]! += all - this.names.length;
    }
    if (isSorted(this.names)) return;
    const order = this.names
      .map((_, index) => index)
      .sort((a, b) => (this.names[a]! < this.names[b]! ? -1 : 1));
    this.kinds = order.map((index) => this.kinds[index]!);
    this.names = order.map((index) => this.names[index]!);
  }

  #keep(wanted: (name: string, kind: number) => boolean): void {
    let kept = 0;
    for (let index = 0; index < this.names.length; index++) {
      // with thousands of rules this takes most of the time of a search
      if (this.#options.halted()) break;
      const name = this.names[index]!;
      const kind = this.kinds[index]!;
      if (!wanted(name, kind)) continue;
      this.names[kept] = name;
      this.kinds[kept++] = kind;
    }
    this.names.length = kept;
    this.kinds.length = kept;
  }

  /** Returns the flags of an entry without those that an earlier page has handled. */
  #unseen(name: string, marks: number, resume: string): number {
    if (name < resume) return 0;
    if (name > resume) return marks;
    const { after } = this.#options;
    const within = after?.line !== undefined && after.path === this.#prefix + name;
    return within ? marks : marks & ~RESULT;
  }
}

/** Returns the level of the entries in a directory: 1 for those of the root. */
function levelOf(prefix: string): number {
  let level = 1;
  for (let at = prefix.indexOf('/'); at !== -1; at = prefix.indexOf('/', at + 1)) level++;
  return level;
}

function markOf(name: string, kind: number): number {
  if (name === '.git') {
    if (kind === DIRECTORY) return REPOSITORY_FOLDER;
    return kind === FILE ? REPOSITORY : 0;
  }
  if (kind !== FILE) return 0;
  if (name === '.gitignore') return GIT_FILE;
  return name === '.ignore' ? OWN_FILE : 0;
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) if (names[index - 1]! > names[index]!) return false;
  return true;
}
