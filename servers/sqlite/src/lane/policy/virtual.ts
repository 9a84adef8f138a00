import { nameOf, quoteName } from '../../shared/sql/names.ts';
import type { Statement } from '../../shared/sql/statement.ts';
import type { Connection } from '../connection.ts';
import { sqliteCode } from '../failure.ts';

/** Pragmas that only read; some other table-valued pragmas change files or settings. */
const readOnlyPragmas =
  'table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list foreign_key_check collation_list ' +
  'function_list module_list pragma_list compile_options page_count page_size freelist_count encoding user_version ' +
  'application_id schema_version integrity_check quick_check';

/** Eponymous virtual tables and table-valued functions that callers may use. */
const builtIn: ReadonlySet<string> = new Set([
  'json_each',
  'json_tree',
  'jsonb_each',
  'jsonb_tree',
  'dbstat',
  ...readOnlyPragmas.split(' ').map((name) => `pragma_${name}`),
]);

/**
 * Virtual tables that a program may use although the statement does not name them: in views and triggers, and in checks
 * of ALTER TABLE.
 */
const implicit = ['json_each', 'json_tree', 'pragma_quick_check'];

/** A virtual table of a schema. */
export interface VirtualTable {
  readonly schema: string;
  readonly table: string;
}

/**
 * Returns the names of the virtual tables with these pointers, which are all that a program contains; undefined for
 * those that are neither in a schema nor allowed.
 */
export function virtualNames(
  connection: Connection,
  pointers: ReadonlySet<string>,
  { statement, virtual }: { statement: Statement; virtual: readonly VirtualTable[] },
): Map<string, string | undefined> {
  const names = new Map<string, string | undefined>([...pointers].map((pointer) => [pointer, undefined]));
  let missing = pointers.size;
  for (const [name, sql] of missing === 0 ? [] : candidates(statement, virtual)) {
    const pointer = pointerOf(connection, sql);
    if (pointer === undefined || !names.has(pointer) || names.get(pointer) !== undefined) continue;
    names.set(pointer, name);
    missing -= 1;
    if (missing === 0) break;
  }
  return names;
}

/** Returns the candidates by name with their SQL, those that the statement names first. */
function candidates({ text, tokens }: Statement, virtual: readonly VirtualTable[]): Map<string, string> {
  const spoken = new Set(tokens.map((token) => nameOf(text, token)?.toLowerCase()));
  const made = virtual
    .map((entry) => ({ ...entry, isSpoken: spoken.has(entry.table.toLowerCase()) }))
    .sort((a, b) => Number(b.isSpoken) - Number(a.isSpoken))
    .map(({ schema, table }): [string, string] => [
      schema === 'main' ? table : `${schema}.${table}`,
      `${quoteName(schema)}.${quoteName(table)}`,
    ]);
  const own = [...builtIn].filter((name) => spoken.has(name)).concat(implicit);
  return new Map([...own.map((name): [string, string] => [name, quoteName(name)]), ...made]);
}

function pointerOf({ db }: Connection, table: string): string | undefined {
  try {
    const program = db.prepare(`EXPLAIN SELECT 1 FROM ${table}`).raw().all() as Instruction[]; // columns of EXPLAIN
    return program.find(([, opcode]) => opcode === 'VOpen')?.[5] as string | undefined; // P4 of VOpen is text
  } catch (error) {
    // the program does not use a table that cannot be opened
    if (sqliteCode(error) !== undefined) return undefined;
    throw error;
  }
}

/** An instruction: one row of EXPLAIN. Source: https://sqlite.org/opcode.html */
export type Instruction = readonly [
  address: number,
  opcode: string,
  p1: number,
  p2: number,
  p3: number,
  p4: string | number | null,
  p5: number,
  comment: string | null,
];
