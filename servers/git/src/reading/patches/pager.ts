import { CONTEXT_LINES } from '../../porcelain/diff.ts';
import { type HunkPlace, isSecondHalf, placeOf, typeChange } from '../../porcelain/hunks.ts';
import type { Head } from '../../porcelain/patch-head.ts';
import { type LayoutOptions, type PageFile, PageLayout, type Piece, type Reading } from './layout.ts';
import { clipLines, readLines } from './patch-lines.ts';
import { fileOf, type PatchPosition } from './position.ts';
import type { Part } from './scanner.ts';

export interface PatchPage {
  /** the patch text: all pages in order are the output of git */
  readonly text: string;
  /** some lines are not UTF-8, and are decoded as Latin-1 */
  readonly lossy: boolean;
  /** its last hunk is larger than a page, and continues on the next */
  readonly cut: boolean;
  readonly files: readonly PageFile[];
  /** undefined where the patch ends here */
  readonly next: PatchPosition | undefined;
}

export interface PatchPageOptions extends LayoutOptions {
  readonly after?: PatchPosition | undefined;
  /** context lines of the patch */
  readonly context?: number;
}

/** The file that is being read. */
interface Current extends Reading {
  /** its name in a position */
  readonly name: string;
  readonly versions: string;
  /** bytes so far, and how many of them earlier pages had */
  read: number;
  readonly had: number;
}

/** A unit that is not split: a hunk, or the head before the first one. */
interface Unit extends Piece {
  readonly bytes: Buffer[];
  size: number;
  /** in the file's patch */
  start: number;
  readonly hunks: HunkPlace[];
  /** whether it is a hunk already, so that the next part is another unit */
  begun: boolean;
  first: boolean;
}

/** Fills a page with the parts of a patch, in order. */
export class Pager {
  readonly #after: PatchPosition | undefined;
  readonly #context: number;
  readonly #layout: PageLayout;
  #cut = false;
  #next: PatchPosition | undefined;
  /** before the file where the page begins */
  #seeking: boolean;
  #file: Current | undefined;
  #unit = emptyUnit();

  constructor(options: PatchPageOptions) {
    this.#after = options.after;
    this.#context = options.context ?? CONTEXT_LINES;
    this.#layout = new PageLayout(options);
    this.#seeking = options.after !== undefined;
  }

  /** Returns whether something did not fit. */
  get full(): boolean {
    return this.#next !== undefined;
  }

  add(part: Part): void {
    if (part.kind === 'head') this.#addHead(part.head);
    if (this.#seeking) return;
    if (part.kind === 'hunk') this.#addHunk(part.line);
    if (!this.full) this.#put(part.bytes);
  }

  /** Ends the input. */
  end(): void {
    this.#flush();
  }

  page(): PatchPage | undefined {
    if (this.#seeking) return undefined;
    const { text, lossy } = this.#layout;
    return { text, lossy, cut: this.#cut, files: this.#layout.files(this.#context), next: this.#next };
  }

  #addHead(head: Head): void {
    const last = this.#file;
    if (last !== undefined && isSecondHalf(last.head, head)) {
      // the two patches are valid only together, so neither has ids for its hunks
      last.head = typeChange(last.head, head);
      last.hunks = 0;
      this.#unit.hunks.length = 0;
      return;
    }
    this.#flush();
    if (this.full) return;
    const versions = versionsOf(head);
    const name = fileOf(head.path);
    const [wanted, compared, offset] = this.#seeking ? this.#after! : [];
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
    if (unit.size > this.#layout.room) this.#overflow(unit);
  }

  #flush(): void {
    const unit = this.#unit;
    if (unit.size > 0) {
      const read = readLines(Buffer.concat(unit.bytes));
      if (this.#layout.fits(read, this.#file!, unit)) this.#layout.take(read, this.#file!, unit);
      else this.#overflow(unit);
    }
    this.#unit = emptyUnit();
  }

  /** Puts the unit on the next page, unless that has no more room than this one. */
  #overflow(unit: Unit): void {
    const file = this.#file!;
    if (!this.#layout.empty) {
      this.#next = [file.name, file.versions, unit.start];
      return;
    }
    const clip = clipLines(Buffer.concat(unit.bytes), this.#layout.textRoom(file, unit));
    this.#cut = clip.bytes < unit.size;
    // a hunk is reported on the page where it ends: before, half of it is missing
    this.#layout.take(clip, file, this.#cut ? { hunks: [], first: false } : unit);
    if (this.#cut) this.#next = [file.name, file.versions, unit.start + clip.bytes];
  }
}

function emptyUnit(): Unit {
  return { bytes: [], size: 0, start: 0, hunks: [], begun: false, first: false };
}

function versionsOf({ oldOids, newOid = '' }: Head): string {
  return [...oldOids, newOid].map((oid) => oid.slice(0, 12)).join('.');
}
