import { LaneError } from '../../shared/error.ts';
import type { Exported, ExportPlan } from '../../shared/export-plan.ts';
import { quoteName } from '../../shared/sql/names.ts';
import { parametersOf } from '../../shared/sql/parameters.ts';
import { type Connection, rowCount, selectValue } from '../connection.ts';
import { dump, schemaObjects } from '../exporting/dump.ts';
import { rowsOf } from '../exporting/reading.ts';
import { Sink } from '../exporting/sink.ts';
import { writeCsv, writeJson } from '../exporting/write-rows.ts';
import { inspect } from '../policy/inspect.ts';
import { assertAllowed } from '../policy/policy.ts';
import { bindingsOf } from '../values/bind.ts';
import type { LaneCall, Verb } from '../verb.ts';

export type ExportArgs = ExportPlan;
export type ExportFacts = Exported;

/** Writes one state of rows or of the whole database as a stream of bytes. */
export const exportData: Verb<ExportArgs, ExportFacts> = (call, plan) => {
  const { connection, emit } = call;
  const sink = new Sink(emit);
  connection.db.exec('BEGIN');
  try {
    const exported = write(call, sink, plan);
    sink.flush();
    return exported;
  } finally {
    connection.db.exec('ROLLBACK');
  }
};

function write({ connection, progress }: LaneCall, sink: Sink, plan: ExportPlan): Exported {
  const { format, sql, params, delimiter, bytes } = plan;
  const table = plan.table === undefined ? undefined : tableOf(connection, plan.table);
  const total = sql === undefined ? countRows(connection, table) : undefined;
  let count = 0;
  const counted = (): void => {
    count += 1;
    if (count % ROWS_A_LOOK === 0) progress(count, total === undefined ? undefined : Math.max(total, count));
  };
  if (format === 'sql' && sql === undefined) {
    const leftOut = dump(sink, connection, { table, bytes }, counted);
    return { rows: count, replaced: 0, leftOut };
  }
  const query = sql ?? `SELECT * FROM main.${quoteName(table!)}`; // sql or table is given
  assertAllowed(inspect(connection, query), 'read');
  const rows = rowsOf(connection, query, bindingsOf(parametersOf(query), params), bytes);
  const written =
    format === 'csv'
      ? writeCsv(sink, rows, delimiter, counted)
      : writeJson(sink, rows, format === 'ndjson', counted);
  return { rows: count, leftOut: [], ...written };
}

/** Rows between progress reports. */
const ROWS_A_LOOK = 256;

function tableOf({ db }: Connection, name: string): string {
  const found = selectValue<string>(
    { db },
    "SELECT name FROM pragma_table_list WHERE schema = 'main' AND lower(name) = lower(?)",
    name,
  );
  if (found !== undefined) return found;
  throw new LaneError(`no such table: ${name}`, {
    code: 'no-such-table',
    hint: 'list_tables lists the tables',
  });
}

/** Returns the number of rows to export; undefined for a view, where counting takes as long as reading. */
function countRows(connection: Connection, table: string | undefined): number | undefined {
  const objects = schemaObjects(connection).filter(({ type, kind }) => type === 'table' && kind !== 'shadow');
  const counted = table === undefined ? objects : objects.filter(({ name }) => name === table);
  if (table !== undefined && counted.length === 0) return undefined;
  let total = 0;
  for (const { name, kind } of counted) {
    if (kind === 'table') total += rowCount(connection, name);
  }
  return total;
}
