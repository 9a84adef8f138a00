import { showName } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import { JsonBytes } from '@rootbound/protocol';
import * as z from 'zod';
import type { TableChanges } from '../lane/writing/counting.ts';
import type { AppliedFacts } from '../lane/writing/facts.ts';
import type { SchemaChanges, SchemaObject } from '../lane/writing/schema.ts';
import { sourceFacts, sourceLine } from '../listing/output.ts';
import { headLine, lineOf } from '../shared/values/lines.ts';
import { undoFields, undoLines, undoOutput } from '../undo/output.ts';
import type { Changed } from './change.ts';

const tableChanges = z.object({ table: z.string(), inserted: z.int(), updated: z.int(), deleted: z.int() });
const objects = z.array(z.object({ type: z.string(), name: z.string(), table: z.string() }));
const column = z.object({
  name: z.string(),
  type: z.string().optional(),
  table: z.string().optional(),
  column: z.string().optional(),
  database: z.string().optional(),
});

/** The effects of one statement as members of an output schema. */
export const appliedOutput = {
  changes: z.int().describe('rows changed by the statement itself'),
  last_insert_rowid: z.union([z.int(), z.object({ $int: z.string() })]).optional(),
  tables: z.array(tableChanges).describe('rows touched, also by triggers and foreign keys'),
  uncounted: z.array(z.string()).optional().describe('written virtual tables'),
  columns: z.array(column).optional(),
  rows: z.array(z.array(z.unknown())).optional(),
  row_count: z.int().optional(),
};

/** The effects of a transaction as members of an output schema. */
export const changedOutput = {
  source: sourceFacts,
  committed: z.boolean(),
  ddl: z.boolean(),
  schema_changes: z.object({ added: objects, removed: objects, changed: objects }).optional(),
  foreign_key_violations: z.array(z.string()).optional(),
  ...undoOutput,
};

type Fields<S extends z.core.$ZodLooseShape> = z.output<z.ZodObject<S>>;
export type AppliedFields = Omit<Fields<typeof appliedOutput>, 'rows'> & { rows?: JsonBytes };
export type ChangedFields = Fields<typeof changedOutput>;

export function changedFields({ database, facts, undo }: Changed): ChangedFields {
  const { committed, schema, schemaChanged, violations, copy } = facts;
  return {
    source: { database },
    committed,
    ddl: schemaChanged,
    ...(schema !== undefined && { schema_changes: copyOf(schema) }),
    ...(violations.length > 0 && { foreign_key_violations: [...violations] }),
    ...undoFields(undo, copy),
  };
}

/** Returns the fields with at most `most` schema changes of each kind and violations. */
export function cutFields(fields: ChangedFields, most: number): ChangedFields {
  const { schema_changes: schema, foreign_key_violations: violations } = fields;
  return {
    ...fields,
    ...(schema !== undefined && {
      schema_changes: {
        added: schema.added.slice(0, most),
        removed: schema.removed.slice(0, most),
        changed: schema.changed.slice(0, most),
      },
    }),
    ...(violations !== undefined && { foreign_key_violations: violations.slice(0, most) }),
  };
}

export function appliedFields(applied: AppliedFacts, parts: readonly Buffer[]): AppliedFields {
  const { changes, lastInsertRowid, tables, uncounted, columns, rows, part } = applied;
  return {
    changes,
    ...(lastInsertRowid !== undefined && { last_insert_rowid: exact(lastInsertRowid) }),
    tables: [...tables],
    ...(uncounted.length > 0 && { uncounted: [...uncounted] }),
    ...(columns !== undefined && {
      columns: [...columns],
      rows: new JsonBytes(Buffer.from(`[${rowTexts(parts[part!]!).join(',')}]`)),
      row_count: rows ?? 0,
    }),
  };
}

/** Returns the number of changed rows in words; 0 is qualified if triggers changed rows. */
export function changesText({ changes, tables }: Pick<AppliedFacts, 'changes' | 'tables'>): string {
  return changes === 0 && tables.length > 0 ? '0 changed by the statement itself' : `${changes} changed`;
}

/** Returns the effects of a transaction as lines. */
export function changedLines(fields: ChangedFields): string[] {
  const { schema_changes: schema, foreign_key_violations: violations } = fields;
  return [
    ...(schema === undefined ? [] : schemaLines(schema)),
    ...(violations ?? []).map((line) => `foreign key: ${showName(line)}`),
    ...undoLines(fields),
  ];
}

/** Returns the effects of one statement as lines, with its rows. */
export function appliedLines(applied: AppliedFacts, parts: readonly Buffer[]): string[] {
  const { lastInsertRowid, tables, uncounted, columns, part, rows = 0, kept = 0 } = applied;
  const lines = [
    ...tables.map(({ table, ...counts }) => `${showName(table)}: ${countsOf(counts)}`),
    ...uncounted.map((table) => `${showName(table)}: written, rows not counted`),
    ...(lastInsertRowid === undefined ? [] : [`last rowid: ${lastInsertRowid}`]),
  ];
  if (columns === undefined) return lines;
  lines.push(headLine(columns.map(({ name }) => name)), ...rowTexts(parts[part!]!).map(lineOf));
  if (kept < rows) lines.push(`[${kept} of ${counted(rows, 'row', 'rows')}]`);
  return lines;
}

/** Returns the line that names the source of a text's data, if it contains rows. */
export function rowsSource(database: string, applied: readonly AppliedFacts[]): string[] {
  return applied.some(({ rows = 0 }) => rows > 0) ? [sourceLine(database)] : [];
}

function rowTexts(part: Buffer): string[] {
  return part.length === 0 ? [] : part.toString().split('\n');
}

function exact(digits: string): number | { $int: string } {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : { $int: digits };
}

function countsOf(counts: Omit<TableChanges, 'table'>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}

function schemaLines(changes: SchemaChanges): string[] {
  return Object.entries(changes).flatMap(([what, objects]: [string, readonly SchemaObject[]]) =>
    objects.map(({ type, name }) => `schema: ${what} ${type} ${showName(name)}`),
  );
}

function copyOf({ added, removed, changed }: SchemaChanges): NonNullable<ChangedFields['schema_changes']> {
  return { added: [...added], removed: [...removed], changed: [...changed] };
}
