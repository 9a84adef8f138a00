import type { Pull } from '../formats/text.ts';
import type { Connection } from '../lane/connection.ts';
import { LaneError } from '../lane/error.ts';
import { inspect } from '../policy/inspect.ts';
import { assertAllowed } from '../policy/policy.ts';
import { quoteName } from '../sql/names.ts';
import { Inserts } from './inserts.ts';
import type { Imported, ImportPlan } from './plan.ts';
import { Rejects, rejectOf } from './rejects.ts';
import { type Row, readRows } from './rows.ts';
import { createTarget, type Target, targetOf } from './target.ts';

/** So many rows tell the types of a new table's columns. */
const SAMPLE = 1_000;

/** Inserts the rows of a file into a table, within the transaction that the caller has begun. */
export function importRows(connection: Connection, pull: Pull<string>, plan: ImportPlan): Imported {
  const rows = readRows(pull, plan);
  const sample: Row[] = [];
  const target = targetFor(connection, plan, () => {
    for (const row of first(rows, SAMPLE)) sample.push(row);
    return sample;
  });
  const rejects = new Rejects(plan.dryRun ? Number.POSITIVE_INFINITY : plan.maxRejects);
  const tables = new Set<string>([target.table]);
  const inserts = new Inserts(connection, target, plan, (sql) => {
    const program = inspect(connection, sql);
    assertAllowed(program, 'write');
    for (const table of program.writesTables) tables.add(table);
  });
  const overwrites = plan.onConflict === 'replace' || plan.onConflict === 'update';
  const before = overwrites ? countOf(connection, target) : 0;
  let changed = 0;
  let ignored = 0;
  const insert = (row: Row): void => {
    if (row.problem !== undefined) {
      rejects.add({ line: row.line, reason: row.problem });
      return;
    }
    try {
      const changes = inserts.run(row);
      changed += changes;
      if (changes === 0) ignored += 1;
    } catch (error) {
      const reject = connection.db.inTransaction ? rejectOf(row, error) : undefined;
      if (reject === undefined) throw error;
      rejects.add(reject);
    }
  };
  for (const row of sample) insert(row);
  for (const row of rows) insert(row);
  const inserted = overwrites ? Math.max(0, countOf(connection, target) - before) : changed;
  return {
    inserted,
    updated: changed - inserted,
    ignored,
    rejected: rejects.count,
    rejects: rejects.told,
    table: target.table,
    created: plan.create,
    tables: [...tables],
    schema: plan.create,
  };
}

/** The table that there is or that is made now; `sample` gives the first rows. */
function targetFor({ db }: Connection, plan: ImportPlan, sample: () => readonly Row[]): Target {
  const { table, create } = plan;
  if (table === undefined) throw new TypeError('rows need a table');
  const target = targetOf(db, table);
  if (target !== undefined && create) {
    throw new LaneError(`the table is there already: ${target.table}`, {
      code: 'exists',
      hint: 'leave out create to add to it',
    });
  }
  if (target !== undefined) return target;
  if (create) return createTarget(db, table, plan, sample());
  throw new LaneError(`no such table: ${table}`, {
    code: 'no-such-table',
    hint: 'create makes it, with the types that the rows suggest',
  });
}

/** The next rows, and the rest can still be had. */
function* first(rows: Iterator<Row>, most: number): Generator<Row> {
  for (let count = 0; count < most; count += 1) {
    const { value, done } = rows.next();
    if (done === true) return;
    yield value;
  }
}

function countOf({ db }: Connection, { table }: Target): number {
  return db
    .prepare(`SELECT count(*) FROM main.${quoteName(table)}`)
    .pluck()
    .get() as number;
}
