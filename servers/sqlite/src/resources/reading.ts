import { readFileSync, statSync } from 'node:fs';
import { type ReadOutcome, ToolError } from '@rootbound/protocol';
import { resolveDatabase } from '../databases/resolve.ts';
import type { Workspace } from '../workspace.ts';
import { type DatabaseRead, notFound, tooLarge } from './content.ts';
import { readDatabase, readSchema, readTable } from './facts.ts';
import { readRow, readRows } from './rows.ts';
import { parseSqliteUri, type Target } from './uri.ts';

/** Codes that are reported as a missing resource. */
const missing = new Set(['no-such-table', 'no-such-row', 'not-a-database']);

/** Reads the resource of a `sqlite:` URI. */
export async function readSqliteUri(uri: string, context: DatabaseRead['context']): Promise<ReadOutcome> {
  const found = parseSqliteUri(uri);
  if (found === undefined) throw notFound();
  if ('result' in found) return readResult(uri, found.result, context.scope);
  try {
    const database = resolveDatabase(context.scope.scope, found.database);
    return await readTarget({ context, database, uri }, found.target);
  } catch (error) {
    if (error instanceof ToolError && missing.has(error.code)) throw notFound();
    throw error;
  }
}

function readTarget(place: DatabaseRead, target: Target): Promise<ReadOutcome> {
  switch (target.kind) {
    case 'database':
      return readDatabase(place);
    case 'schema':
      return readSchema(place);
    case 'table':
      return readTable(place, target.table);
    case 'rows':
      return readRows(place, target.table, target.cursor);
    case 'row':
      return readRow(place, target.table, target.key);
  }
}

/** Most bytes of a result in a message. */
const MOST_BYTES = 8 * 1024 * 1024;

/** Reads the whole result of a query, for its owner. */
function readResult(uri: string, handle: string, { engine, owner }: Workspace): ReadOutcome {
  const result = engine.results.find(handle, owner);
  const size = result === undefined ? undefined : statSync(result.path, { throwIfNoEntry: false })?.size;
  if (result?.resource === undefined || size === undefined) throw notFound();
  if (size > MOST_BYTES) throw tooLarge(MOST_BYTES, 'write it to a file with export_data');
  return [{ uri, mimeType: result.resource.mimeType, text: readFileSync(result.path, 'utf8') }];
}
