import { statSync } from 'node:fs';
import { LaneError } from '../../shared/error.ts';
import { integrityProblem } from '../copies/check.ts';
import type { Verb } from '../verb.ts';

export interface BackupArgs {
  /** where the copy goes: a file of the server's own that is not there yet */
  readonly path: string;
}

export interface BackupFacts {
  readonly pages: number;
  readonly bytes: number;
}

const PAGES_A_TURN = 1_000;

/** Copies the database as it is at one moment, while others may write, and checks the copy. */
export const backup: Verb<BackupArgs, BackupFacts> = async ({ connection: { db }, progress }, { path }) => {
  // without a transaction the copy would begin anew whenever somebody commits
  db.exec('BEGIN');
  let pages: number;
  try {
    db.prepare('SELECT count(*) FROM sqlite_schema').get();
    const { totalPages } = await db.backup(path, {
      progress(copied) {
        progress(copied.totalPages - copied.remainingPages, copied.totalPages, 'copying');
        return PAGES_A_TURN;
      },
    });
    pages = totalPages;
  } finally {
    db.exec('ROLLBACK');
  }
  const problem = integrityProblem(path);
  if (problem === undefined) return { pages, bytes: statSync(path).size };
  throw new LaneError(`the database does not pass its check: ${problem}`, {
    code: 'corrupt',
    hint: 'the file is damaged: restore an older backup, or export what can still be read',
  });
};
