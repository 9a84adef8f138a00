import type { PlannedStatement } from '../../shared/write-plan.ts';
import type { Connection } from '../connection.ts';
import { inspect } from '../policy/inspect.ts';
import { assertAllowed } from '../policy/policy.ts';
import { schemaNotes } from './notes.ts';

/** The tables that a statement will write, as far as known before it runs. */
export interface Effects {
  /** tables whose rows can be counted */
  readonly tables: readonly string[];
  readonly virtual: readonly string[];
  /** whether triggers, or foreign keys of a table to itself, may change further rows */
  readonly nested: boolean;
}

/** Throws unless the statement is allowed. Needs the write lock: the result is valid until it is released. */
export function effectsOf(connection: Connection, planned: PlannedStatement): Effects {
  const program = inspect(connection, planned.sql);
  const { action } = planned;
  const reads = action === 'SELECT' || action === 'VALUES';
  assertAllowed(program, reads ? 'read' : 'write');
  const notes = schemaNotes(connection);
  const isIn = (set: ReadonlySet<string>) => (table: string) => set.has(table.toLowerCase());
  const written = program.writesTables.filter(isIn(notes.tables));
  const tables = written.filter((table) => !isIn(notes.virtual)(table));
  const cascades = action !== 'INSERT' || planned.replaces === true || planned.upserts === true;
  return {
    tables,
    virtual: written.filter(isIn(notes.virtual)),
    nested:
      notes.viewTriggers ||
      tables.some(isIn(notes.triggered)) ||
      (cascades && tables.some(isIn(notes.cascading))),
  };
}
