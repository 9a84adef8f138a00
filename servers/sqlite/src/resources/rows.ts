import { invalidCursor, type Json, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { type ReadOutcome, ToolError } from '@rootbound/protocol';
import { bytesOf, contentOf, type DatabaseRead, tooLarge } from './content.ts';
import { toSqliteUri } from './uri.ts';

const MOST_ROWS = 500;
/** Bytes reserved for the members beside the rows. */
const BESIDE_BYTES = 512;
const LEAST_BYTES = 64;
const KIND = 'rows';
const SOME_COLUMNS = 'select some of its columns with read_query';

/** Reads rows of a table in key order: as many as fit, and a link to the next page. */
export async function readRows(
  { context, database, uri }: DatabaseRead,
  table: string,
  cursor: string | undefined,
): Promise<ReadOutcome> {
  const { scope, signal } = context;
  const query: Json = [database.real, table.toLowerCase()];
  const after = cursor === undefined ? undefined : openPosition(KIND, query, cursor, isAfter);
  for (let bytes = scope.maxOutput - BESIDE_BYTES; ; bytes = Math.floor(bytes / 2)) {
    const cellBytes = Math.max(LEAST_BYTES, bytes >> 2);
    const args = { table, after, rows: MOST_ROWS, bytes: Math.max(1, bytes), cellBytes };
    const { facts, parts } = await asked(() =>
      scope.engine.lanes.run(database, 'read', 'rows', args, { signal }),
    );
    const next =
      facts.next === undefined
        ? undefined
        : toSqliteUri(database.displayPath, {
            kind: 'rows',
            table,
            cursor: sealPosition(KIND, query, facts.next as Json), // parsed from JSON
          });
    const head = JSON.stringify({
      source: { database: database.displayPath, tables: [facts.table] },
      columns: facts.columns,
      truncated: next !== undefined,
      ...defined({ next }),
    });
    const outcome = contentOf(uri, `${head.slice(0, -1)},"rows":${parts.join('')}}`);
    if (bytesOf(outcome) <= scope.maxOutput) return outcome;
    if (bytes < LEAST_BYTES) throw tooLarge(scope.maxOutput, SOME_COLUMNS);
  }
}

/** Reads one row by its key. */
export async function readRow(
  { context, database, uri }: DatabaseRead,
  table: string,
  key: readonly string[],
): Promise<ReadOutcome> {
  const { scope, signal } = context;
  for (let cellBytes = scope.maxOutput >> 2; ; cellBytes >>= 1) {
    const args = { table, key, cellBytes: Math.max(LEAST_BYTES, cellBytes) };
    const { facts, parts } = await scope.engine.lanes.run(database, 'read', 'row', args, { signal });
    const head = JSON.stringify({
      source: { database: database.displayPath, tables: [facts.table] },
      key: facts.key,
      columns: facts.columns,
    });
    const outcome = contentOf(uri, `${head.slice(0, -1)},"row":${parts.join('')}}`);
    if (bytesOf(outcome) <= scope.maxOutput) return outcome;
    if (cellBytes < LEAST_BYTES) throw tooLarge(scope.maxOutput, SOME_COLUMNS);
  }
}

/** Reports a key that no longer matches that of the table as an invalid cursor. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ToolError && error.code === 'other-key') throw invalidCursor();
    throw error;
  }
}

function isAfter(value: unknown): value is readonly unknown[] | number {
  return Array.isArray(value) || (Number.isSafeInteger(value) && Number(value) >= 0);
}
