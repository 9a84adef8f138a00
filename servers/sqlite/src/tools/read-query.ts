import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { cursorArgument, databaseArgument, paramsArgument, timeoutArgument } from '../arguments.ts';
import { resolveDatabase } from '../databases/resolve.ts';
import type { Attachment } from '../lane/verbs/query/read-transaction.ts';
import { pageOf } from '../results/page.ts';
import { writeResult } from '../results/write.ts';
import { checkStatement } from '../statements.ts';
import { databaseOf, tool, type Workspace } from '../workspace.ts';

const NAME = 'read_query';

const input = z.strictObject({
  query: z.string(),
  params: paramsArgument,
  database: databaseArgument,
  attach: z
    .record(z.string(), z.string())
    .optional()
    .describe('paths of other databases to query, by their schema name in the SQL'),
  limit: z.int().min(1).optional().describe('rows per page; default as many as fit'),
  cursor: cursorArgument,
  format: z
    .enum(['csv', 'json', 'ndjson'])
    .optional()
    .describe('all rows as a file, returned as a resource link'),
  timeout_ms: timeoutArgument,
});

const column = z.object({
  name: z.string(),
  type: z.string().optional(),
  table: z.string().optional(),
  column: z.string().optional(),
  database: z.string().optional(),
});

const output = z.object({
  columns: z.array(column),
  rows: z.array(z.array(z.unknown())).optional().describe('absent with format'),
  row_count: z.int(),
  truncated: z.boolean(),
  next_cursor: z.string().optional(),
  snapshot_truncated: z.boolean().optional().describe('rows beyond the paging limit were dropped'),
  result: z
    .object({ uri: z.string(), mime_type: z.string(), bytes: z.int() })
    .optional()
    .describe('the file, with format'),
  source: z.object({ database: z.string(), tables: z.array(z.string()) }),
});

export const readQuery = tool({
  name: NAME,
  title: 'Query',
  description:
    'Runs one SELECT, WITH or VALUES and returns its rows as arrays; integers beyond 2^53 and blobs are tagged objects.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(args, context) {
    const { scope } = context;
    assertFits(args);
    const { text: sql } = checkStatement(args.query, 'read');
    const database = databaseOf(scope, args.database);
    const asked = {
      sql,
      params: args.params,
      attach: attachmentsOf(scope, args.attach),
      deadlineMs: args.timeout_ms,
    };
    return reply(
      args.format === undefined
        ? await pageOf(scope, database, {
            ...asked,
            tool: NAME,
            rows: args.limit,
            cursor: args.cursor,
            call: context,
          })
        : await writeResult(scope, database, {
            ...asked,
            format: args.format,
            signal: context.signal,
            progress: context.progress,
          }),
    );
  },
});

function assertFits({ format, limit, cursor }: z.output<typeof input>): void {
  if (format === undefined || (limit === undefined && cursor === undefined)) return;
  throw new ToolError(
    `format returns all rows, so ${limit === undefined ? 'cursor' : 'limit'} is not allowed`,
    {
      code: 'invalid-arguments',
      hint: 'use LIMIT in the SQL, or omit format to get a page',
    },
  );
}

const MOST_ATTACHED = 8;

/** Returns the databases to attach, each within the boundary. */
function attachmentsOf(
  { scope }: Workspace,
  paths: Readonly<Record<string, string>> | undefined,
): Attachment[] | undefined {
  if (paths === undefined) return undefined;
  const entries = Object.entries(paths);
  if (entries.length === 0) return undefined;
  if (entries.length > MOST_ATTACHED)
    throw refusal(`attach takes ${MOST_ATTACHED} databases at most`, 'query them in several calls');
  return entries.map(([alias, path]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(alias) || ['main', 'temp'].includes(alias.toLowerCase()))
      throw refusal(
        `attach: ${alias} is not a valid schema name`,
        'use letters, digits and _, and not main or temp',
      );
    const { real, dev, ino } = resolveDatabase(scope, path);
    return { alias, real, dev, ino };
  });
}

function refusal(message: string, hint: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', hint });
}
