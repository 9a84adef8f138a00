import { LruMap } from '@rootbound/kit/primitives';
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
  /**
   * whether this connection has run DDL: then nothing is cached, since the version of a rolled-back schema is used
   * again
   */
  schemaChanges: boolean;
  contents: SchemaContents;
  readonly programs: LruMap<string, Program>;
}

const inspected = new WeakMap<Connection, Inspected>();

/**
 * Returns the effects of a statement, from SQLite's program of it. Only for texts that have passed `checkStatement`,
 * since a pragma takes effect when it is prepared. In a verb, before `connection.prepare(sql)`:
 * `assertAllowed(inspect(connection, sql), connection.mode);` A writer calls it within BEGIN IMMEDIATE: otherwise a
 * trigger that another program creates meanwhile would run uninspected.
 */
export function inspect(connection: Connection, sql: string): Program {
  const state = stateOf(connection);
  const known = state.programs.get(sql);
  if (known !== undefined) return known;
  const [statement, second] = splitStatements(sql);
  if (statement === undefined || second !== undefined)
    throw new LaneError('inspect takes exactly one statement', { code: 'multiple-statements' });
  const schemas = new Schemas(connection, state.contents);
  const program = programOf(connection, statement, schemas);
  if (program.ddl && connection.mode === 'write') state.schemaChanges = true;
  // schema versions of attached databases are not compared
  if (!schemas.usedOthers) state.programs.set(sql, program);
  return program;
}

/**
 * Drops the cached programs of a connection, after a rollback: the version of a rolled-back schema may be used again
 * for another.
 */
export function forgetPrograms(connection: Connection): void {
  inspected.delete(connection);
}

function stateOf(connection: Connection): Inspected {
  const state = inspected.get(connection) ?? begin(connection);
  const data = state.dataVersion.get();
  // only other programs change a reader's schema, and reading its version costs four times as much
  if (data === state.data && connection.mode === 'read') return state;
  const schema = state.schemaVersion.get();
  const isSame = schema === state.schema && (data === state.data || connection.mode === 'read');
  state.data = data;
  state.schema = schema;
  if (isSame && !state.schemaChanges) return state;
  // EXPLAIN uses the schema that the connection read last; this reads it again
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
    programs: new LruMap(MOST_KEPT),
  };
  inspected.set(connection, state);
  return state;
}
