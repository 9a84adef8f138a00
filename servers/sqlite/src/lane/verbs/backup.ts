import { statSync } from 'node:fs';
import { LaneError } from '../../shared/error.ts';
import { integrityProblem } from '../copies/check.ts';
import type { Verb } from '../verb.ts';

export interface BackupArgs {
  /** path of the copy: a file of the server that does not exist yet */
  readonly path: string;
}

export interface BackupFacts {
  readonly pages: number;
  readonly bytes: number;
}

const PAGES_A_TURN = 1_000;

/** Copies one state of the database while other programs may write, and checks the copy. */
export const backup: Verb<BackupArgs, BackupFacts> = async ({ connection: { db }, progress }, { path }) => {
  // without a transaction the backup would restart at each commit of another program
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
  throw new LaneError(`the integrity check of the copy failed: ${problem}`, {
    code: 'corrupt',
    hint: 'the file is damaged: restore an older backup, or export the readable tables with export_data',
  });
};
