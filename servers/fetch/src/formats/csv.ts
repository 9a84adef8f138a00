import Papa from 'papaparse';
import { removeInvisible } from '../markdown/invisible.ts';
import { nothingRemoved, type Reading } from '../reading/reading.ts';
import type { TextInput } from './input.ts';
import { withLineFeeds, writtenLinks } from './plain-text.ts';

export interface CsvBounds {
  /** rows in the Markdown table */
  readonly rows: number;
  /** rows that are counted */
  readonly counted: number;
  readonly columns: number;
  /** characters of a cell in the table */
  readonly cell: number;
  /** characters of the table */
  readonly characters: number;
}

const defaultBounds: CsvBounds = {
  rows: 200,
  counted: 1_000_000,
  columns: 100,
  cell: 300,
  characters: 200_000,
};

interface Column {
  readonly name: string;
  readonly types: Map<CellType, number>;
  least: number;
  most: number;
}

type CellType = 'empty' | 'integer' | 'number' | 'date' | 'boolean' | 'text';

/** Converts comma-separated values: their size, the types of their columns, and the first rows as a Markdown table. */
export function readCsv(input: TextInput, bounds: Partial<CsvBounds> = {}): Reading {
  const limits = { ...defaultBounds, ...bounds };
  const { text: source, removed } = removeInvisible(withLineFeeds(input.text));
  const table = parseTable(source, input.mediaType === 'text/tab-separated-values', limits);
  return {
    kind: 'csv',
    mediaType: input.mediaType,
    text: table.columns.length === 0 ? '' : describeTable(table, limits),
    charset: input.charset,
    headings: [],
    links: writtenLinks(source.slice(0, limits.characters), input.url),
    metadata: {},
    removed: { ...nothingRemoved, invisible: removed },
  };
}

interface Table {
  readonly columns: readonly Column[];
  /** the first rows, without the header */
  readonly rows: readonly (readonly string[])[];
  /** rows without the header, up to the limit */
  readonly count: number;
  readonly isCut: boolean;
  readonly separator: string;
  readonly isNamed: boolean;
}

function parseTable(source: string, isTabbed: boolean, limits: CsvBounds): Table {
  const first: string[][] = [];
  const columns: Column[] = [];
  let count = 0;
  let isCut = false;
  let isNamed = false;
  let separator = ',';
  const add = (row: readonly string[]) => {
    count += 1;
    if (first.length < limits.rows) first.push([...row]);
    for (const [index, cell] of row.entries()) {
      if (index >= limits.columns) break;
      columns[index] ??= newColumn(`column ${index + 1}`);
      noteCell(columns[index], cell.trim());
    }
  };
  let held: string[] | undefined;
  Papa.parse(source, {
    delimiter: isTabbed ? '\t' : '',
    skipEmptyLines: 'greedy',
    step: ({ data, meta }, parser) => {
      separator = meta.delimiter;
      if (held === undefined && count === 0) {
        held = data;
        return;
      }
      if (held !== undefined && count === 0) {
        isNamed = areNames(held, data);
        if (isNamed)
          for (const name of held.slice(0, limits.columns)) columns.push(newColumn(oneLine(name, 100)));
        else add(held);
        held = undefined;
      }
      if (count >= limits.counted) {
        isCut = true;
        parser.abort();
        return;
      }
      add(data);
    },
  });
  if (held !== undefined) add(held);
  return { columns, rows: first, count, isCut, separator, isNamed };
}

function newColumn(name: string): Column {
  return {
    name: name === '' ? ' ' : name,
    types: new Map(),
    least: Number.POSITIVE_INFINITY,
    most: Number.NEGATIVE_INFINITY,
  };
}

/** Returns whether the first row is a header: no numbers or dates, no duplicates, and unlike the row after it. */
function areNames(row: readonly string[], next: readonly string[]): boolean {
  const types = row.map((cell) => typeOf(cell.trim()));
  if (types.some((type) => type === 'integer' || type === 'number' || type === 'date')) return false;
  const filled = row.filter((cell) => cell.trim() !== '');
  if (filled.length === 0 || new Set(filled).size < filled.length) return false;
  return filled.every((cell) => cell.length <= 100) && !next.every((cell, index) => cell === row[index]);
}

function typeOf(cell: string): CellType {
  if (cell === '') return 'empty';
  // a leading zero belongs to a code, such as a telephone number or a postal code
  if (/^[+-]?(?:0|[1-9]\d*)$/.test(cell)) return 'integer';
  if (/^[+-]?(?:(?:0|[1-9]\d*)(?:[.,]\d+)?|\.\d+)(?:e[+-]?\d+)?%?$/i.test(cell)) return 'number';
  if (/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$|^\d{1,2}[./]\d{1,2}[./]\d{4}$/.test(cell)) return 'date';
  return /^(?:true|false|yes|no)$/i.test(cell) ? 'boolean' : 'text';
}

function noteCell(column: Column, cell: string): void {
  const type = typeOf(cell);
  column.types.set(type, (column.types.get(type) ?? 0) + 1);
  if (type !== 'integer' && type !== 'number') return;
  const value = Number.parseFloat(cell.replace(',', '.'));
  column.least = Math.min(column.least, value);
  column.most = Math.max(column.most, value);
}

function describeTable(table: Table, limits: CsvBounds): string {
  const names =
    { ',': 'commas', '\t': 'tabs', ';': 'semicolons', '|': 'bars' }[table.separator] ?? table.separator;
  const rows = `${table.isCut ? 'more than ' : ''}${table.count} ${table.count === 1 ? 'row' : 'rows'}`;
  const width = `${table.columns.length} ${table.columns.length === 1 ? 'column' : 'columns'}`;
  const rendered = tableRows(table, limits);
  const lines = [
    `${rows}, ${width}, separated by ${names}${table.isNamed ? '' : ', without a header'}`,
    '',
    ...table.columns.map(describeColumn),
    '',
    ...(rendered.length < table.count ? [`The first ${rendered.length} rows:`, ''] : []),
    `| ${table.columns.map(({ name }) => cellOf(name, limits.cell)).join(' | ')} |`,
    `|${table.columns.map(({ types }) => (isNumeric(types) ? ' ---: |' : ' --- |')).join('')}`,
    ...rendered,
  ];
  return lines.join('\n');
}

/** Returns the first rows of the table, as many as fit. */
function tableRows({ rows, columns }: Table, limits: CsvBounds): string[] {
  const rendered: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = `| ${columns.map((_, index) => cellOf(row[index] ?? '', limits.cell)).join(' | ')} |`;
    length += line.length + 1;
    if (length > limits.characters && rendered.length > 0) break;
    rendered.push(line);
  }
  return rendered;
}

function describeColumn({ name, types, least, most }: Column): string {
  const filled = [...types].filter(([type]) => type !== 'empty').toSorted((a, b) => b[1] - a[1]);
  const kinds =
    filled.length === 0
      ? 'empty'
      : filled.length === 1
        ? filled[0]![0]
        : filled.map(([type, count]) => `${type} × ${count}`).join(', ');
  const empty = filled.length > 0 && types.has('empty') ? `, ${types.get('empty')} empty` : '';
  return `- ${cellOf(name, 100)}: ${kinds}${isNumeric(types) ? `, ${least} to ${most}` : ''}${empty}`;
}

function isNumeric(types: ReadonlyMap<CellType, number>): boolean {
  const kinds = [...types.keys()].filter((type) => type !== 'empty');
  return kinds.length > 0 && kinds.every((type) => type === 'integer' || type === 'number');
}

/** Returns a cell on one line, with escapes for Markdown. */
function cellOf(cell: string, limit: number): string {
  return oneLine(cell, limit).replace(/[\\|]/g, '\\$&');
}

function oneLine(text: string, limit: number): string {
  const line = text.trim().replace(/(?<!\s)\s*\n\s*/g, ' ');
  return line.length > limit ? `${line.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}
