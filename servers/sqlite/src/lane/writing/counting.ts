import { randomBytes } from 'node:crypto';
import { quoteName } from '../../shared/sql/names.ts';
import { type Connection, rowCount } from '../connection.ts';

/** The rows of a table that a change touched, also by triggers and foreign keys. */
export interface TableChanges {
  readonly table: string;
  readonly inserted: number;
  readonly updated: number;
  readonly deleted: number;
}

/**
 * How rows that REPLACE deletes are counted: never deleted, by delete triggers (which fire for them only with
 * recursive_triggers), or by the difference of row counts.
 */
export type Replacing = 'never' | 'by-triggers' | 'by-difference';

const actions = ['INSERT', 'UPDATE', 'DELETE'] as const;

interface Tally {
  readonly name: string;
  readonly counts: number[];
}

const tallies = new WeakMap<Connection, Tally>();

/**
 * Runs a change and counts the rows of these tables by temporary triggers, which are dropped afterwards. Needs a
 * transaction.
 */
export function countChanges<T>(
  connection: Connection,
  tables: readonly string[],
  replacing: Replacing,
  run: () => T,
): { outcome: T; tables: TableChanges[] } {
  const { db } = connection;
  const tally = tallyOf(connection);
  tally.counts.length = 0;
  const before =
    replacing === 'by-difference' ? tables.map((table) => rowCount(connection, table)) : undefined;
  for (const [at, table] of tables.entries()) {
    for (const [offset, action] of actions.entries()) {
      const slot = at * actions.length + offset;
      tally.counts.push(0);
      db.exec(
        `CREATE TEMP TRIGGER ${triggerName(slot)} AFTER ${action} ON main.${quoteName(table)} BEGIN SELECT ${tally.name}(${slot}); END`,
      );
    }
  }
  if (replacing === 'by-triggers') db.pragma('recursive_triggers = ON');
  let outcome: T;
  try {
    outcome = run();
  } finally {
    if (replacing === 'by-triggers') db.pragma('recursive_triggers = OFF');
  }
  for (const slot of tally.counts.keys()) db.exec(`DROP TRIGGER IF EXISTS temp.${triggerName(slot)}`);
  const counted = tables.map((table, at): TableChanges => {
    const [inserted = 0, updated = 0, deleted = 0] = tally.counts.slice(at * actions.length);
    if (before === undefined) return { table, inserted, updated, deleted };
    return { table, inserted, updated, deleted: before[at]! + inserted - rowCount(connection, table) };
  });
  return { outcome, tables: counted };
}

/** Returns the SQL function that triggers count with; its name is random. */
function tallyOf(connection: Connection): Tally {
  const known = tallies.get(connection);
  if (known !== undefined) return known;
  const tally: Tally = { name: `count_${randomBytes(12).toString('hex')}`, counts: [] };
  connection.db.function(tally.name, (slot: number) => {
    tally.counts[slot]! += 1;
    return null;
  });
  tallies.set(connection, tally);
  return tally;
}

function triggerName(slot: number): string {
  return `"rootbound count ${slot}"`;
}
