import { existsSync, statSync } from 'node:fs';
import { LruMap } from '@rootbound/kit/primitives';
import { codeOf, LaneError } from '../shared/error.ts';
import type { Mode, Opening } from '../shared/frames.ts';
import { quoteName } from '../shared/sql/names.ts';
import { type Database, loadDriver, type Statement } from './driver.ts';
import { assertPlainSideFiles, assertSafeToWrite, isSafeToWrite } from './journal.ts';

/** Most prepared statements kept per connection. */
const MOST_PREPARED = 500;
/** Size of SQLite's page cache, KiB. */
const CACHE_KIB = 16_384;

/** An open database and its prepared statements. */
export class Connection {
  readonly db: Database;
  readonly mode: Mode;
  readonly path: string;
  /** whether the -wal and -shm files beside the database exist because of this connection */
  readonly ownsSideFiles: boolean;
  readonly #prepared = new LruMap<string, Statement>(MOST_PREPARED);

  constructor(db: Database, { path, mode }: Pick<Opening, 'path' | 'mode'>, ownsSideFiles: boolean) {
    this.db = db;
    this.mode = mode;
    this.path = path;
    this.ownsSideFiles = ownsSideFiles;
  }

  /** Returns the prepared statement of a text, cached; only for texts that have passed the checks. */
  prepare(sql: string): Statement {
    let statement = this.#prepared.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }

  /** Returns the same database with an empty statement cache, for work such as ATTACH that is undone afterwards. */
  uncached(): Connection {
    return new Connection(this.db, { path: this.path, mode: this.mode }, false);
  }

  /**
   * Closes the database and removes side files. If the server is gone, a writing lane waits for the other lanes first.
   */
  close(hasServer = true): void {
    this.#prepared.clear();
    this.db.close();
    if (this.mode === 'write' && !hasServer) removeSideFilesAfterOthers(this.path);
    else if (this.mode === 'read' && this.ownsSideFiles) removeSideFiles(this.path);
  }
}

/** Opens the database for its lane. No SQL of a caller has been prepared on it. */
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
    // the first read of a connection that may write rolls back the journal of a killed writer
    const size = pragmaNumber({ db }, 'page_size');
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    if (readonly) db.pragma('query_only = ON');
    else db.pragma(`max_page_count = ${Math.floor(mostBytes / size)}`);
    return new Connection(db, opening, comesFirst);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Throws unless SQLite opened the file that the boundary verified; SQLite opens by path. */
function assertSame({ path, dev, ino }: Opening, db: Database): void {
  const { file } = (db.pragma('database_list') as { file: string }[])[0]!; // main is always there
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
 * Removes -wal and -shm files. Reading a database in WAL mode creates both, and only a connection that may write
 * removes them: SQLite does so when the last one closes, and keeps them while others use the database.
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

/**
 * Waits while other processes close the database, then removes the side files that they could not remove; a program may
 * keep the database open.
 */
function removeSideFilesAfterOthers(path: string): void {
  for (let pauseMs = FIRST_PAUSE_MS; pauseMs <= LONGEST_PAUSE_MS && hasSideFiles(path); pauseMs *= 2) {
    Atomics.wait(never, 0, 0, pauseMs);
    try {
      removeSideFiles(path);
    } catch {
      // locked by a closing process, or removed: the loop checks again
    }
  }
}

/** First pause, ms; all pauses add up to five seconds. */
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 2_560;
const never = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

/** Returns the rows of one of the server's own statements as objects. */
export function selectRows<Row>({ db }: Pick<Connection, 'db'>, sql: string, ...values: unknown[]): Row[] {
  // not from the connection's cache, whose statements have the callers' settings
  return db
    .prepare(sql)
    .safeIntegers(false)
    .all(...values) as Row[]; // the columns that the statement selects
}

/** Returns the rows, or undefined if SQLite refuses the statement on this schema. */
export function trySelectRows<Row>(connection: Connection, sql: string, ...values: unknown[]) {
  try {
    return selectRows<Row>(connection, sql, ...values);
  } catch (error) {
    // an unknown module, a function that a schema may not call, a view of a missing table
    if (codeOf(error) === 'SQLITE_ERROR') return undefined;
    throw error;
  }
}

/** Returns the first column of the first row of one of the server's own statements; undefined without rows. */
export function selectValue<Value>(
  { db }: Pick<Connection, 'db'>,
  sql: string,
  ...values: unknown[]
): Value | undefined {
  return db
    .prepare(sql)
    .pluck()
    .get(...values) as Value | undefined; // the column that the statement selects
}

/** Returns the number of rows of a table. */
export function rowCount(connection: Pick<Connection, 'db'>, table: string): number {
  return selectValue<number>(connection, `SELECT count(*) FROM main.${quoteName(table)}`)!; // count(*) has one row
}

/** Returns the value of a pragma that is a number. */
export function pragmaNumber({ db }: Pick<Connection, 'db'>, pragma: string): number {
  return Number(db.pragma(pragma, { simple: true }));
}

/** Returns the number of rows that the last statement changed itself. */
export function lastChanges(connection: Connection): number {
  return connection.prepare('SELECT changes()').pluck().get() as number; // changes() has one row
}
