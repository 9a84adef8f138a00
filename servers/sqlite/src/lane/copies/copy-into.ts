import { setTimeout as wait } from 'node:timers/promises';
import { LaneError } from '../../shared/error.ts';
import type { Database } from '../driver.ts';

const PAGES_A_TURN = 1_000;
const BETWEEN_TRIES_MS = 25;

export interface CopyTarget {
  /** path of the database to overwrite */
  readonly path: string;
  readonly pages: number;
  /** how long to wait for locks of other programs, ms */
  readonly busyMs: number;
  /** throws if the path no longer leads to the database */
  readonly assertSame: () => void;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Replaces the content of a database by that of `copy` in one transaction: programs that have it open see the new
 * content with their next statement, and if the process ends meanwhile the old content stays.
 */
export async function copyInto(
  copy: Database,
  { path, pages, busyMs, assertSame, progress }: CopyTarget,
): Promise<void> {
  const end = performance.now() + busyMs;
  for (;;) {
    assertSame();
    const { totalPages } = await copy.backup(path, {
      progress({ totalPages: total, remainingPages }) {
        // SQLite has opened and locked the file by now
        if (remainingPages === total) assertSame();
        progress(total - remainingPages, total);
        return PAGES_A_TURN;
      },
    });
    // the driver reports a lock that it did not get as the end of the backup
    if (totalPages === pages) return;
    if (performance.now() >= end) {
      throw new LaneError('another program is using the database', {
        code: 'busy',
        retryable: true,
        hint: 'nothing was changed: try again, or end the program that holds the lock',
      });
    }
    await wait(BETWEEN_TRIES_MS);
  }
}
