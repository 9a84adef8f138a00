import { join } from 'node:path';
import {
  type Entry,
  openDirectory,
  readEntries,
  readSmall,
  type Scope,
  statEntry,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { GitFiles } from '../../porcelain/operation.ts';
import type { PathKind } from './watched.ts';

/** Bytes; enough for the packed refs of a very large repository. */
const MOST_BYTES = 32 << 20;

/** Reads files inside the boundary and records their paths, which then are watched. */
export class Trace {
  readonly #scope: Scope;
  readonly paths = new Map<string, PathKind>();
  /** whether something cannot be read as a file, so that git must be asked */
  unusual = false;

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  /** Records a path that another part reads. */
  add(path: string, kind: PathKind = 'file'): void {
    if (kind === 'directory' || !this.paths.has(path)) this.paths.set(path, kind);
  }

  read(path: string, watched = true): Buffer | undefined {
    if (watched) this.add(path);
    return orMissing(() => {
      const small = readSmall(this.#scope, path, MOST_BYTES);
      if (small === undefined) this.unusual = true;
      return small?.bytes;
    });
  }

  has(path: string): boolean {
    this.add(path);
    return orMissing(() => statEntry(this.#scope, path)) !== undefined;
  }

  /** Returns the entries of a folder, links as themselves; none where there is no folder. */
  entries(path: string): readonly Entry[] {
    this.add(path, 'directory');
    return entriesIn(this.#scope, path);
  }
}

export function entriesIn(scope: Scope, path: string): readonly Entry[] {
  return (
    orMissing(() => {
      const folder = openDirectory(scope, path);
      try {
        return [...readEntries(folder, path)];
      } finally {
        folder.close();
      }
    }) ?? []
  );
}

/** Returns the files of one folder by their names in it, for the readers of a git dir. */
export function filesIn(trace: Trace, folder: string): GitFiles {
  return {
    read: (name) => trace.read(join(folder, name)),
    has: (name) => trace.has(join(folder, name)),
  };
}

/** Returns whether the error means that nothing can be read: missing, a folder, or not readable. */
export function orMissing<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
