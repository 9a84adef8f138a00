import { jsonBytes } from '@rootbound/kit/budget';
import { CONTEXT_LINES } from '../porcelain/diff.ts';
import { changeIdOf, type HunkPlace, isSecondHalf, placeOf, typeChange } from '../porcelain/hunks.ts';
import type { Head } from '../porcelain/patch-head.ts';
import { clipLines, type PatchText, readLines } from './lines.ts';
import { fileOf, type PatchPosition } from './position.ts';
import type { Part } from './scan.ts';

/** A file of which a page has something. */
export interface PageFile {
  readonly head: Head;
  /** as `parsePatch` gives it, on the first page where nothing is cut */
  readonly changeId: string | undefined;
  /** those that end in the page */
  readonly hunks: readonly HunkPlace[];
}

export interface PatchPage {
  /** all pages in order are what git printed */
  readonly text: string;
  /** some lines are no UTF-8, and read as Latin-1 */
  readonly lossy: boolean;
  /** its last hunk is larger than a page, and goes on in the next */
  readonly cut: boolean;
  readonly files: readonly PageFile[];
  /** none where the patch ends here */
  readonly next: PatchPosition | undefined;
}

export interface PatchPageOptions {
  /** most bytes of the text inside a JSON string, and of what the next two add to it */
  readonly budget: number;
  /** bytes for each file and hunk, where `files` are told too; default 0 */
  readonly perFile?: number;
  readonly perHunk?: number;
  readonly after?: PatchPosition | undefined;
  /** the lines of context that the patch was asked for with */
  readonly context?: number;
}

/** Less than this is no page. */
const LEAST = 64;

/** The file that is being read. */
interface Current {
  /** as a position names it */
  readonly name: string;
  readonly versions: string;
  head: Head;
  /** that began so far */
  hunks: number;
  /** bytes so far, and how many of them the pages before had */
  read: number;
  readonly had: number;
}

/** What is kept together: a hunk, and the head before the first one. */
interface Unit {
  readonly bytes: Buffer[];
  size: number;
  /** in the file's patch */
  start: number;
  readonly hunks: HunkPlace[];
  /** whether it is a hunk already, and the next one is another unit */
  begun: boolean;
  /** whether it has the head of the file */
  first: boolean;
}

/** What a page says of a file. */
interface Told {
  readonly file: Current;
  readonly hunks: HunkPlace[];
  changed: boolean;
}

/** Fills a page with the parts of a patch, in order. */
export class Pager {
  readonly #options: PatchPageOptions;
  readonly #context: number;
  readonly #texts: string[] = [];
  readonly #files: Told[] = [];
  #room: number;
  #lossy = false;
  #cut = false;
  #next: PatchPosition | undefined;
  /** before the file where the page begins */
  #seeking: boolean;
  #file: Current | undefined;
  #unit = emptyUnit();

  constructor(options: PatchPageOptions) {
    this.#options = options;
    this.#context = options.context ?? CONTEXT_LINES;
    this.#room = Math.max(LEAST, options.budget);
    this.#seeking = options.after !== undefined;
  }

  /** Whether something did not fit any more. */
  get full(): boolean {
    return this.#next !== undefined;
  }

  add(part: Part): void {
    if (part.kind === 'head') this.#addHead(part.head);
    if (this.#seeking) return;
    if (part.kind === 'hunk') this.#addHunk(part.line);
    if (!this.full) this.#put(part.bytes);
  }

  /** Nothing comes any more. */
  end(): void {
    this.#flush();
  }

  page(): PatchPage | undefined {
    if (this.#seeking) return undefined;
    return {
      text: this.#texts.join(''),
      lossy: this.#lossy,
      cut: this.#cut,
      files: this.#files.map(({ file, hunks, changed }): PageFile => {
        const changeId = changed ? changeIdOf(file.head, file.hunks, this.#context) : undefined;
        return { head: file.head, changeId, hunks };
      }),
      next: this.#next,
    };
  }

  #addHead(head: Head): void {
    const last = this.#file;
    if (last !== undefined && isSecondHalf(last.head, head)) {
      // neither half holds without the other, so that neither has hunks to name
      last.head = typeChange(last.head, head);
      last.hunks = 0;
      this.#unit.hunks.length = 0;
      return;
    }
    this.#flush();
    if (this.full) return;
    const versions = versionsOf(head);
    const name = fileOf(head.path);
    const [wanted, compared, offset] = this.#seeking ? this.#options.after! : [];
    const begins = wanted === name && compared === versions;
    this.#seeking &&= !begins;
    this.#file = { name, versions, head, hunks: 0, read: 0, had: begins ? offset! : 0 };
    this.#unit.first = true;
  }

  #addHunk(line: string): void {
    const file = this.#file!;
    if (file.head.kind === 'type-changed') return;
    if (this.#unit.begun) this.#flush();
    if (this.full) return;
    file.hunks += 1;
    this.#unit.begun = true;
    this.#unit.hunks.push(placeOf(line, file.head, this.#context));
  }

  #put(bytes: Buffer): void {
    const file = this.#file!;
    const fresh = bytes.subarray(Math.max(0, file.had - file.read));
    file.read += bytes.length;
    if (fresh.length === 0) return;
    const unit = this.#unit;
    if (unit.size === 0) unit.start = file.read - fresh.length;
    unit.bytes.push(fresh);
    unit.size += fresh.length;
    // no text is shorter than its bytes: there is no need to read on
    if (unit.size > this.#room) this.#overflow(unit);
  }

  #flush(): void {
    const unit = this.#unit;
    if (unit.size > 0) {
      const read = readLines(Buffer.concat(unit.bytes));
      if (this.#costOf(read, unit) <= this.#room) this.#take(read, unit);
      else this.#overflow(unit);
    }
    this.#unit = emptyUnit();
  }

  /** What does not fit begins the next page, unless that has no more room than this one. */
  #overflow(unit: Unit): void {
    const { name, versions } = this.#file!;
    if (this.#texts.length > 0) {
      this.#next = [name, versions, unit.start];
      return;
    }
    const room = Math.max(LEAST, this.#room - this.#toldOf(unit));
    const clip = clipLines(Buffer.concat(unit.bytes), room);
    this.#cut = clip.bytes < unit.size;
    // a hunk is told where it ends: until then it may be half of something else
    this.#take(clip, this.#cut ? { hunks: [], first: false } : unit);
    if (this.#cut) this.#next = [name, versions, unit.start + clip.bytes];
  }

  #take(read: PatchText, unit: Pick<Unit, 'hunks' | 'first'>): void {
    this.#room -= this.#costOf(read, unit);
    this.#texts.push(read.text);
    this.#lossy ||= read.lossy;
    const file = this.#file!;
    if (this.#files.at(-1)?.file !== file) this.#files.push({ file, hunks: [], changed: false });
    const told = this.#files.at(-1)!;
    told.hunks.push(...unit.hunks);
    told.changed ||= unit.first;
  }

  #costOf({ text }: PatchText, unit: Pick<Unit, 'hunks'>): number {
    return jsonBytes(text) - 2 + this.#toldOf(unit);
  }

  #toldOf({ hunks }: Pick<Unit, 'hunks'>): number {
    const { perFile = 0, perHunk = 0 } = this.#options;
    return (this.#files.at(-1)?.file === this.#file ? 0 : perFile) + hunks.length * perHunk;
  }
}

function emptyUnit(): Unit {
  return { bytes: [], size: 0, start: 0, hunks: [], begun: false, first: false };
}

function versionsOf({ oldOids, newOid = '' }: Head): string {
  return [...oldOids, newOid].map((oid) => oid.slice(0, 12)).join('.');
}
