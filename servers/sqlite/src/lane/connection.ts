import { existsSync, statSync } from 'node:fs';
import { LaneError } from '../shared/error.ts';
import type { Mode, Opening } from '../shared/frames.ts';
import { type Database, loadDriver, type Statement } from './driver.ts';
import { assertPlainSideFiles, assertSafeToWrite, isSafeToWrite } from './journal.ts';

/** Prepared statements that are kept, those used last. */
const MOST_PREPARED = 500;
/** What SQLite keeps of pages in memory, KiB. */
const CACHE_KIB = 16_384;

/** An open database with what is worth keeping between calls. */
export class Connection {
  readonly db: Database;
  readonly mode: Mode;
  readonly path: string;
  /** whether the files that SQLite keeps beside the database are there because of this connection */
  readonly ownsSideFiles: boolean;
  readonly #prepared = new Map<string, Statement>();

  constructor(db: Database, { path, mode }: Pick<Opening, 'path' | 'mode'>, ownsSideFiles: boolean) {
    this.db = db;
    this.mode = mode;
    this.path = path;
    this.ownsSideFiles = ownsSideFiles;
  }

  /** The statement of a text, from the last time where there was one; only for texts that have passed the checks. */
  prepare(sql: string): Statement {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) statement = this.db.prepare(sql);
    else this.#prepared.delete(sql);
    this.#prepared.set(sql, statement);
    if (this.#prepared.size > MOST_PREPARED) {
      const [oldest] = this.#prepared.keys();
      this.#prepared.delete(oldest!);
    }
    return statement;
  }

  /** The same database with nothing that is known of statements, for work after which it is as it was. */
  uncached(): Connection {
    return new Connection(this.db, { path: this.path, mode: this.mode }, false);
  }

  /** Closes it; where the server has gone, one that may write is the last of that server's to do so. */
  close(hasServer = true): void {
    this.#prepared.clear();
    this.db.close();
    if (this.mode === 'write' && !hasServer) removeSideFilesAfterOthers(this.path);
    else if (this.mode === 'read' && this.ownsSideFiles) removeSideFiles(this.path);
  }
}

/** The database as its lane uses it; nothing that a caller sends has been prepared on it. */
export function openConnection(opening: Opening): Connection {
  const { path, mode, busyMs, mostBytes, readOnly, ownsSideFiles } = opening;
  const readonly = mode === 'read';
  const comesFirst = ownsSideFiles || (!readOnly && !hasSideFiles(path));
  if (readonly) assertPlainSideFiles(path);
  else assertSafeToWrite(path);
  const db = new (loadDriver())(path, { readonly, fileMustExist: true, timeout: busyMs });
  try {
    assertSame(opening, db);
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    db.pragma('mmap_size = 0');
    db.pragma('temp_store = FILE');
    db.pragma(`cache_size = -${CACHE_KIB}`);
    // what a writer that was killed has left behind is rolled back by the first read of one that may write
    const size = db.pragma('page_size', { simple: true }) as number;
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    if (readonly) db.pragma('query_only = ON');
    else db.pragma(`max_page_count = ${Math.floor(mostBytes / size)}`);
    return new Connection(db, opening, comesFirst);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** SQLite opens by path: what it has opened must be what the boundary has seen. */
function assertSame({ path, dev, ino }: Opening, db: Database): void {
  const { file } = (db.pragma('database_list') as { file: string }[])[0]!;
  const now = statSync(path);
  if (file === path && String(now.dev) === dev && String(now.ino) === ino) return;
  throw new LaneError('the database was replaced while it was being opened', {
    code: 'changed',
    retryable: true,
  });
}

function hasSideFiles(path: string): boolean {
  return existsSync(`${path}-wal`) || existsSync(`${path}-shm`);
}

/**
 * Reading a database in WAL mode makes two files beside it, and only a connection that may write takes them away: SQLite
 * does so itself when the last one closes, and leaves them where others are at work.
 * Source: https://sqlite.org/wal.html#read_only_databases
 */
function removeSideFiles(path: string): void {
  if (!hasSideFiles(path) || !isSafeToWrite(path)) return;
  const db = new (loadDriver())(path, { fileMustExist: true, timeout: 0 });
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
  } finally {
    db.close();
  }
}

/** Waits for others that close the database now, and takes away what they could not; some program may keep it open. */
function removeSideFilesAfterOthers(path: string): void {
  for (let pauseMs = FIRST_PAUSE_MS; pauseMs <= LONGEST_PAUSE_MS && hasSideFiles(path); pauseMs *= 2) {
    Atomics.wait(never, 0, 0, pauseMs);
    try {
      removeSideFiles(path);
    } catch {
      // locked by one that closes, or removed: the next look tells
    }
  }
}

/** All pauses together are five seconds. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 2_560;
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
