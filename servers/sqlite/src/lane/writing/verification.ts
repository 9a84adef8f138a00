import type { Connection } from '../connection.ts';
import { sqliteCode } from '../failure.ts';

/** The largest database that is looked through whole. */
const MOST_LOOKED_THROUGH = 200 * 2 ** 20;
const MOST_LISTED = 20;

/** Rows that point to rows which are not there, each as one line. */
export type Violations = ReadonlySet<string>;

interface Orphan {
  readonly table: string;
  readonly rowid: number | bigint | null;
  readonly parent: string;
}

/** What the foreign keys do not allow, now. */
export function violations({ db }: Connection): Violations {
  const found = new Set<string>();
  try {
    const orphans = db.prepare('PRAGMA foreign_key_check').safeIntegers().iterate() as Iterable<Orphan>;
    for (const { table, rowid, parent } of orphans)
      found.add(`${table}${rowid === null ? '' : ` row ${rowid}`}: no such row in ${parent}`);
  } catch (error) {
    // a key that names no unique columns cannot be checked at all
    if (sqliteCode(error) === undefined) throw error;
    found.add((error as Error).message);
  }
  return found;
}

/** What is not allowed now and was before, the first ones. */
export function newViolations(before: Violations, now: Violations): string[] {
  return [...now].filter((line) => !before.has(line)).slice(0, MOST_LISTED);
}

/** `ok`, what is wrong with the database, or `skipped` when it is too large to look through. */
export function integrity({ db }: Connection): string {
  const pages = db.pragma('page_count', { simple: true }) as number;
  const bytes = pages * (db.pragma('page_size', { simple: true }) as number);
  if (bytes > MOST_LOOKED_THROUGH) return 'skipped: larger than 200 MB';
  return (db.pragma(`quick_check(${MOST_LISTED})`) as { quick_check: string }[])
    .map(({ quick_check }) => quick_check)
    .join('; ');
}
