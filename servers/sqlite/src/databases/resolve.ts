import { readSync, type Stats } from 'node:fs';
import { openFile, type Scope, statEntry } from '@rootbound/kit/boundary';
import { LruMap } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import type { Database } from './database.ts';

const MAGIC = Buffer.from('SQLite format 3\0', 'latin1');

/** A database and the file status when it was last opened. */
interface Resolved {
  readonly database: Database;
  readonly stat: Stats;
}

const MOST_SEEN = 64;
const seenIn = new WeakMap<Scope, LruMap<string, Resolved>>();

/** Returns the database at a caller's path. An empty file is an empty database. */
export function resolveDatabase(scope: Scope, path: string): Database {
  const seen = seenIn.get(scope)?.get(path);
  if (seen !== undefined && isUnchanged(scope, path, seen)) return seen.database;
  return openDatabase(scope, path);
}

/** Returns whether the path leads to the same file with the same size and modification time. */
function isUnchanged(scope: Scope, path: string, { database, stat }: Resolved): boolean {
  const now = statEntry(scope, path);
  const { dev, ino, size, mtimeMs } = now.stat;
  return (
    ino === stat.ino &&
    dev === stat.dev &&
    size === stat.size &&
    mtimeMs === stat.mtimeMs &&
    now.path === database.real &&
    now.root.readOnly === database.readOnly
  );
}

function openDatabase(scope: Scope, path: string): Database {
  const file = openFile(scope, path);
  try {
    const { stat, root } = file;
    if (stat.size > 0 && !beginsAsDatabase(file.fd)) throw notADatabase(path);
    const database = {
      displayPath: path,
      real: file.path,
      dev: String(stat.dev),
      ino: String(stat.ino),
      readOnly: root.readOnly,
      size: stat.size,
    };
    keep(scope, path, { database, stat });
    return database;
  } finally {
    file.close();
  }
}

function keep(scope: Scope, path: string, seen: Resolved): void {
  const all = seenIn.get(scope) ?? new LruMap<string, Resolved>(MOST_SEEN);
  seenIn.set(scope, all);
  all.set(path, seen);
}

/**
 * Returns whether an open file begins with the header of an SQLite database. Source:
 * https://sqlite.org/fileformat2.html#magic_header_string
 */
export function beginsAsDatabase(fd: number): boolean {
  const head = Buffer.alloc(MAGIC.length);
  return readSync(fd, head, 0, head.length, 0) === head.length && head.equals(MAGIC);
}

function notADatabase(path: string): ToolError {
  return new ToolError(`not an SQLite database: ${path}`, {
    code: 'not-a-database',
    hint: 'list_databases lists the databases',
  });
}
