import { messageOf } from '../../shared/error.ts';
import { type Connection, pragmaNumber, selectRows } from '../connection.ts';
import { sqliteCode } from '../failure.ts';

/** Size of the largest database that is checked, bytes. */
const MOST_LOOKED_THROUGH = 200 * 2 ** 20;
const MOST_LISTED = 20;

/** Foreign key violations, one line each. */
export type Violations = ReadonlySet<string>;

interface Orphan {
  readonly table: string;
  readonly rowid: number | bigint | null;
  readonly parent: string;
}

/** Returns the current foreign key violations. */
export function violations({ db }: Connection): Violations {
  const found = new Set<string>();
  try {
    const orphans = db.prepare('PRAGMA foreign_key_check').safeIntegers().iterate() as Iterable<Orphan>; // columns of the pragma
    for (const { table, rowid, parent } of orphans)
      found.add(`${table}${rowid === null ? '' : ` row ${rowid}`}: no such row in ${parent}`);
  } catch (error) {
    // a foreign key to columns that are not unique cannot be checked
    if (sqliteCode(error) === undefined) throw error;
    found.add(messageOf(error));
  }
  return found;
}

/** Returns the first violations that were not there before. */
export function newViolations(before: Violations, now: Violations): string[] {
  return [...now].filter((line) => !before.has(line)).slice(0, MOST_LISTED);
}

/** Returns `ok`, the problems of the database, or `skipped` if it is too large to check. */
export function integrity({ db }: Connection): string {
  const bytes = pragmaNumber({ db }, 'page_count') * pragmaNumber({ db }, 'page_size');
  if (bytes > MOST_LOOKED_THROUGH) return 'skipped: larger than 200 MB';
  return selectRows<{ quick_check: string }>({ db }, `PRAGMA quick_check(${MOST_LISTED})`)
    .map(({ quick_check }) => quick_check)
    .join('; ');
}
