import type { Statement } from './statement.ts';

/** What a tool lets through: rows, one change, one statement of a script, or what can be explained. */
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

/** What no tool runs, and which tool does the job. */
const refused: Readonly<Record<string, string>> = {
  PRAGMA: 'describe_table tells columns, keys and indexes; settings of the connection are not for callers',
  ATTACH: 'every tool takes the path of the database that it is to use in database',
  DETACH: 'every tool takes the path of the database that it is to use in database',
  VACUUM: 'backup_database writes a copy of the database',
  BEGIN: 'run_script runs several statements as one transaction',
  COMMIT: 'a statement commits by itself; run_script runs several as one transaction',
  END: 'a statement commits by itself; run_script runs several as one transaction',
  ROLLBACK: 'dry_run undoes what a statement has done; run_script undoes all when one statement fails',
  SAVEPOINT: 'run_script runs several statements as one transaction',
  RELEASE: 'run_script runs several statements as one transaction',
};

/** Why something is not run, and what to do instead. */
export interface Refusal {
  readonly message: string;
  readonly hint: string;
}

/** Why a tool of this kind does not run the statement; undefined when it does. */
export function refusalOf(statement: Statement, allowed: Allowed): Refusal | undefined {
  const { verb, action, explain } = statement;
  const instead = refused[verb];
  if (instead !== undefined) {
    const hint =
      allowed === 'script' && isTransaction(verb) ? 'a script is one transaction: leave it out' : instead;
    return { message: `${verb} is not run here`, hint };
  }
  if (explain !== undefined) {
    const explains = allowed === 'read' || allowed === 'explain';
    if (explains && (allowedActions.explain.has(action) || action === 'WITH')) return undefined;
    return {
      message: 'EXPLAIN is not run here',
      hint: 'explain_query explains SELECT, INSERT, UPDATE and DELETE',
    };
  }
  // what WITH cannot be followed by, SQLite itself tells best
  return allowedActions[allowed].has(action) || action === 'WITH' ? undefined : otherTool(action, allowed);
}

function otherTool(action: string, allowed: Allowed): Refusal {
  if (allowedActions.read.has(action))
    return { message: `${action} changes nothing`, hint: 'read_query runs it' };
  if (allowedActions.write.has(action)) {
    return allowed === 'explain'
      ? {
          message: `${action} has no plan`,
          hint: 'explain_query takes SELECT, INSERT, UPDATE and DELETE',
        }
      : { message: `${action} changes the database`, hint: 'write_query runs it' };
  }
  return {
    message: 'no SQL statement begins like this',
    hint: 'begin with SELECT, WITH, INSERT, UPDATE, DELETE or CREATE',
  };
}

function isTransaction(verb: string): boolean {
  return ['BEGIN', 'COMMIT', 'END'].includes(verb);
}
