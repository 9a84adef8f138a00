import { lstatSync } from 'node:fs';
import { LaneError } from '../../shared/error.ts';
import { pragmaNumber, selectRows } from '../connection.ts';
import { integrityProblem, openCopy } from '../copies/check.ts';
import { copyInto } from '../copies/copy-into.ts';
import { makeUndoCopy, type UndoCopy } from '../copies/undo-copy.ts';
import type { Database } from '../driver.ts';
import type { LaneCall, Verb } from '../verb.ts';
import { begin, rollback } from '../writing/transaction.ts';

export interface RestoreArgs {
  /** path of the new content, a file of the server, which is changed */
  readonly from: string;
  /** path for the copy of the present content */
  readonly undo: string;
  /** identity of the database file */
  readonly dev: string;
  readonly ino: string;
}

export interface RestoreFacts {
  readonly pages: number;
  readonly bytes: number;
  readonly undoCopy: UndoCopy;
  /** tables before and after */
  readonly tables: readonly string[];
}

/** Replaces the content of the database by that of a copy, through SQLite; the journal mode stays. */
export const restore: Verb<RestoreArgs, RestoreFacts> = async (call, { from, undo, dev, ino }) => {
  const { connection, progress } = call;
  const { db, path } = connection;
  const assertSame = (): void => {
    const now = lstatSync(path);
    if (String(now.dev) === dev && String(now.ino) === ino) return;
    throw new LaneError('the database was replaced during the call', { code: 'changed', retryable: true });
  };
  assertSound(from);
  const copy = openCopy(from);
  try {
    fit(copy, db);
    const pages = pragmaNumber({ db: copy }, 'page_count');
    const undoCopy = await takeUndo(call, undo);
    const before = tablesOf(db);
    await copyInto(copy, {
      path,
      pages,
      busyMs: pragmaNumber({ db }, 'busy_timeout'),
      assertSame,
      progress: (done, total) => progress(total + done, 2 * total, 'restoring'),
    });
    const tables = new Set([...before, ...tablesOf(db)]);
    return { pages, bytes: pages * pragmaNumber({ db: copy }, 'page_size'), undoCopy, tables: [...tables] };
  } finally {
    copy.close();
  }
};

function assertSound(path: string): void {
  const problem = integrityProblem(path);
  if (problem === undefined) return;
  throw new LaneError(`the integrity check of the backup failed: ${problem}; nothing was changed`, {
    code: 'corrupt',
    hint: 'restore another backup',
  });
}

/** Converts the copy so that the database can take its content. */
function fit(copy: Database, db: Database): void {
  // the journal mode is part of the content; the database keeps its own
  copy.pragma('journal_mode = DELETE');
  const size = pragmaNumber({ db: copy }, 'page_size');
  const wanted = pragmaNumber({ db }, 'page_size');
  if (size === wanted || db.pragma('journal_mode', { simple: true }) !== 'wal') return;
  throw new LaneError(
    `a database in WAL mode keeps its page size of ${wanted} bytes, but the backup has ${size}`,
    {
      code: 'page-size',
      hint: 'ask the user to close all programs that use the database and to replace its file by the backup',
    },
  );
}

async function takeUndo(call: LaneCall, path: string): Promise<UndoCopy> {
  // the copy has the last committed state, and no program commits meanwhile
  begin(call.connection);
  try {
    return await makeUndoCopy(call, path);
  } finally {
    rollback(call.connection);
  }
}

function tablesOf(db: Database): string[] {
  return selectRows<{ name: string }>(
    { db },
    "SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view')",
  ).map(({ name }) => name);
}
