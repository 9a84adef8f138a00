import { type Params, parametersOf } from '../../shared/sql/parameters.ts';
import type { ResultColumn } from '../../shared/values/result-column.ts';
import type { Connection } from '../connection.ts';
import type { Cell } from '../formats/cells.ts';
import { bindingsOf } from '../values/bind.ts';
import { cutBlobText, cutText, rowText } from '../values/cells.ts';
import { columnsOf } from '../values/columns.ts';

/** Most rows of a statement that are returned, and most bytes of them. */
export interface Caps {
  readonly rows: number;
  readonly bytes: number;
}

/** The rows that a statement returned; only the first ones, as JSON texts. */
export interface Returned {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly string[];
  /** number of all rows */
  readonly total: number;
}

const MOST_OF_A_CELL = 4_096;

/** Runs a statement to its end and returns the first of its rows; undefined if it has no columns. */
export function stepThrough(
  connection: Connection,
  sql: string,
  params: Params | undefined,
  caps: Caps,
): Returned | undefined {
  const statement = connection.prepare(sql);
  const bindings = bindingsOf(parametersOf(sql), params);
  if (!statement.reader) {
    statement.run(...bindings);
    return undefined;
  }
  const rows: string[] = [];
  let total = 0;
  let left = caps.bytes;
  // a change with RETURNING is complete only after its last row
  for (const row of statement
    .raw()
    .safeIntegers()
    .iterate(...bindings) as Iterable<Cell[]>) {
    total += 1;
    if (rows.length >= caps.rows || left <= 0) continue;
    const text = cutRowText(row);
    left -= Buffer.byteLength(text) + 1;
    if (left >= 0) rows.push(text);
  }
  return { columns: columnsOf(statement), rows, total };
}

function cutRowText(row: readonly Cell[]): string {
  if (row.every(isShort)) return rowText(row);
  return `[${row.map((cell) => (isShort(cell) ? rowText([cell]).slice(1, -1) : cutCell(cell))).join(',')}]`;
}

type Long = string | Buffer;

function isShort(cell: Cell): cell is Exclude<Cell, Long> {
  return !(typeof cell === 'string' || Buffer.isBuffer(cell)) || cell.length <= MOST_OF_A_CELL;
}

function cutCell(cell: Long): string {
  if (typeof cell !== 'string') return cutBlobText(cell.subarray(0, MOST_OF_A_CELL), cell.length);
  const unit = cell.charCodeAt(MOST_OF_A_CELL - 1);
  // do not cut a surrogate pair
  const end = unit >= 0xd800 && unit <= 0xdbff ? MOST_OF_A_CELL - 1 : MOST_OF_A_CELL;
  return cutText(cell.slice(0, end), Buffer.byteLength(cell));
}
