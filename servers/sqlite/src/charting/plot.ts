import { ToolError } from '@rootbound/protocol';
import { type Bin, binsOf } from './bins.ts';
import type { ChosenColumns, Column, Table } from './columns.ts';
import type { ChartKind, DrawnSeries, Scale } from './drawing.ts';
import { categoryOf, labelOf, momentOf, numberOf } from './values.ts';

/** The numbers that a result reports about one series. */
export interface SeriesFacts {
  readonly name: string;
  readonly n: number;
  readonly min: number;
  readonly max: number;
  readonly first: readonly number[];
}

/** The points of a chart and the numbers that a result reports about them. */
export interface Plot {
  readonly x: { readonly name: string; readonly scale: Scale; readonly categories?: readonly string[] };
  /** the ends of the x axis as text */
  readonly range: readonly [string, string];
  readonly drawn: readonly DrawnSeries[];
  readonly series: readonly SeriesFacts[];
  readonly points: number;
  /** NULLs that were left out */
  readonly nulls: number;
  readonly notNumbers: number;
  readonly bins?: readonly Bin[];
}

const MOST_FIRST = 3;

/** Returns the points of the rows for a chart of this kind. */
export function plotOf(table: Table, kind: ChartKind, columns: ChosenColumns): Plot {
  const { rows } = table;
  const scale = kind === 'bar' ? 'category' : kind === 'histogram' ? 'value' : scaleOf(table, columns.x);
  const xs = rows.map((row, index) => xOf(scale, row, index, columns.x));
  const names = distinctNames(columns.y);
  let nulls = 0;
  let notNumbers = 0;
  const drawn: DrawnSeries[] = [];
  for (const [index, { at }] of columns.y.entries()) {
    const points: [number, number][] = [];
    for (const [place, row] of rows.entries()) {
      const value = row[at!];
      const y = numberOf(value);
      const x = xs[place];
      if (value === null || (x === undefined && row[columns.x.at!] === null)) nulls += 1;
      else if (y === undefined || x === undefined) notNumbers += 1;
      else points.push([x, y]);
    }
    if (scale !== 'category') points.sort(([one], [other]) => one - other);
    drawn.push({ name: names[index]!, points });
  }
  const points = drawn.reduce((sum, series) => sum + series.points.length, 0);
  if (points === 0) throw nothingToDraw(rows.length);
  const series = drawn.filter((one) => one.points.length > 0).map(factsOf);
  const common = { series, points, nulls, notNumbers };
  if (kind === 'histogram') return { ...common, ...histogramOf(columns.x.name, drawn[0]!, series[0]!) };
  const categories = scale === 'category' ? rows.map((row, index) => labelAt(row, index, columns.x)) : [];
  return {
    ...common,
    x: { name: labelOf(columns.x.name), scale, ...(scale === 'category' && { categories }) },
    range: rangeOf(scale, drawn, categories),
    drawn,
  };
}

/** Returns `time` or `value` if all values of the column are times or numbers, else `category`. */
function scaleOf({ rows }: Table, { at }: Column): Scale {
  if (at === undefined) return 'value';
  const values = rows.flatMap((row) => (row[at] === null ? [] : [row[at]]));
  if (values.every((value) => momentOf(value) !== undefined)) return 'time';
  return values.every((value) => numberOf(value) !== undefined) ? 'value' : 'category';
}

function xOf(scale: Scale, row: readonly unknown[], index: number, { at }: Column): number | undefined {
  if (scale === 'category') return index;
  if (at === undefined) return index + 1;
  return scale === 'time' ? momentOf(row[at]) : numberOf(row[at]);
}

function labelAt(row: readonly unknown[], index: number, { at }: Column): string {
  return at === undefined ? String(index + 1) : categoryOf(row[at]);
}

function factsOf({ name, points }: DrawnSeries): SeriesFacts {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (const [, y] of points) {
    min = Math.min(min, y);
    max = Math.max(max, y);
  }
  return { name, n: points.length, min, max, first: points.slice(0, MOST_FIRST).map(([, y]) => y) };
}

function histogramOf(
  name: string,
  { points }: DrawnSeries,
  { min, max }: SeriesFacts,
): Pick<Plot, 'x' | 'range' | 'drawn' | 'bins'> {
  const bins = binsOf(
    points.map(([, value]) => value),
    min,
    max,
  );
  const categories = bins.map(({ from, to }) => `${from} to ${to}`);
  return {
    x: { name: labelOf(name), scale: 'category', categories },
    range: [String(min), String(max)],
    drawn: [{ name: 'count', points: bins.map(({ n }, at) => [at, n] as const) }],
    bins,
  };
}

function rangeOf(
  scale: Scale,
  drawn: readonly DrawnSeries[],
  categories: readonly string[],
): [string, string] {
  if (scale === 'category') return [categories[0]!, categories.at(-1)!];
  // the points are sorted by x
  const ends = drawn.flatMap(({ points }) => (points.length === 0 ? [] : [points[0]![0], points.at(-1)![0]]));
  const range = [Math.min(...ends), Math.max(...ends)] as const;
  const say = scale === 'time' ? formatMoment : String;
  return [say(range[0]), say(range[1])];
}

function formatMoment(moment: number): string {
  const text = new Date(moment).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 'yyyy-mm-dd'.length) : text.replace('.000Z', 'Z');
}

/** Returns a distinct name for each column. */
function distinctNames(columns: readonly Column[]): string[] {
  const seen = new Map<string, number>();
  return columns.map((column) => {
    const name = labelOf(column.name);
    const times = (seen.get(name) ?? 0) + 1;
    seen.set(name, times);
    return times === 1 ? name : `${name} (${times})`;
  });
}

function nothingToDraw(rows: number): ToolError {
  return new ToolError(
    rows === 0 ? 'the query returns no rows to draw' : 'the columns to draw hold no numbers',
    { code: 'no-data', hint: 'run it with read_query to see its rows' },
  );
}
