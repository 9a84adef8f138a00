import type { Params } from '../../shared/sql/parameters.ts';
import { defines, type PlannedStatement } from '../../shared/write-plan.ts';
import { type Connection, lastChanges, rowCount } from '../connection.ts';
import { countChanges, type Replacing, type TableChanges } from './counting.ts';
import { type Effects, effectsOf } from './effects.ts';
import { schemaNotes } from './notes.ts';
import { type Caps, type Returned, stepThrough } from './returned.ts';
import { readSchema, type SchemaChanges, schemaChanges, schemaVersion } from './schema.ts';

/** The effects of one statement, within a transaction that is still open. */
export interface Applied {
  /** rows that the statement itself changed, without triggers and foreign keys */
  readonly changes: number;
  readonly lastInsertRowid: bigint | undefined;
  /** rows changed in each table, including those changed by triggers and foreign keys */
  readonly tables: readonly TableChanges[];
  /** written virtual tables, whose rows cannot be counted */
  readonly uncounted: readonly string[];
  readonly schema: SchemaChanges | undefined;
  readonly returned: Returned | undefined;
}

/** Runs a statement that has passed checkStatement; the caller holds a transaction. */
export function applyStatement(
  connection: Connection,
  planned: PlannedStatement,
  params: Params | undefined,
  caps: Caps,
): Applied {
  const effects = effectsOf(connection, planned);
  if (defines(planned)) return define(connection, planned, params, effects, caps);
  return change(connection, planned, params, effects, caps);
}

function change(
  connection: Connection,
  planned: PlannedStatement,
  params: Params | undefined,
  effects: Effects,
  caps: Caps,
): Applied {
  const { tables, virtual } = effects;
  const run = (): Stepped => step(connection, planned, params, caps);
  const replacing = replacingOf(connection, planned, effects);
  if (isPlain(planned, effects, replacing)) {
    const stepped = run();
    const [only] = [...tables, ...virtual];
    return {
      ...stepped,
      tables: [byAction(only!, planned, stepped.changes)].filter(isTouched),
      uncounted: [],
      schema: undefined,
    };
  }
  const { outcome, tables: counted } = countChanges(connection, tables, replacing, run);
  return {
    ...outcome,
    tables: counted.filter(isTouched),
    uncounted: virtual,
    schema: undefined,
  };
}

/** Returns whether SQLite's own count of changes is complete. */
function isPlain(
  { upserts }: PlannedStatement,
  { tables, virtual, nested }: Effects,
  replacing: Replacing,
): boolean {
  return tables.length + virtual.length === 1 && !nested && upserts !== true && replacing === 'never';
}

function replacingOf(
  connection: Connection,
  { replaces }: PlannedStatement,
  { tables, nested }: Effects,
): Replacing {
  const notes = schemaNotes(connection);
  const may =
    replaces === true ||
    tables.some((table) => notes.replacing.has(table.toLowerCase())) ||
    (nested && notes.triggersReplace);
  if (!may) return 'never';
  // with recursive_triggers, REPLACE would also fire the schema's own delete triggers
  const ownTriggers = notes.viewTriggers || tables.some((table) => notes.triggered.has(table.toLowerCase()));
  return ownTriggers ? 'by-difference' : 'by-triggers';
}

function byAction(table: string, { action }: PlannedStatement, changes: number): TableChanges {
  return {
    table,
    inserted: action === 'INSERT' || action === 'REPLACE' ? changes : 0,
    updated: action === 'UPDATE' ? changes : 0,
    deleted: action === 'DELETE' ? changes : 0,
  };
}

type Stepped = Pick<Applied, 'changes' | 'lastInsertRowid' | 'returned'>;

function step(
  connection: Connection,
  { sql, action }: PlannedStatement,
  params: Params | undefined,
  caps: Caps,
): Stepped {
  const inserts = action === 'INSERT' || action === 'REPLACE';
  if (inserts) markRowid(connection);
  const returned = stepThrough(connection, sql, params, caps);
  const writes = action !== 'SELECT' && action !== 'VALUES';
  const changes = writes ? lastChanges(connection) : 0;
  return { changes, lastInsertRowid: inserts ? insertedRowid(connection) : undefined, returned };
}

/** Runs a schema change. DROP TABLE deletes rows, also by foreign keys to it; CREATE TABLE … AS inserts rows. */
function define(
  connection: Connection,
  { sql, action, dropped }: PlannedStatement,
  params: Params | undefined,
  { tables }: Effects,
  caps: Caps,
): Applied {
  const version = schemaVersion(connection);
  const before = readSchema(connection);
  const gone = tables.find((table) => table.toLowerCase() === dropped?.toLowerCase());
  const lost = gone === undefined ? 0 : rowCount(connection, gone);
  const run = (): unknown => stepThrough(connection, sql, params, caps);
  const counted = countChanges(connection, gone === undefined ? [] : tables, 'never', run);
  const schema =
    schemaVersion(connection) === version ? undefined : schemaChanges(before, readSchema(connection));
  const whole = [
    ...(gone === undefined ? [] : [{ table: gone, inserted: 0, updated: 0, deleted: lost }]),
    ...counted.tables.filter(({ table }) => table !== gone),
    ...(action === 'CREATE' ? filledTables(connection, schema) : []),
  ];
  return {
    changes: 0,
    lastInsertRowid: undefined,
    tables: whole.filter(isTouched),
    uncounted: [],
    schema,
    // ALTER TABLE checks for rows that do not fit, so it has columns
    returned: undefined,
  };
}

function filledTables(connection: Connection, schema: SchemaChanges | undefined): TableChanges[] {
  const tables = schema?.added.filter(({ type }) => type === 'table') ?? [];
  const { virtual } = schemaNotes(connection);
  // a virtual table is created with its shadow tables
  if (tables.some(({ name }) => virtual.has(name.toLowerCase()))) return [];
  return tables.map(({ name }) => ({
    table: name,
    inserted: rowCount(connection, name),
    updated: 0,
    deleted: 0,
  }));
}

function isTouched({ inserted, updated, deleted }: TableChanges): boolean {
  return inserted + updated + deleted > 0;
}

/** A rowid that no row has; if it is still the last one, nothing was inserted. */
const NONE = -9_223_372_036_854_775_807n;
const TABLE = 'temp."rootbound rowid"';

/** Sets the connection's last insert rowid to the marker. */
function markRowid(connection: Connection): void {
  connection.prepare(`CREATE TABLE IF NOT EXISTS ${TABLE} (x)`).run();
  connection.prepare(`INSERT OR REPLACE INTO ${TABLE} (rowid) VALUES (${NONE})`).run();
}

/**
 * Returns the last rowid inserted since the marker; undefined if none. Triggers and WITHOUT ROWID tables do not count.
 */
function insertedRowid(connection: Connection): bigint | undefined {
  const last = connection.prepare('SELECT last_insert_rowid()').pluck().safeIntegers().get() as bigint; // by safeIntegers
  return last === NONE ? undefined : last;
}
