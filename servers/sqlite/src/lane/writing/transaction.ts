import { LaneError } from '../../shared/error.ts';
import type { Connection } from '../connection.ts';
import { sqliteCode } from '../failure.ts';

/** Takes the only lock that a writer needs; from here on nobody else changes rows or schema. */
export function begin({ db }: Connection): void {
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    throw isBusy(error)
      ? busy('another program is writing to the database', db.pragma('busy_timeout'))
      : error;
  }
}

export function commit({ db }: Connection): void {
  try {
    db.exec('COMMIT');
  } catch (error) {
    throw isBusy(error)
      ? busy('another program went on reading the database', db.pragma('busy_timeout'))
      : error;
  }
}

/** Puts everything back; some failures have done that already. */
export function rollback({ db }: Connection): void {
  if (db.inTransaction) db.exec('ROLLBACK');
}

function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') === true;
}

function busy(what: string, waited: unknown): LaneError {
  const [{ timeout }] = waited as [{ timeout: number }];
  return new LaneError(`${what}; its lock did not come free in ${timeout} ms`, {
    code: 'busy',
    retryable: true,
    hint: 'nothing was changed: try again in a moment, or end what holds the lock',
  });
}
