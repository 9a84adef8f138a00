import { defined } from '@rootbound/kit/primitives';
import { LaneError } from '../shared/error.ts';
import type { LaneFailure } from '../shared/frames.ts';

/** What SQLite's result codes mean to a caller, by the longest name that begins the code of the error. */
const meanings: Readonly<Record<string, Omit<LaneFailure, 'message'>>> = {
  SQLITE_BUSY: {
    code: 'busy',
    retryable: true,
    hint: 'another program holds the lock: try again in a moment',
  },
  SQLITE_LOCKED: { code: 'busy', retryable: true, hint: 'try again in a moment' },
  SQLITE_READONLY: { code: 'read-only', hint: 'the statement would write' },
  SQLITE_READONLY_ROLLBACK: {
    code: 'hot-journal',
    hint: 'a writer ended within a transaction: open the database once where it may be written, to roll that back',
  },
  SQLITE_READONLY_RECOVERY: {
    code: 'hot-journal',
    hint: 'the WAL has to be recovered: open the database once where it may be written',
  },
  SQLITE_CONSTRAINT: { code: 'constraint' },
  SQLITE_NOMEM: {
    code: 'too-large',
    hint: 'it needs more memory than a query may take: ask for less at once',
  },
  SQLITE_TOOBIG: { code: 'too-large', hint: 'a value is larger than SQLite takes' },
  SQLITE_FULL: {
    code: 'disk-full',
    hint: 'the disk, or the size that this server lets a database grow to, is full',
  },
  SQLITE_IOERR: { code: 'io', hint: 'reading or writing the file failed' },
  SQLITE_IOERR_WRITE: { code: 'disk-full', hint: 'a file cannot grow further: ask for less at once' },
  SQLITE_CORRUPT: { code: 'corrupt', hint: 'the file is damaged: restore a backup' },
  SQLITE_NOTADB: { code: 'not-a-database', hint: 'list_databases names those that are' },
  SQLITE_CANTOPEN: {
    code: 'cannot-open',
    hint: 'the file, or one that SQLite keeps beside it, cannot be opened',
  },
  SQLITE_AUTH: { code: 'refused' },
  SQLITE_ERROR: { code: 'sql' },
  SQLITE_SCHEMA: { code: 'busy', retryable: true, hint: 'the schema was changed meanwhile: try again' },
  SQLITE_RANGE: { code: 'parameters' },
};

/** What a caller is told of an error; undefined when it is a fault of this server. */
export function failureOf(error: unknown): LaneFailure | undefined {
  if (error instanceof LaneError) {
    const { code, message, hint, retryable } = error;
    return { code, message, ...defined({ hint }), ...(retryable && { retryable }) };
  }
  const code = sqliteCode(error);
  if (code === undefined) return undefined;
  for (let name = code; name.length > 'SQLITE'.length; name = name.slice(0, name.lastIndexOf('_'))) {
    const meaning = meanings[name];
    const { message } = error as Error;
    if (meaning !== undefined) return { ...hintFor(message), ...meaning, message };
  }
  return { code: 'sqlite', message: `${(error as Error).message} (${code})` };
}

/** What names the things that a statement has not found. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/^no such table: /, 'list_tables names those that are there'],
  [
    /^no such column: |has no column named /,
    'describe_table names the columns of a table; text goes in single quotes',
  ],
  [/^near "/, 'the SQL is that of SQLite: look at what comes before that word'],
];

function hintFor(message: string): { hint?: string } {
  const found = hints.find(([pattern]) => pattern.test(message));
  return found === undefined ? {} : { hint: found[1] };
}

/** The extended result code of an error of SQLite, such as `SQLITE_BUSY_SNAPSHOT`. */
export function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  const { code } = error;
  return typeof code === 'string' && code.startsWith('SQLITE') ? code : undefined;
}
