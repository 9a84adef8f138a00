import { LaneError } from '../../shared/error.ts';
import { refusalOf } from '../../shared/sql/allowed.ts';
import type { Statement } from '../../shared/sql/statement.ts';
import { type Connection, lastChanges } from '../connection.ts';
import { readSql } from '../formats/sql-read.ts';
import type { Pull } from '../formats/text.ts';
import { inspect } from '../policy/inspect.ts';
import { assertAllowed } from '../policy/policy.ts';
import { literalInsert } from './literal-insert.ts';
import type { Imported } from './result.ts';

/**
 * Matches the statements that the sqlite3 command line puts around a dump. They are skipped: the import is one
 * transaction anyway, with foreign keys checked at its end.
 */
const aroundDump =
  /^(?:BEGIN(?: TRANSACTION)?|COMMIT(?: TRANSACTION)?|END(?: TRANSACTION)?|PRAGMA\s+foreign_keys\s*=\s*(?:OFF|ON))$/i;
const headerValue = /^PRAGMA\s+(user_version|application_id)\s*=\s*(-?\d{1,10})$/i;

const changing = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE']);
const definitions = new Set(['CREATE', 'DROP', 'ALTER', 'ANALYZE', 'REINDEX']);

/** Runs the statements of a script, within the caller's transaction; the first failure ends it. */
export function importScript(connection: Connection, pull: Pull<string>): Imported {
  const { db } = connection;
  const tables = new Set<string>();
  let statements = 0;
  let inserted = 0;
  let updated = 0;
  let deleted = 0;
  let schema = false;
  for (const { line, statement } of readSql(pull)) {
    if (aroundDump.test(statement.text)) continue;
    const [, name, value] = headerValue.exec(statement.text) ?? [];
    try {
      if (name !== undefined) db.pragma(`${name.toLowerCase()} = ${Number(value)}`);
      else {
        const changes = runOne(connection, statement, tables);
        if (statement.action === 'UPDATE') updated += changes;
        else if (statement.action === 'DELETE') deleted += changes;
        else inserted += changes;
      }
    } catch (error) {
      throw atLine(error, line);
    }
    schema ||= definitions.has(statement.action);
    statements += 1;
    if (!db.inTransaction) {
      throw new LaneError(`line ${line}: the statement ended the transaction; nothing was imported`, {
        code: 'rejected',
        hint: 'look for a trigger with RAISE(ROLLBACK)',
      });
    }
  }
  return { ...nothing, inserted, updated, deleted, statements, tables: [...tables], schema };
}

const nothing = { ignored: 0, rejected: 0, rejects: [], created: false };

function runOne(connection: Connection, statement: Statement, tables: Set<string>): number {
  const refusal = refusalOf(statement, 'script');
  if (refusal !== undefined) throw new LaneError(refusal.message, { code: 'refused', hint: refusal.hint });
  // most statements of a dump insert literals: all for one table need one check
  const literal = literalInsert(statement);
  const sql = literal?.sql ?? statement.text;
  const prepared = preparedOf(connection, sql, tables, literal !== undefined);
  if (prepared.reader) {
    for (const _row of prepared.iterate()) {
      // queries of a script are run for their checks; the rows are dropped
    }
    return changing.has(statement.action) ? lastChanges(connection) : 0;
  }
  return prepared.run(...(literal?.values ?? [])).changes;
}

type Prepared = ReturnType<Connection['prepare']>;

interface Last {
  readonly sql: string;
  readonly statement: Prepared;
}

const lasts = new WeakMap<Set<string>, Last>();

function preparedOf(connection: Connection, sql: string, tables: Set<string>, keeps: boolean): Prepared {
  const last = lasts.get(tables);
  if (last?.sql === sql) return last.statement;
  const program = inspect(connection, sql);
  assertAllowed(program, 'write');
  for (const table of program.writesTables) tables.add(table);
  const statement = connection.db.prepare(sql);
  if (keeps) lasts.set(tables, { sql, statement });
  else lasts.delete(tables);
  return statement;
}

/** Prefixes the message of an error with its line. */
function atLine(error: unknown, line: number): unknown {
  if (error instanceof Error) error.message = `line ${line}: ${error.message}`;
  return error;
}
