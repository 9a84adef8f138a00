import { closeSync, fstatSync } from 'node:fs';
import { assertOneName } from '@rootbound/kit/boundary';
import type { Directory, DirectoryAccess } from './directory.ts';
import type { Frame, Frames } from './frames.ts';
import type { Chunk, FoundContent } from './messages.ts';
import type { Job } from './query.ts';
import { isBehind, Ranking } from './ranking.ts';
import type { Scanner } from './scan.ts';
import type { Visitor } from './walk.ts';

/** Searches each selected file. */
export class ContentVisitor implements Visitor {
  readonly #job: Job;
  readonly #access: DirectoryAccess;
  readonly #scanner: Scanner;
  readonly #ranking: Ranking | undefined;
  #files: FoundContent[] = [];
  #size = 0;

  constructor(job: Job, access: DirectoryAccess, scanner: Scanner) {
    this.#job = job;
    this.#access = access;
    this.#scanner = scanner;
    this.#ranking = job.sort === 'path' ? undefined : new Ranking(job.limit);
  }

  visit(frames: Frames, frame: Frame, name: string): number {
    const directory = frames.directory(frame);
    const path = frame.prefix + name;
    return this.#ranking === undefined
      ? this.#search(directory, name, path)
      : this.#rank(this.#ranking, directory, name, path);
  }

  take(): Chunk | undefined {
    if (this.#ranking !== undefined) return rankedChunk(this.#ranking);
    if (this.#files.length === 0) return undefined;
    const chunk = { files: this.#files, size: this.#size };
    this.#files = [];
    this.#size = 0;
    return chunk;
  }

  #search(directory: Directory, name: string, path: string): number {
    const likely = this.#access.likelyFile(directory, name);
    try {
      this.#open(likely, directory, path);
      if (this.#scanner.misses()) return 0;
      if (this.#access.isEntry(directory, name, likely)) return this.#keep(this.#scan(path));
    } catch (error) {
      // an error of a file other than the listed one is not reported
      if (this.#access.isEntry(directory, name, likely)) throw error;
    } finally {
      closeSync(likely);
    }
    return this.#searchEntry(directory, name, path);
  }

  #open(fd: number, directory: Directory, path: string): void {
    const hardLinks = this.#job.content?.hardLinks;
    // only this policy needs an fstat
    if (hardLinks === 'refuse') assertOneName(fstatSync(fd), path, hardLinks);
    this.#scanner.open(fd, directory.wholeReads);
  }

  #searchEntry(directory: Directory, name: string, path: string): number {
    const fd = this.#access.file(directory, name);
    try {
      this.#open(fd, directory, path);
      return this.#keep(this.#scan(path));
    } finally {
      closeSync(fd);
    }
  }

  #keep(found: FoundContent | undefined): number {
    if (found === undefined) return 0;
    this.#files.push(found);
    this.#size += sizeOf(found);
    return sizeOf(found);
  }

  #rank(ranking: Ranking, directory: Directory, name: string, path: string): number {
    const fd = this.#access.file(directory, name);
    try {
      const key = fstatSync(fd).mtimeMs;
      // a file that cannot be in the result is not read
      if (!ranking.wants(key) || !isBehind(key, path, this.#job.after)) return 0;
      this.#open(fd, directory, path);
      const file = this.#scan(path);
      if (file === undefined) return 0;
      ranking.add({ key, path, size: sizeOf(file), file });
      return sizeOf(file);
    } finally {
      closeSync(fd);
    }
  }

  #scan(path: string): FoundContent | undefined {
    const { after, limit } = this.#job;
    const seenLine = after?.line !== undefined && after.path === path ? after.line : 0;
    const found = this.#scanner.scan({ seenLine, room: limit + 1 });
    return found && { path, count: found.count, lines: found.lines };
  }
}

function sizeOf({ lines }: FoundContent): number {
  return lines.length === 0 ? 1 : lines.length;
}

function rankedChunk(ranking: Ranking): Chunk | undefined {
  const ranked = ranking.take();
  return ranked.length === 0 ? undefined : { ranked, size: ranked.length };
}
