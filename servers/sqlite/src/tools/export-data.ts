import { basename } from 'node:path';
import { showName } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { databaseArgument, timeoutArgument, WHOLE_MS } from '../arguments.ts';
import { assertDestination } from '../exporting/destination.ts';
import { linkTo, type WrittenFile, writeFile } from '../exporting/file.ts';
import { type Exported, type ExportPlan, NEEDS_BYTES } from '../shared/export-plan.ts';
import { delimiterOfName, type Format, formatOfName, formats, mediaTypes } from '../shared/formats.ts';
import { checkStatement } from '../statements.ts';
import { databaseOf, tool } from '../workspace.ts';

const input = z.strictObject({
  path: z.string(),
  query: z.string().optional(),
  params: z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).optional(),
  table: z.string().optional(),
  format: z.enum(formats).optional().describe('default: by the file name'),
  overwrite: z.boolean().optional(),
  database: databaseArgument,
  timeout_ms: timeoutArgument,
});

const output = z.object({
  path: z.string(),
  uri: z.string(),
  format: z.enum(formats),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  replaced: z.int().optional().describe('texts not in UTF-8, written with replacement characters'),
  left_out: z.array(z.string()).optional(),
});

type Arguments = z.output<typeof input>;

export const exportData = tool({
  name: 'export_data',
  title: 'Export',
  description:
    'Writes the rows of a query or table to a file in the roots; with neither, the whole database as SQL.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run(args, { scope: workspace, signal, wantsProgress, progress }) {
    const { path, overwrite = false, timeout_ms: deadlineMs = WHOLE_MS } = args;
    const plan = planOf(args);
    const target = databaseOf(workspace, args.database);
    const { scope, engine } = workspace;
    assertDestination(scope, path, { overwrite, kind: 'data' });
    let exported: Exported | undefined;
    const write = (bytes: boolean): Promise<WrittenFile> =>
      writeFile(scope, path, { overwrite, signal }, async (piece) => {
        const { facts } = await engine.lanes.run(
          target,
          'read',
          'export',
          { ...plan, bytes },
          {
            signal,
            deadlineMs,
            onData: piece,
            ...(wantsProgress && { onProgress: progress }),
          },
        );
        exported = facts;
      });
    const written = await write(false).catch((error: unknown) => {
      if (error instanceof ToolError && error.code === NEEDS_BYTES) return write(true);
      throw error;
    });
    const { rows, replaced, leftOut } = exported!; // the file is written after the lane has answered
    const facts = {
      path,
      format: plan.format,
      rows,
      ...written,
      ...(replaced > 0 && { replaced }),
      ...(leftOut.length > 0 && { left_out: [...leftOut] }),
    };
    const content = [
      { type: 'text' as const, text: textOf(facts) },
      linkTo(path, written, mediaTypes[plan.format]),
    ];
    return reply({ structured: facts, content });
  },
});

function planOf({ path, query, params, table, format: givenFormat }: Arguments): Omit<ExportPlan, 'bytes'> {
  if (query !== undefined && table !== undefined)
    throw invalid('query and table exclude each other', 'omit one');
  if (params !== undefined && query === undefined)
    throw invalid('params needs query', 'add query, or omit params');
  const format = givenFormat ?? formatOfName(basename(path));
  if (format === undefined) throw invalid('format is missing', `set it to one of ${formats.join(', ')}`);
  assertFits(format, query, table);
  return {
    format,
    delimiter: delimiterOfName(path),
    ...(query !== undefined && { sql: checkStatement(query, 'read').text }),
    ...defined({ params, table }),
  };
}

function assertFits(format: Format, query: string | undefined, table: string | undefined): void {
  if (format === 'sql' && query !== undefined)
    throw invalid(
      'format sql takes no query',
      'set format to csv, json or ndjson; or replace query by table',
    );
  if (format !== 'sql' && query === undefined && table === undefined)
    throw invalid(
      `format ${format} needs query or table`,
      'add query or table; only sql takes the whole database',
    );
}

function invalid(message: string, hint: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', hint });
}

function textOf(facts: z.input<typeof output>): string {
  const { path, rows, bytes, format, sha256, replaced, left_out: left = [] } = facts;
  const lines = [
    `wrote ${counted(rows, 'row', 'rows')} as ${format} to ${showName(path)}: ${bytes} bytes, sha256 ${sha256}`,
  ];
  if (replaced !== undefined)
    lines.push(`${counted(replaced, 'text', 'texts')} not in UTF-8, written with replacement characters`);
  return [...lines, ...left.map((what) => `not written: ${what}`)].join('\n');
}
