import { defined } from '@rootbound/kit/primitives';
import type { Database } from '../databases/database.ts';
import type { Params } from '../shared/sql/parameters.ts';
import type { ResultColumn } from '../shared/values/result-column.ts';
import { checkStatement } from '../statements.ts';
import type { Workspace } from '../workspace.ts';
import type { Table } from './columns.ts';
import type { ChartKind } from './drawing.ts';

/** Most rows of a chart of each kind; more points cannot be told apart. */
const mostRows: Readonly<Record<ChartKind, number>> = {
  bar: 200,
  line: 10_000,
  scatter: 5_000,
  histogram: 10_000,
};
const MOST_BYTES = 2 << 20;
/** Bytes of a cell; labels are shorter, so nothing that is drawn is cut. */
const CELL_BYTES = 1024;

/** The rows of a chart and the tables that they come from. */
export interface RowsToDraw extends Table {
  readonly tables: readonly string[];
  /** whether the query returns more rows than a chart of this kind takes */
  readonly truncated: boolean;
}

/** Runs a query and returns its rows for a chart. */
export async function rowsToDraw(
  { engine }: Workspace,
  target: Database,
  kind: ChartKind,
  { query, params }: { query: string; params?: Params | undefined },
  options: { signal: AbortSignal; deadlineMs: number },
): Promise<RowsToDraw> {
  const { text } = checkStatement(query, 'read');
  const limits = { rows: mostRows[kind], bytes: MOST_BYTES, lineBytes: 0, shortLineBytes: 0 };
  const args = { sql: text, limits, cellBytes: CELL_BYTES, ...defined({ params }) };
  const { facts, parts } = await engine.lanes.run(target, 'read', 'query', args, options);
  return {
    // the verb's first part holds the rows, its third the columns
    columns: (JSON.parse(parts[2]!.toString()) as ResultColumn[]).map(({ name }) => name),
    rows: JSON.parse(parts[0]!.toString()) as unknown[][],
    tables: facts.tables,
    truncated: facts.truncated,
  };
}
