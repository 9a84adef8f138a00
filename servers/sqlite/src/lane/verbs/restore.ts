import { lstatSync } from 'node:fs';
import { LaneError } from '../../shared/error.ts';
import { integrityProblem, openCopy } from '../copies/check.ts';
import { copyInto } from '../copies/copy-into.ts';
import { makeUndoCopy, type UndoCopy } from '../copies/undo-copy.ts';
import type { Database } from '../driver.ts';
import type { LaneCall, Verb } from '../verb.ts';
import { begin, rollback } from '../writing/transaction.ts';

export interface RestoreArgs {
  /** a file of the server's own with the content; it is changed */
  readonly from: string;
  /** where the copy of the present content goes */
  readonly undo: string;
  /** which file the database has to be */
  readonly dev: string;
  readonly ino: string;
}

export interface RestoreFacts {
  readonly pages: number;
  readonly bytes: number;
  readonly undoCopy: UndoCopy;
  /** the tables that there were and that there are now */
  readonly tables: readonly string[];
}

/** Puts the content of a copy in the place of the database's own, through SQLite; its journal mode stays. */
export const restore: Verb<RestoreArgs, RestoreFacts> = async (call, { from, undo, dev, ino }) => {
  const { connection, progress } = call;
  const { db, path } = connection;
  const assertSame = (): void => {
    const now = lstatSync(path);
    if (String(now.dev) === dev && String(now.ino) === ino) return;
    throw new LaneError('the database was replaced meanwhile', { code: 'changed', retryable: true });
  };
  assertSound(from);
  const copy = openCopy(from);
  try {
    fit(copy, db);
    const pages = numberOf(copy, 'page_count');
    const undoCopy = await takeUndo(call, undo);
    const before = tablesOf(db);
    await copyInto(copy, {
      path,
      pages,
      busyMs: numberOf(db, 'busy_timeout'),
      assertSame,
      progress: (done, total) => progress(total + done, 2 * total, 'restoring'),
    });
    const tables = new Set([...before, ...tablesOf(db)]);
    return { pages, bytes: pages * numberOf(copy, 'page_size'), undoCopy, tables: [...tables] };
  } finally {
    copy.close();
  }
};

function assertSound(path: string): void {
  const problem = integrityProblem(path);
  if (problem === undefined) return;
  throw new LaneError(`what is to be restored does not pass its check: ${problem}; nothing was changed`, {
    code: 'corrupt',
    hint: 'restore another backup',
  });
}

/** Makes the copy one that the database can take. */
function fit(copy: Database, db: Database): void {
  // the mode is in the content, and the database keeps its own
  copy.pragma('journal_mode = DELETE');
  const size = numberOf(copy, 'page_size');
  const wanted = numberOf(db, 'page_size');
  if (size === wanted || db.pragma('journal_mode', { simple: true }) !== 'wal') return;
  throw new LaneError(
    `a database in WAL mode keeps its pages of ${wanted} bytes, and the backup has ${size}`,
    {
      code: 'page-size',
      hint: 'end what uses the database, and put the backup in its place as a file',
    },
  );
}

async function takeUndo(call: LaneCall, path: string): Promise<UndoCopy> {
  // what is copied is what was committed last, and nobody commits meanwhile
  begin(call.connection);
  try {
    return await makeUndoCopy(call, path);
  } finally {
    rollback(call.connection);
  }
}

function tablesOf(db: Database): string[] {
  return db
    .prepare("SELECT name FROM main.sqlite_schema WHERE type IN ('table', 'view')")
    .pluck()
    .all() as string[];
}

function numberOf(db: Database, pragma: string): number {
  return Number(db.pragma(pragma, { simple: true }));
}
