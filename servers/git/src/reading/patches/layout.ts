import { jsonBytes } from '@rootbound/kit/budget';
import { changeIdOf, type HunkPlace } from '../../porcelain/hunks.ts';
import type { Head } from '../../porcelain/patch-head.ts';
import type { PatchText } from './patch-lines.ts';

/** A file with a part on the page. */
export interface PageFile {
  readonly head: Head;
  /** as `parsePatch` gives it, on the first page and where nothing is cut */
  readonly changeId: string | undefined;
  /** the hunks that end on the page */
  readonly hunks: readonly HunkPlace[];
}

/** The size of a page. */
export interface LayoutOptions {
  /** bytes of the text inside a JSON string at most, and those that the next two members add */
  readonly budget: number;
  /** bytes for each file and hunk, where `files` are reported, too; default 0 */
  readonly perFile?: number;
  readonly perHunk?: number;
}

/** A file as far as it was read. */
export interface Reading {
  head: Head;
  /** hunks that began so far */
  hunks: number;
}

/** The facts of one piece of a file's patch. */
export interface Piece {
  readonly hunks: readonly HunkPlace[];
  /** whether the piece has the head of the file */
  readonly first: boolean;
}

/** The facts of a file on a page. */
interface FileFacts {
  readonly file: Reading;
  readonly hunks: HunkPlace[];
  changed: boolean;
}

/** Bytes; a smaller page is not returned. */
const LEAST = 64;

/** A page that is being filled: its text, the facts of its files, and the remaining room. */
export class PageLayout {
  readonly #perFile: number;
  readonly #perHunk: number;
  readonly #texts: string[] = [];
  readonly #files: FileFacts[] = [];
  #room: number;
  #lossy = false;

  constructor({ budget, perFile = 0, perHunk = 0 }: LayoutOptions) {
    this.#room = Math.max(LEAST, budget);
    this.#perFile = perFile;
    this.#perHunk = perHunk;
  }

  get room(): number {
    return this.#room;
  }

  get empty(): boolean {
    return this.#texts.length === 0;
  }

  get text(): string {
    return this.#texts.join('');
  }

  get lossy(): boolean {
    return this.#lossy;
  }

  /** Returns the room for the text of a piece whose facts are reported. */
  textRoom(file: Reading, { hunks }: Piece): number {
    return Math.max(LEAST, this.#room - this.#factBytes(file, hunks));
  }

  fits(read: PatchText, file: Reading, { hunks }: Piece): boolean {
    return this.#bytesOf(read, file, hunks) <= this.#room;
  }

  take(read: PatchText, file: Reading, { hunks, first }: Piece): void {
    this.#room -= this.#bytesOf(read, file, hunks);
    this.#texts.push(read.text);
    this.#lossy ||= read.lossy;
    if (this.#files.at(-1)?.file !== file) this.#files.push({ file, hunks: [], changed: false });
    const last = this.#files.at(-1)!;
    last.hunks.push(...hunks);
    last.changed ||= first;
  }

  /** Returns the facts of the files, read with this number of context lines. */
  files(context: number): PageFile[] {
    return this.#files.map(({ file, hunks, changed }) => {
      const changeId = changed ? changeIdOf(file.head, file.hunks, context) : undefined;
      return { head: file.head, changeId, hunks };
    });
  }

  #bytesOf({ text }: PatchText, file: Reading, hunks: Piece['hunks']): number {
    return jsonBytes(text) - 2 + this.#factBytes(file, hunks);
  }

  #factBytes(file: Reading, hunks: Piece['hunks']): number {
    return (this.#files.at(-1)?.file === file ? 0 : this.#perFile) + hunks.length * this.#perHunk;
  }
}
