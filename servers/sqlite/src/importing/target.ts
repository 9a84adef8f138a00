import type { Database } from '../lane/driver.ts';
import { LaneError } from '../lane/error.ts';
import { quoteName } from '../sql/names.ts';
import type { ImportPlan } from './plan.ts';
import type { Row } from './rows.ts';
import { typeOf } from './types.ts';

export interface TargetColumn {
  readonly name: string;
  /** as it was declared */
  readonly type: string;
}

/** The table that rows go to. */
export interface Target {
  /** as it is written in the schema */
  readonly table: string;
  /** those that take values, in order */
  readonly columns: readonly TargetColumn[];
}

/** The table as it is there; undefined when there is none. */
export function targetOf(db: Database, table: string): Target | undefined {
  const found = db
    .prepare("SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND lower(name) = lower(?)")
    .get(table) as { name: string; type: string } | undefined;
  if (found === undefined) return undefined;
  const { name, type } = found;
  if ((type !== 'table' && type !== 'virtual') || /^sqlite_/i.test(name)) {
    const what = type === 'view' ? 'a view' : 'a table of SQLite itself';
    throw new LaneError(`${name} takes no import: it is ${what}`, {
      code: 'not-a-table',
      hint: 'name a table; list_tables names them',
    });
  }
  // 1 is a hidden column of a virtual table, 2 and 3 are computed
  const columns = db
    .prepare("SELECT name, type FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0 ORDER BY cid")
    .all(name) as TargetColumn[];
  return { table: name, columns };
}

/** Which column of the table each of the file goes to; undefined for what is left out. */
export type Mapping = (key: string) => string | undefined;

/** The names that the caller gave for columns of the file; without any, each keeps its name. */
export function mappingOf({ columns, create }: Pick<ImportPlan, 'columns' | 'create'>): Mapping {
  if (columns === undefined) return (key) => key;
  const named = new Map(
    Object.entries(columns).map(([key, to]) => [key, create ? withoutType(to)[0] : to] as const),
  );
  return (key) => named.get(key);
}

const declared = /^(.*\S)\s+(INTEGER|INT|REAL|TEXT|BLOB|ANY)$/i;

function withoutType(named: string): [name: string, type: string | undefined] {
  const [, name, type] = declared.exec(named) ?? [];
  return name === undefined ? [named, undefined] : [name, type?.toUpperCase()];
}

/** Makes a STRICT table whose columns have the types that the first rows suggest, or that the caller says. */
export function createTarget(
  db: Database,
  table: string,
  plan: Pick<ImportPlan, 'columns' | 'create' | 'format'>,
  sample: readonly Row[],
): Target {
  const types = new Map<string, ReturnType<typeof typeOf>>();
  for (const { keys, values, problem } of sample) {
    if (problem !== undefined) continue;
    for (const [index, value] of values.entries()) {
      const key = keys?.[index] ?? `column_${index + 1}`;
      types.set(key, typeOf(value, plan.format, types.get(key)));
    }
    if (values.length === 0) for (const key of keys ?? []) types.set(key, types.get(key));
  }
  const mapping = mappingOf(plan);
  const columns: TargetColumn[] = [];
  for (const [key, inferred] of types) {
    const name = mapping(key);
    if (name === undefined) continue;
    const said = plan.columns?.[key];
    const type = (said === undefined ? undefined : withoutType(said)[1]) ?? inferred ?? 'TEXT';
    columns.push({ name, type });
  }
  if (columns.length === 0) {
    throw new LaneError('the file has no rows that tell the columns of the table', {
      code: 'empty-file',
      hint: 'make the table first, or name its columns in columns',
    });
  }
  const list = columns.map(({ name, type }) => `${quoteName(name)} ${type}`).join(', ');
  db.exec(`CREATE TABLE main.${quoteName(table)} (${list}) STRICT`);
  return { table, columns };
}
