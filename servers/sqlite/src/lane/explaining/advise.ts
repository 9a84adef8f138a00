import { foldName } from '../../shared/sql/names.ts';
import { type Connection, selectRows } from '../connection.ts';
import { columnsOf } from '../schema/columns.ts';
import type { SchemaObject } from '../schema/objects.ts';
import type { Bindings } from '../values/bind.ts';
import { type Mentioned, mentionedIn } from './mentioned.ts';
import { analyse, copyToScratch } from './scratch.ts';
import { type Candidate, indexSql, Trial } from './trial.ts';

/** Indexes that the query planner would use, with the plan before and after. */
export interface Advice {
  readonly indexes: readonly {
    readonly table: string;
    readonly columns: readonly string[];
    readonly sql: string;
  }[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const MOST_TABLES = 4;
const MOST_COLUMNS = 12;
const MOST_IN_INDEX = 3;

/**
 * Returns indexes that make the plan of a statement cheaper. They are tried on an in-memory copy of the schema with a
 * sample of the rows; indexes that the planner does not use, or that improve no step, are left out.
 */
export function adviseIndexes(connection: Connection, sql: string, bindings: Bindings): Advice | undefined {
  const mentioned = mentionedIn(connection, sql);
  const tables = mentioned.objects.filter(({ type }) => type === 'table').slice(0, MOST_TABLES);
  const copy = copyToScratch(connection, mentioned.objects);
  const { db } = copy;
  try {
    analyse(connection, copy);
    const trial = new Trial(connection, copy, sql, bindings);
    const before = trial.plan();
    const found = tryOut(trial, tables, mentioned, connection);
    const kept = trial.prune(found);
    if (kept.length === 0) return undefined;
    const names = new Map(kept.map((one) => [one.name, nameFor(connection, one)]));
    return {
      indexes: kept.map(({ name, table, columns }) => ({
        table: table.name,
        columns,
        sql: indexSql(names.get(name)!, table, columns),
      })),
      before,
      after: trial
        .plan()
        .map((line) => line.replace(/rootbound_advice_\d+/g, (name) => names.get(name) ?? name)),
    };
  } finally {
    db.close();
  }
}

/** Tries each column that the statement names, then the indexes in use extended by one column at either end. */
function tryOut(
  trial: Trial,
  tables: readonly SchemaObject[],
  { words }: Mentioned,
  connection: Connection,
): Candidate[] {
  const named = new Map(
    tables.map((table) => {
      const columns = columnsOf(connection, table.name).filter(({ hidden }) => hidden === undefined);
      const own = columns.map(({ name }) => name).filter((name) => words.has(foldName(name)));
      return [table, own.slice(0, MOST_COLUMNS)] as const;
    }),
  );
  for (const [table, columns] of named) for (const column of columns) trial.add(table, [column]);
  let taken = trial.chosen();
  for (let length = 2; length <= MOST_IN_INDEX; length++) {
    for (const { table, columns } of taken) {
      if (columns.length !== length - 1) continue;
      for (const other of named.get(table) ?? []) {
        if (columns.includes(other)) continue;
        trial.add(table, [...columns, other]);
        trial.add(table, [other, ...columns]);
      }
    }
    const now = trial.chosen();
    if (now.every((one) => taken.includes(one))) break;
    taken = now;
  }
  return taken;
}

/** Returns an unused name made of the table and its columns. */
function nameFor(connection: Connection, { table, columns }: Candidate): string {
  const taken = new Set(
    selectRows<{ name: string }>(connection, 'SELECT name FROM main.sqlite_schema').map(({ name }) =>
      foldName(name),
    ),
  );
  const plain = [table.name, ...columns].join('_').replace(/[^\w\u0080-\uffff]+/g, '_');
  let name = plain;
  for (let count = 2; taken.has(foldName(name)); count++) name = `${plain}_${count}`;
  return name;
}
