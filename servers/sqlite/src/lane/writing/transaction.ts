import { LaneError } from '../../shared/error.ts';
import { type Connection, pragmaNumber } from '../connection.ts';
import { sqliteCode } from '../failure.ts';

/** Begins a transaction with the write lock, so that no other program changes rows or schema. */
export function begin({ db }: Connection): void {
  try {
    db.exec('BEGIN IMMEDIATE');
  } catch (error) {
    throw isBusy(error)
      ? busy('another program is writing to the database', pragmaNumber({ db }, 'busy_timeout'))
      : error;
  }
}

export function commit({ db }: Connection): void {
  try {
    db.exec('COMMIT');
  } catch (error) {
    throw isBusy(error)
      ? busy('another program kept reading the database', pragmaNumber({ db }, 'busy_timeout'))
      : error;
  }
}

/** Rolls back, unless a failure has done so already. */
export function rollback({ db }: Connection): void {
  if (db.inTransaction) db.exec('ROLLBACK');
}

function isBusy(error: unknown): boolean {
  return sqliteCode(error)?.startsWith('SQLITE_BUSY') === true;
}

function busy(what: string, timeout: number): LaneError {
  return new LaneError(`${what}; the lock was not released within ${timeout} ms`, {
    code: 'busy',
    retryable: true,
    hint: 'nothing was changed: try again, or end the program that holds the lock',
  });
}
