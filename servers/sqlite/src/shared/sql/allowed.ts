import type { Statement } from './statement.ts';

/** The statements that a tool accepts: one query, one change, statements of a script, or one to explain. */
export type Allowed = 'read' | 'write' | 'script' | 'explain';

const reads = ['SELECT', 'VALUES'];
const changes = ['INSERT', 'REPLACE', 'UPDATE', 'DELETE'];
const definitions = ['CREATE', 'DROP', 'ALTER', 'ANALYZE', 'REINDEX'];

const allowedActions: Readonly<Record<Allowed, ReadonlySet<string>>> = {
  read: new Set(reads),
  write: new Set([...changes, ...definitions]),
  script: new Set([...reads, ...changes, ...definitions]),
  explain: new Set([...reads, ...changes]),
};

/** Statements that no tool runs, and what to use instead. */
const refused: Readonly<Record<string, string>> = {
  PRAGMA: 'describe_table returns columns, keys and indexes; connection settings cannot be changed',
  ATTACH: 'pass the path of the database in the argument database',
  DETACH: 'pass the path of the database in the argument database',
  VACUUM: 'backup_database writes a copy of the database',
  BEGIN: 'run_script runs several statements as one transaction',
  COMMIT: 'each statement commits itself; run_script runs several as one transaction',
  END: 'each statement commits itself; run_script runs several as one transaction',
  ROLLBACK: 'set dry_run to undo a statement; run_script undoes all if one statement fails',
  SAVEPOINT: 'run_script runs several statements as one transaction',
  RELEASE: 'run_script runs several statements as one transaction',
};

/** Why a statement is refused, and what to do instead. */
export interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** Returns why a tool of this kind refuses the statement; undefined if it runs it. */
export function refusalOf(statement: Statement, allowed: Allowed): Refusal | undefined {
  const { verb, action, explain } = statement;
  const instead = refused[verb];
  if (instead !== undefined) {
    const hint =
      allowed === 'script' && isTransaction(verb) ? 'a script is one transaction: remove it' : instead;
    return { message: `${verb} is refused`, hint };
  }
  if (explain !== undefined) {
    const explains = allowed === 'read' || allowed === 'explain';
    if (explains && (allowedActions.explain.has(action) || action === 'WITH')) return undefined;
    return {
      message: 'EXPLAIN is refused',
      hint: 'explain_query explains SELECT, INSERT, UPDATE and DELETE',
    };
  }
  // SQLite itself reports what may not follow WITH
  return allowedActions[allowed].has(action) || action === 'WITH' ? undefined : otherTool(action, allowed);
}

function otherTool(action: string, allowed: Allowed): Refusal {
  if (allowedActions.read.has(action))
    return { message: `${action} changes nothing`, hint: 'use read_query' };
  if (allowedActions.write.has(action)) {
    return allowed === 'explain'
      ? {
          message: `${action} has no query plan`,
          hint: 'explain_query takes SELECT, INSERT, UPDATE and DELETE',
        }
      : { message: `${action} changes the database`, hint: 'use write_query' };
  }
  return {
    message: 'no SQL statement begins with this word',
    hint: 'begin with SELECT, WITH, INSERT, UPDATE, DELETE or CREATE',
  };
}

function isTransaction(verb: string): boolean {
  return ['BEGIN', 'COMMIT', 'END'].includes(verb);
}
