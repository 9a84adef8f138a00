import type { Connection } from '../connection.ts';

/** A rowid that no row has by itself; to know that it is still the last one is to know that nothing was inserted. */
const NONE = -9_223_372_036_854_775_807n;
const TABLE = 'temp."rootbound rowid"';

/** Begins to look for the rowid of an insert. */
export function markRowid(connection: Connection): void {
  connection.prepare(`CREATE TABLE IF NOT EXISTS ${TABLE} (x)`).run();
  connection.prepare(`INSERT OR REPLACE INTO ${TABLE} (rowid) VALUES (${NONE})`).run();
}

/** The rowid that was inserted last since the mark; triggers do not count, nor tables without rowids. */
export function insertedRowid(connection: Connection): bigint | undefined {
  const last = connection.prepare('SELECT last_insert_rowid()').pluck().safeIntegers().get() as bigint;
  return last === NONE ? undefined : last;
}
