import { defined } from '@rootbound/kit/primitives';
import { codeOf, LaneError, messageOf } from '../shared/error.ts';
import type { LaneFailure } from '../shared/frames.ts';

/** Failures by SQLite result code; the longest name that is a prefix of the error's code applies. */
const meanings: Readonly<Record<string, Omit<LaneFailure, 'message'>>> = {
  SQLITE_BUSY: {
    code: 'busy',
    retryable: true,
    hint: 'another program holds the lock: try again',
  },
  SQLITE_LOCKED: { code: 'busy', retryable: true, hint: 'try again' },
  SQLITE_READONLY: { code: 'read-only', hint: 'the statement would write' },
  SQLITE_READONLY_ROLLBACK: {
    code: 'hot-journal',
    hint: 'a writer ended within a transaction: open the database once with write access, which rolls it back',
  },
  SQLITE_READONLY_RECOVERY: {
    code: 'hot-journal',
    hint: 'the WAL must be recovered: open the database once with write access',
  },
  SQLITE_CONSTRAINT: { code: 'constraint' },
  SQLITE_NOMEM: {
    code: 'too-large',
    hint: 'the query exceeded its memory limit: request fewer rows or columns',
  },
  SQLITE_TOOBIG: { code: 'too-large', hint: 'a value exceeds the limit of SQLite' },
  SQLITE_FULL: {
    code: 'disk-full',
    hint: 'the disk is full, or the database has reached the size limit of this server',
  },
  SQLITE_IOERR: { code: 'io', hint: 'reading or writing the file failed' },
  SQLITE_IOERR_WRITE: {
    code: 'disk-full',
    hint: 'a temporary file cannot grow: request fewer rows or columns',
  },
  SQLITE_CORRUPT: { code: 'corrupt', hint: 'the file is damaged: restore a backup' },
  SQLITE_NOTADB: { code: 'not-a-database', hint: 'list_databases lists the databases' },
  SQLITE_CANTOPEN: {
    code: 'cannot-open',
    hint: 'the file or one of its side files (-wal, -shm, -journal) cannot be opened',
  },
  SQLITE_AUTH: { code: 'refused' },
  SQLITE_ERROR: { code: 'sql' },
  SQLITE_SCHEMA: { code: 'busy', retryable: true, hint: 'the schema changed during the call: try again' },
  SQLITE_RANGE: { code: 'parameters' },
};

/** Returns the failure to report for an error; undefined for a fault of this server. */
export function failureOf(error: unknown): LaneFailure | undefined {
  if (error instanceof LaneError) {
    const { code, message, hint, retryable } = error;
    return { code, message, ...defined({ hint }), ...(retryable && { retryable }) };
  }
  const code = sqliteCode(error);
  if (code === undefined) return undefined;
  const message = messageOf(error);
  for (let name = code; name.length > 'SQLITE'.length; name = name.slice(0, name.lastIndexOf('_'))) {
    const meaning = meanings[name];
    if (meaning !== undefined) return { ...hintFor(message), ...meaning, message };
  }
  return { code: 'sqlite', message: `${message} (${code})` };
}

/** Hints for messages about SQL. */
const hints: readonly (readonly [RegExp, string])[] = [
  [/^no such table: /, 'list_tables lists the tables'],
  [
    /^no such column: |has no column named /,
    'describe_table lists the columns of a table; write text in single quotes',
  ],
  [/^near "/, 'use the SQL of SQLite; the error is at or before that word'],
];

function hintFor(message: string): { hint?: string } {
  const found = hints.find(([pattern]) => pattern.test(message));
  return found === undefined ? {} : { hint: found[1] };
}

/** Returns the extended result code of an SQLite error, such as `SQLITE_BUSY_SNAPSHOT`; undefined for other errors. */
export function sqliteCode(error: unknown): string | undefined {
  const code = codeOf(error);
  return typeof code === 'string' && code.startsWith('SQLITE') ? code : undefined;
}
