import { setTimeout as wait } from 'node:timers/promises';
import { LaneError } from '../../shared/error.ts';
import type { Database } from '../driver.ts';

const PAGES_A_TURN = 1_000;
const BETWEEN_TRIES_MS = 25;

export interface CopyTarget {
  /** the database that takes the content */
  readonly path: string;
  readonly pages: number;
  /** how long to wait for the locks of others, ms */
  readonly busyMs: number;
  /** throws when the path is no longer that of the database */
  readonly assertSame: () => void;
  readonly progress: (done: number, total: number) => void;
}

/**
 * Puts the content of one database in the place of another's, as one transaction of that: who has it open sees the new
 * content with the next statement, and a process that ends in the middle leaves the old.
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
        // by now it is open and locked
        if (remainingPages === total) assertSame();
        progress(total - remainingPages, total);
        return PAGES_A_TURN;
      },
    });
    // the driver takes a lock that it did not get for the end
    if (totalPages === pages) return;
    if (performance.now() >= end) {
      throw new LaneError('another program is using the database', {
        code: 'busy',
        retryable: true,
        hint: 'nothing was changed: try again in a moment, or end what holds the lock',
      });
    }
    await wait(BETWEEN_TRIES_MS);
  }
}
