import { LaneError } from '../../shared/error.ts';
import { splitStatements } from '../../shared/sql/statement.ts';
import type { Connection } from '../connection.ts';
import type { Statement as Prepared } from '../driver.ts';
import { type Program, programOf } from './program.ts';
import { readContents, type SchemaContents } from './schema-contents.ts';
import { Schemas } from './schemas.ts';

const MOST_KEPT = 200;

interface Inspected {
  readonly dataVersion: Prepared;
  readonly schemaVersion: Prepared;
  data: unknown;
  schema: unknown;
  /** whether nothing is kept any more: a schema that is rolled back leaves its version to another */
  schemaChanges: boolean;
  contents: SchemaContents;
  readonly programs: Map<string, Program>;
}

const inspected = new WeakMap<Connection, Inspected>();

/**
 * What a statement would do, from SQLite's own program of it; only for texts that have passed `checkStatement`, for a
 * pragma has its effect when it is prepared. In a verb, before `connection.prepare(sql)`:
 * `assertAllowed(inspect(connection, sql), connection.mode);`
 * A writer calls it within BEGIN IMMEDIATE: without, a trigger that another program makes meanwhile would run unseen.
 */
export function inspect(connection: Connection, sql: string): Program {
  const state = stateOf(connection);
  const known = state.programs.get(sql);
  if (known !== undefined) {
    state.programs.delete(sql);
    state.programs.set(sql, known);
    return known;
  }
  const [statement, second] = splitStatements(sql);
  if (statement === undefined || second !== undefined)
    throw new LaneError('exactly one statement is inspected at a time', { code: 'multiple-statements' });
  const schemas = new Schemas(connection, state.contents);
  const program = programOf(connection, statement, schemas);
  if (program.ddl && connection.mode === 'write') state.schemaChanges = true;
  // the versions tell nothing of other schemas
  if (!schemas.usedOthers) state.programs.set(sql, program);
  if (state.programs.size > MOST_KEPT) state.programs.delete(state.programs.keys().next().value!);
  return program;
}

/** Lets go of what is known of a connection's schema: the version of one that is rolled back may come again for another. */
export function forgetPrograms(connection: Connection): void {
  inspected.delete(connection);
}

function stateOf(connection: Connection): Inspected {
  const state = inspected.get(connection) ?? begin(connection);
  const data = state.dataVersion.get();
  // a reader's schema is changed by others only, and the schema's version costs four times as much
  if (data === state.data && connection.mode === 'read') return state;
  const schema = state.schemaVersion.get();
  const isSame = schema === state.schema && (data === state.data || connection.mode === 'read');
  state.data = data;
  state.schema = schema;
  if (isSame && !state.schemaChanges) return state;
  // EXPLAIN works with the schema as the connection last saw it; this looks again
  state.contents = readContents(connection, 'main');
  state.programs.clear();
  return state;
}

function begin(connection: Connection): Inspected {
  const version = (pragma: string): Prepared => connection.db.prepare(`PRAGMA ${pragma}`).pluck();
  const state: Inspected = {
    dataVersion: version('data_version'),
    schemaVersion: version('schema_version'),
    data: undefined,
    schema: undefined,
    schemaChanges: false,
    contents: { tableAt: new Map(), tableOf: new Map(), virtual: [] },
    programs: new Map(),
  };
  inspected.set(connection, state);
  return state;
}
