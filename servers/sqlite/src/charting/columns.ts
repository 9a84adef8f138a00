import { ToolError } from '@rootbound/protocol';
import type { ChartKind } from './drawing.ts';
import { numberOf } from './values.ts';

/** The rows of a query that are drawn. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** A column of a table; one without an index counts the rows. */
export interface Column {
  readonly at: number | undefined;
  readonly name: string;
}

export interface ChosenColumns {
  readonly x: Column;
  readonly y: readonly Column[];
}

/** Most series of a chart; more cannot be told apart. */
const MOST_SERIES = 12;

/** Returns the columns to draw: the named ones, else the first for x and all other numeric ones for y. */
export function chooseColumns(
  table: Table,
  kind: ChartKind,
  named: { x?: string | undefined; y?: readonly string[] | undefined },
): ChosenColumns {
  const { columns } = table;
  const numeric = columns.flatMap((name, at) => (holdsNumbers(table, at) ? [{ at, name }] : []));
  const x = named.x === undefined ? undefined : columnOf(columns, named.x, 'x');
  const y = named.y?.map((name) => columnOf(columns, name, 'y'));
  if (kind === 'histogram') return histogramColumns(x, y, numeric);
  const across = x ?? firstOther(columns, y, numeric);
  const up = y ?? numeric.filter(({ at }) => at !== across.at);
  if (up.length === 0) throw noNumbers(columns);
  if (up.length > MOST_SERIES) {
    throw new ToolError(
      `${up.length} columns are too many for one chart, which takes ${MOST_SERIES} at most`,
      {
        code: 'too-many-series',
        hint: 'name the wanted columns in y',
      },
    );
  }
  return { x: across, y: up };
}

function histogramColumns(
  x: Column | undefined,
  y: readonly Column[] | undefined,
  numeric: readonly Column[],
): ChosenColumns {
  const [first] = [...(x === undefined ? [] : [x]), ...(y ?? []), ...numeric];
  if ((x === undefined ? 0 : 1) + (y?.length ?? 0) > 1) {
    throw new ToolError('a histogram counts the values of one column', {
      code: 'columns',
      hint: 'name it in x and leave y out',
    });
  }
  if (first === undefined) throw noNumbers([]);
  return { x: first, y: [first] };
}

/** Returns the first column that is not used for y; the row number if every column is. */
function firstOther(
  columns: readonly string[],
  y: readonly Column[] | undefined,
  numeric: readonly Column[],
): Column {
  const drawn = y ?? (columns.length === 1 ? numeric : []);
  const at = columns.findIndex((_name, place) => !drawn.some((column) => column.at === place));
  return at === -1 ? { at: undefined, name: 'row' } : { at, name: columns[at]! };
}

function columnOf(columns: readonly string[], name: string, field: string): Column {
  const at = columns.indexOf(name);
  if (at !== -1) return { at, name };
  throw new ToolError(`${field}: the query has no column ${JSON.stringify(name)}`, {
    code: 'columns',
    hint: `it has ${columns.map((column) => JSON.stringify(column)).join(', ')}`,
  });
}

/** Returns whether the first value that is not NULL is a number. */
function holdsNumbers({ rows }: Table, at: number): boolean {
  const value = rows.find((row) => row[at] !== null)?.[at];
  return value !== undefined && (numberOf(value) !== undefined || isInfinite(value));
}

function isInfinite(value: unknown): boolean {
  return typeof value === 'object' && value !== null && '$real' in value;
}

function noNumbers(columns: readonly string[]): ToolError {
  return new ToolError('the query returns no numbers to draw', {
    code: 'no-numbers',
    hint:
      columns.length === 0
        ? 'select a column of numbers'
        : `select a column of numbers, or cast one of ${columns.map((column) => JSON.stringify(column)).join(', ')}`,
  });
}
