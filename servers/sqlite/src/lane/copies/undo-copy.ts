import { rmSync, statSync } from 'node:fs';
import { LaneError } from '../../shared/error.ts';
import { pragmaNumber } from '../connection.ts';
import { type Database, loadDriver } from '../driver.ts';
import { assertPlainSideFiles } from '../journal.ts';
import type { LaneCall } from '../verb.ts';
import { integrityProblem } from './check.ts';

/** Size of the largest database that is copied before a change, bytes. */
const MOST_COPIED = 256 * 2 ** 20;
const PAGES_A_TURN = 1_000;

/** The size of an undo copy, or why there is none. */
export type UndoCopy = { readonly bytes: number } | { readonly none: string };

/**
 * Copies the last committed state of the database to a new file and checks the copy; the caller holds the write lock.
 */
export async function makeUndoCopy({ connection, progress }: LaneCall, path: string): Promise<UndoCopy> {
  const bytes = pragmaNumber(connection, 'page_count') * pragmaNumber(connection, 'page_size');
  if (bytes > MOST_COPIED) return { none: 'the database is larger than 256 MB' };
  // a connection in a write transaction cannot be the source of a backup
  const source = openSource(connection.path);
  try {
    await source.backup(path, {
      progress({ totalPages, remainingPages }) {
        progress(totalPages - remainingPages, totalPages, 'copying for undo');
        return PAGES_A_TURN;
      },
    });
  } finally {
    source.close();
  }
  const wrong = integrityProblem(path);
  if (wrong === undefined) return { bytes: statSync(path).size };
  rmSync(path);
  return { none: `the integrity check of the copy failed: ${wrong}` };
}

function openSource(path: string): Database {
  assertPlainSideFiles(path);
  const source = new (loadDriver())(path, { readonly: true, fileMustExist: true });
  const { file } = (source.pragma('database_list') as { file: string }[])[0]!; // main is always there
  if (file === path) return source;
  source.close();
  throw new LaneError('the database was replaced while it was being copied', {
    code: 'changed',
    retryable: true,
  });
}
