import { closeSync, fstatSync } from 'node:fs';
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
    const fd = this.#access.file(directory, name);
    try {
      return this.#ranking === undefined
        ? this.#keep(this.#scan(fd, path, directory))
        : this.#rank(this.#ranking, fd, path, directory);
    } finally {
      closeSync(fd);
    }
  }

  take(): Chunk | undefined {
    if (this.#ranking !== undefined) return rankedChunk(this.#ranking);
    if (this.#files.length === 0) return undefined;
    const chunk = { files: this.#files, size: this.#size };
    this.#files = [];
    this.#size = 0;
    return chunk;
  }

  #keep(found: FoundContent | undefined): number {
    if (found === undefined) return 0;
    this.#files.push(found);
    this.#size += sizeOf(found);
    return sizeOf(found);
  }

  #rank(ranking: Ranking, fd: number, path: string, directory: Directory): number {
    const key = fstatSync(fd).mtimeMs;
    // a file that would not be shown need not be read
    if (!ranking.wants(key) || !isBehind(key, path, this.#job.after)) return 0;
    const file = this.#scan(fd, path, directory);
    if (file === undefined) return 0;
    ranking.add({ key, path, size: sizeOf(file), file });
    return sizeOf(file);
  }

  #scan(fd: number, path: string, { wholeReads }: Directory): FoundContent | undefined {
    const { after, limit } = this.#job;
    const seenLine = after?.line !== undefined && after.path === path ? after.line : 0;
    const found = this.#scanner.scan(fd, { seenLine, room: limit + 1, wholeReads });
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
