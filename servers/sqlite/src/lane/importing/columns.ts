import { defined } from '@rootbound/kit/primitives';
import { LaneError } from '../../shared/error.ts';
import type { ColumnType } from '../../shared/import-plan.ts';
import { foldName } from '../../shared/sql/names.ts';

/** A column whose name differs from that in the file. */
export interface Renamed {
  readonly from: string;
  readonly to: string;
}

/** The column names of a file, made unique. */
export interface Header {
  readonly names: readonly string[];
  readonly renamed: readonly Renamed[];
}

/** Returns the names of a header: trimmed, unique, and one for each column. */
export function headerOf(written: readonly (string | undefined)[]): Header {
  const trimmed = written.map((name) => (name ?? '').trim());
  const names = uniqueNames(trimmed);
  const renamed = names.flatMap((to, at) => {
    const from = written[at] ?? '';
    return from === to ? [] : [{ from, to }];
  });
  return { names, renamed };
}

/** Returns the names of columns without a header. */
export function numberedNames(width: number): string[] {
  return Array.from({ length: width }, (_, at) => `column_${at + 1}`);
}

/** Returns unique names, compared as SQLite does: `name`, `name_2`, and `column_3` for a blank one. */
export function uniqueNames(names: readonly string[]): string[] {
  const reserved = new Set(names.map(foldName));
  const taken = new Set<string>();
  return names.map((name, at) => {
    const wanted = name === '' ? `column_${at + 1}` : name;
    let free = wanted;
    for (
      let count = 2;
      taken.has(foldName(free)) || (free !== name && reserved.has(foldName(free)));
      count += 1
    )
      free = `${wanted}_${count}`;
    taken.add(foldName(free));
    return free;
  });
}

/** A column of the table that the caller named for one of the file, and its type. */
export interface RequestedColumn {
  readonly name: string;
  readonly type?: ColumnType;
}

/** Returns the columns that the caller named, by their names in the file. */
export function requestedColumns(
  columns: Readonly<Record<string, string>>,
  create: boolean,
): ReadonlyMap<string, RequestedColumn> {
  const wanted = new Map<string, RequestedColumn>();
  const taken = new Map<string, string>();
  for (const [key, written] of Object.entries(columns)) {
    const column = create && written !== key ? declarationOf(key, written) : { name: written };
    const before = taken.get(foldName(column.name));
    if (before !== undefined)
      throw invalid(
        `columns maps both ${before} and ${key} to ${column.name}`,
        'map one of them to another column',
      );
    if (column.name.trim() === '')
      throw invalid(`columns has an empty name for ${key}`, 'name a column of the table');
    taken.set(foldName(column.name), key);
    wanted.set(key, column);
  }
  return wanted;
}

const quotedName = /^"((?:[^"]|"")+)"(?:\s+(\w+))?$/;
const typedName = /^(.*\S)\s+(INTEGER|INT|REAL|TEXT|BLOB|ANY)$/i;
const types: Readonly<Record<string, ColumnType>> = {
  INTEGER: 'INTEGER',
  INT: 'INTEGER',
  REAL: 'REAL',
  TEXT: 'TEXT',
  BLOB: 'BLOB',
  ANY: 'ANY',
};
/** Matches keywords of a column definition that rarely end a name. */
const definition =
  /\s(?:PRIMARY\s+KEY|KEY|NOT\s+NULL|NULL|UNIQUE|CHECK|DEFAULT|REFERENCES|COLLATE|GENERATED|AUTOINCREMENT|(?:BIG|SMALL|TINY|MEDIUM)?INT\d*|INTEGER|REAL|TEXT|BLOB|(?:N?VAR)?N?CHAR|VARCHAR2|CLOB|NUMERIC|DECIMAL|NUMBER|MONEY|FLOAT\d*|DOUBLE(?:\s+PRECISION)?|BOOL(?:EAN)?|DATE(?:TIME)?|TIME(?:STAMP)?|STRING|JSONB?|UUID|SERIAL|AS\s*\()(?:\b|(?<=\())/i;

/** Parses `name`, `name TYPE`, `"any name"` and `"any name" TYPE`; throws for other parts of a column definition. */
function declarationOf(key: string, written: string): RequestedColumn {
  const text = written.trim();
  const [, inQuotes, word] = quotedName.exec(text) ?? [];
  if (inQuotes !== undefined) {
    const type = word === undefined ? undefined : types[word.toUpperCase()];
    if (word === undefined || type !== undefined)
      return { name: inQuotes.replaceAll('""', '"'), ...defined({ type }) };
  }
  const [, name, type] = typedName.exec(text) ?? [];
  if (definition.test(name ?? text) || inQuotes !== undefined)
    throw invalid(
      `columns: ${key} is ${written}, which is not a name and one of INTEGER, REAL, TEXT, BLOB, ANY`,
      'for keys and constraints run CREATE TABLE with write_query, then import without create; put a name that contains such words in "quotes"',
    );
  if (name === undefined) return { name: text };
  return { name, type: types[type!.toUpperCase()]! }; // the pattern allows these only
}

/** Returns the same columns by the names of the header; throws if one is missing. */
export function inHeader(
  wanted: ReadonlyMap<string, RequestedColumn>,
  { names, renamed }: Header,
): ReadonlyMap<string, RequestedColumn> {
  const found = new Map<string, RequestedColumn>();
  const missing: string[] = [];
  for (const [key, column] of wanted) {
    const name =
      names.find((own) => own === key) ?? names.find((own) => own === key.trim()) ?? soleOf(renamed, key);
    if (name === undefined) missing.push(key);
    else if (found.has(name)) throw invalid(`columns maps ${name} of the file twice`, 'remove one of them');
    else found.set(name, column);
  }
  if (missing.length > 0) throw notInFile(missing, names);
  return found;
}

/** Returns the only column with this name in the file. */
function soleOf(renamed: readonly Renamed[], key: string): string | undefined {
  const [first, ...more] = renamed.filter(({ from }) => from === key && key !== '');
  return more.length === 0 ? first?.to : undefined;
}

/** Returns the failure of names that are not in the file. */
export function notInFile(missing: readonly string[], names: readonly string[]): LaneError {
  return invalid(
    `columns names columns that are not in the file: ${list(missing)}`,
    `the file has ${list(names)}`,
  );
}

const MOST_LISTED = 50;

/** Returns a list of names, quoted where their ends would be unclear. */
export function list(names: readonly string[]): string {
  const listed = names
    .slice(0, MOST_LISTED)
    .map((name) => (/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)));
  const more = names.length - listed.length;
  return more > 0 ? `${listed.join(', ')} and ${more} more` : listed.join(', ');
}

function invalid(message: string, hint: string): LaneError {
  return new LaneError(message, { code: 'invalid-arguments', hint });
}
