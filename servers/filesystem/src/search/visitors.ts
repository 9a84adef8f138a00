import { closeSync } from 'node:fs';
import type { DirectoryAccess } from './directory.ts';
import { DIRECTORY, FILE, OTHER, SYMLINK } from './entries.ts';
import type { Frame, Frames } from './frames.ts';
import type { Chunk, FoundContent } from './messages.ts';
import type { Job } from './query.ts';
import type { Scanner } from './scan.ts';
import type { Visitor } from './walk.ts';

const LETTERS = new Map([
  [FILE, 'f'],
  [DIRECTORY, 'd'],
  [SYMLINK, 'l'],
  [OTHER, 'o'],
]);
const KIND_MASK = FILE | DIRECTORY | SYMLINK | OTHER;

/** Keeps each selected name. */
export class NameVisitor implements Visitor {
  #names: string[] = [];

  visit(_frames: Frames, frame: Frame, name: string, kind: number): number {
    this.#names.push(LETTERS.get(kind & KIND_MASK)! + frame.prefix + name);
    return 1;
  }

  take(): Chunk | undefined {
    if (this.#names.length === 0) return undefined;
    // one string crosses threads at the cost of a copy; NUL is in no name
    const chunk = { names: this.#names.join('\0'), size: this.#names.length };
    this.#names = [];
    return chunk;
  }
}

/** Searches each selected file. */
export class ContentVisitor implements Visitor {
  readonly #job: Job;
  readonly #access: DirectoryAccess;
  readonly #scanner: Scanner;
  #files: FoundContent[] = [];
  #size = 0;

  constructor(job: Job, access: DirectoryAccess, scanner: Scanner) {
    this.#job = job;
    this.#access = access;
    this.#scanner = scanner;
  }

  visit(frames: Frames, frame: Frame, name: string): number {
    const directory = frames.directory(frame);
    const fd = this.#access.file(directory, name);
    try {
      const found = this.#scanner.scan(fd, {
        seenLine: this.#seenLine(frame.prefix, name),
        room: this.#job.limit + 1,
        wholeReads: directory.wholeReads,
      });
      if (found === undefined) return 0;
      const results = found.lines.length === 0 ? 1 : found.lines.length;
      this.#files.push({ path: frame.prefix + name, count: found.count, lines: found.lines });
      this.#size += results;
      return results;
    } finally {
      closeSync(fd);
    }
  }

  take(): Chunk | undefined {
    if (this.#files.length === 0) return undefined;
    const chunk = { files: this.#files, size: this.#size };
    this.#files = [];
    this.#size = 0;
    return chunk;
  }

  #seenLine(prefix: string, name: string): number {
    const after = this.#job.after;
    return after?.line !== undefined && after.path === prefix + name ? after.line : 0;
  }
}
