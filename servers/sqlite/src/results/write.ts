import { counted, formatBytes } from '@rootbound/kit/budget';
import type { ReplyParts } from '@rootbound/protocol';
import type { Database } from '../databases/database.ts';
import type { Attachment } from '../lane/verbs/query/read-transaction.ts';
import { sourceName } from '../listing/output.ts';
import { toResultUri } from '../resources/uri.ts';
import { mediaTypes } from '../shared/formats.ts';
import type { Params } from '../shared/sql/parameters.ts';
import type { Workspace } from '../workspace.ts';

export interface WriteRequest {
  /** one statement that has passed checkStatement */
  readonly sql: string;
  readonly params: Params | undefined;
  readonly attach: readonly Attachment[] | undefined;
  readonly format: 'csv' | 'json' | 'ndjson';
  readonly deadlineMs: number | undefined;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total?: number, message?: string) => void;
}

/** Writes the whole result of a query to a file and returns the link to read it. */
export async function writeResult(
  { engine, owner }: Workspace,
  database: Database,
  { format, deadlineMs, signal, progress, ...asked }: WriteRequest,
): Promise<ReplyParts> {
  const { results } = engine;
  const place = results.reserve();
  const written = engine.lanes.run(
    database,
    'read',
    'write_result',
    { ...asked, format, path: place.path, mostBytes: results.mostBytes },
    { signal, deadlineMs, onProgress: (done, total) => progress(done, total, counted(done, 'row', 'rows')) },
  );
  const { facts } = await written.catch((error: unknown) => {
    results.discard(place);
    throw error;
  });
  const name = `result.${format}`;
  const mimeType = mediaTypes[format];
  results.keep(place, owner, { name, mimeType, size: facts.bytes });
  const uri = toResultUri(place.handle);
  const { columns, tables, rows, bytes } = facts;
  const from = sourceName(database.displayPath, tables);
  const text = `${counted(rows, 'row', 'rows')} from ${from} as ${format}, ${formatBytes(bytes)}: ${uri}`;
  return {
    structured: {
      columns,
      row_count: rows,
      truncated: false,
      result: { uri, mime_type: mimeType, bytes },
      source: { database: database.displayPath, tables },
    },
    content: [
      { type: 'resource_link', uri, name, mimeType, size: bytes },
      { type: 'text', text },
    ],
  };
}
