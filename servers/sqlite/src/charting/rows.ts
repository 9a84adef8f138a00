import { defined } from '@rootbound/kit/primitives';
import type { Database } from '../databases/database.ts';
import type { Params } from '../shared/sql/parameters.ts';
import type { ResultColumn } from '../shared/values/result-column.ts';
import { checkStatement } from '../statements.ts';
import type { Workspace } from '../workspace.ts';
import type { Table } from './columns.ts';
import type { ChartKind } from './drawing.ts';

/** Rows that a chart of each kind takes; more could not be told apart. */
const mostRows: Readonly<Record<ChartKind, number>> = {
  bar: 200,
  line: 10_000,
  scatter: 5_000,
  histogram: 10_000,
};
const MOST_BYTES = 2 << 20;
/** Labels are shorter than this, so nothing that is drawn is cut. */
const CELL_BYTES = 1024;

/** What is to be drawn, and where it comes from. */
export interface RowsToDraw extends Table {
  readonly tables: readonly string[];
  /** whether there are more than a chart of this kind takes */
  readonly truncated: boolean;
}

/** The rows of a query for a chart. */
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
    // the verb's first part is the rows, and its third the columns
    columns: (JSON.parse(parts[2]!.toString()) as ResultColumn[]).map(({ name }) => name),
    rows: JSON.parse(parts[0]!.toString()) as unknown[][],
    tables: facts.tables,
    truncated: facts.truncated,
  };
}
