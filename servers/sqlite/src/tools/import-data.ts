import { basename } from 'node:path';
import { openFile, showName } from '@rootbound/kit/boundary';
import { counted, fit } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { databaseArgument, timeoutArgument, WHOLE_MS } from '../arguments.ts';
import { piecesOf } from '../importing/file-pieces.ts';
import { columnNotes, keptNotes, noteLines, notesCount } from '../importing/notes.ts';
import type { Imported } from '../lane/importing/result.ts';
import { delimiterOfName, encodings, type Format, formatOfName, formats } from '../shared/formats.ts';
import { conflicts, type ImportPlan } from '../shared/import-plan.ts';
import { undoFields, undoLines, undoOutput } from '../undo/output.ts';
import { tool } from '../workspace.ts';
import { writable } from '../writing/change.ts';

const input = z.strictObject({
  path: z.string(),
  table: z.string().optional().describe('not for sql'),
  format: z.enum(formats).optional().describe('default: by the name'),
  columns: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      '{column of the file: column of the table}; others are skipped. With create, a type may be added: "qty INTEGER"',
    ),
  create: z.boolean().optional().describe('create the table'),
  on_conflict: z.enum(conflicts).optional(),
  header: z.boolean().optional(),
  delimiter: z.string().length(1).optional(),
  encoding: z.enum(encodings).optional(),
  max_rejects: z.int().min(0).optional().describe('rows that may fail; default 0'),
  dry_run: z.boolean().optional(),
  database: databaseArgument,
  timeout_ms: timeoutArgument,
});

const output = z.object({
  database: z.string(),
  table: z.string().optional(),
  created: z.boolean(),
  committed: z.boolean(),
  inserted: z.int(),
  updated: z.int(),
  deleted: z.int().optional(),
  ignored: z.int().describe('rows whose key existed'),
  rejected: z.int(),
  rejects: z.array(z.object({ line: z.int(), column: z.string().optional(), reason: z.string() })),
  statements: z.int().optional(),
  tables: z.array(z.string()).describe('written tables'),
  ...columnNotes,
  ...undoOutput,
});

type Arguments = z.output<typeof input>;
type Output = z.output<typeof output>;

export const importData = tool({
  name: 'import_data',
  title: 'Import',
  description:
    'Imports a CSV, JSON, NDJSON or SQL file in one transaction. In CSV an empty field is NULL, "" empty text, BLOBs are base64. Try dry_run first: it returns columns, types and first rows.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run(args, { scope: workspace, signal, wantsProgress, progress }) {
    const { path, timeout_ms: deadlineMs = WHOLE_MS, dry_run: dryRun = false } = args;
    const how = planOf(args);
    const target = writable(workspace, args.database);
    const { scope, engine, owner } = workspace;
    const file = openFile(scope, path);
    // replaced rows, and rows that a script deletes, would be lost
    const loses =
      !dryRun && (how.format === 'sql' || (!how.create && ['replace', 'update'].includes(how.onConflict)));
    const place = loses ? engine.undo.reserve() : undefined;
    let facts: Imported;
    try {
      const plan: ImportPlan = { ...how, bytes: file.stat.size, ...(place && { undo: place.path }) };
      const read = async (from: ImportPlan): Promise<Imported> => {
        const source = piecesOf(file);
        try {
          const options = { signal, deadlineMs, source, ...(wantsProgress && { onProgress: progress }) };
          return (await engine.lanes.run(target, 'write', 'import', from, options)).facts;
        } finally {
          // a piece may still be read from the file
          await source.return(undefined);
        }
      };
      facts = await read(plan);
      if (facts.retryWithTypes !== undefined) facts = await read({ ...plan, types: facts.retryWithTypes });
    } catch (error) {
      if (place !== undefined) engine.undo.discard(place);
      throw error;
    } finally {
      file.close();
    }
    const { tables, schema } = facts;
    if (!dryRun && (schema || facts.inserted + facts.updated + (facts.deleted ?? 0) > 0))
      engine.changes.emit({ real: target.real, tables, schema, commits: 1 });
    const { schema: _schema, copy, retryWithTypes: _retry, ...reported } = facts;
    const undo = place && engine.undo.keepCopy(place, copy, { owner, database: target.real });
    const { halves } = fit(
      Math.max(reported.rejects.length, notesCount(reported)),
      workspace.maxOutput,
      (kept) => {
        const structured = {
          ...reported,
          ...keptNotes(reported, kept),
          database: target.displayPath,
          committed: !dryRun,
          rejects: reported.rejects.slice(0, kept),
          tables: [...tables],
          ...undoFields(undo, copy),
        };
        return { structured, text: textOf(structured) };
      },
    );
    return reply({ structured: halves.structured, content: halves.text });
  },
});

function planOf(args: Arguments): Omit<ImportPlan, 'bytes'> {
  const { path, table, columns, delimiter = delimiterOfName(path), encoding } = args;
  const format = args.format ?? formatOfName(basename(path));
  if (format === undefined) throw invalid('format is missing', `set it to one of ${formats.join(', ')}`);
  if (format === 'sql' && table !== undefined)
    throw invalid('format sql takes no table: the script names its tables', 'omit table');
  if (format !== 'sql' && table === undefined)
    throw invalid('table is missing', 'name the table for the rows');
  assertUsed(args, format);
  if (/["\r\n]/.test(delimiter))
    throw invalid('delimiter cannot be a quote or a line end', 'choose another one');
  return {
    format,
    create: args.create ?? false,
    onConflict: args.on_conflict ?? 'abort',
    header: args.header ?? true,
    delimiter,
    dryRun: args.dry_run ?? false,
    maxRejects: args.max_rejects ?? 0,
    ...defined({ table, columns, encoding }),
  };
}

const ofRows = ['columns', 'create', 'on_conflict', 'max_rejects'] as const;
const ofCsv = ['header', 'delimiter'] as const;

/** Throws for an argument that the format would ignore. */
function assertUsed(args: Arguments, format: Format): void {
  const unused = [...(format === 'sql' ? ofRows : []), ...(format === 'csv' ? [] : ofCsv)];
  const given = unused.find((name) => args[name] !== undefined);
  if (given !== undefined) throw invalid(`format ${format} takes no ${given}`, `omit ${given}`);
}

function invalid(message: string, hint: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', hint });
}

function textOf(facts: Output): string {
  const {
    table,
    created,
    committed,
    inserted,
    updated,
    deleted = 0,
    ignored,
    rejected,
    rejects,
    statements,
    tables,
  } = facts;
  const counts = [`${inserted} inserted`];
  if (updated > 0) counts.push(`${updated} updated`);
  if (deleted > 0) counts.push(`${deleted} deleted`);
  if (ignored > 0) counts.push(`${ignored} ignored, key exists`);
  if (rejected > 0) counts.push(`${rejected} rejected`);
  const where =
    table === undefined
      ? `${counted(statements ?? 0, 'statement', 'statements')} on ${tables.map(showName).join(', ') || 'no table'}`
      : `${created ? 'new table' : 'table'} ${showName(table)}`;
  const lines = [`${committed ? '' : 'dry run, nothing was changed: '}${where}: ${counts.join(', ')}`];
  lines.push(...noteLines(facts, !committed));
  for (const { line, column, reason } of rejects)
    lines.push(
      `line ${line}${column === undefined ? '' : `, column ${showName(column)}`}: ${showName(reason)}`,
    );
  if (rejected > rejects.length) lines.push(`and ${rejected - rejects.length} more`);
  lines.push(...undoLines(facts));
  return lines.join('\n');
}
