import type { Stats } from 'node:fs';
import type { DirectoryAccess } from './directory.ts';
import type { Frame, Frames } from './frames.ts';
import type { Chunk } from './messages.ts';
import type { Job } from './query.ts';
import { isBehind, Ranking } from './ranking.ts';
import { letterOf } from './visitors.ts';
import type { Visitor } from './walk.ts';

/** Keeps the first names by time or size. */
export class RankedNameVisitor implements Visitor {
  readonly #job: Job;
  readonly #access: DirectoryAccess;
  readonly #ranking: Ranking;

  constructor(job: Job, access: DirectoryAccess) {
    this.#job = job;
    this.#access = access;
    this.#ranking = new Ranking(job.limit);
  }

  visit(frames: Frames, frame: Frame, name: string, kind: number): number {
    const stats = this.#access.look(frames.directory(frame), name);
    const path = frame.prefix + name;
    const bytes = sizeOf(stats);
    const modified = stats.mtimeMs;
    const key = this.#job.sort === 'size' ? bytes : modified;
    if (!this.#ranking.wants(key) || !isBehind(key, path, this.#job.after)) return 0;
    this.#ranking.add({ key, path, size: 1, name: { letter: letterOf(kind), bytes, modified } });
    return 1;
  }

  take(): Chunk | undefined {
    const ranked = this.#ranking.take();
    return ranked.length === 0 ? undefined : { ranked, size: ranked.length };
  }
}

// the size of a link is the length of its target path, and that of a directory depends on the file system
function sizeOf(stats: Stats): number {
  return stats.isFile() ? stats.size : -1;
}
