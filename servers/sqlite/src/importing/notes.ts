import { showName } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import * as z from 'zod';
import type { ColumnNotes } from '../lane/importing/result.ts';

/** Notes on the columns of an imported file, as members of an output schema. */
export const columnNotes = {
  columns: z.array(z.object({ name: z.string(), type: z.string(), from: z.string().optional() })).optional(),
  renamed: z.array(z.object({ from: z.string(), to: z.string() })).optional(),
  not_imported: z.array(z.string()).optional(),
  altered: z
    .array(
      z.object({
        column: z.string(),
        count: z.int(),
        first: z.array(z.object({ line: z.int(), from: z.string(), to: z.string() })),
      }),
    )
    .optional(),
  altered_count: z.int().optional(),
  kept_as_text: z
    .array(z.object({ column: z.string(), line: z.int(), value: z.string(), ask: z.string() }))
    .optional(),
  zeros_dropped: z.array(z.object({ column: z.string(), decimals: z.int() })).optional(),
  first_rows: z.array(z.record(z.string(), z.unknown())).optional(),
  notes_left_out: z.int().optional(),
};

const lists = [
  'columns',
  'renamed',
  'not_imported',
  'altered',
  'kept_as_text',
  'zeros_dropped',
  'first_rows',
] as const;

/** Returns the length of the longest list of the notes. */
export function notesCount(notes: ColumnNotes): number {
  return Math.max(...lists.map((name) => notes[name]?.length ?? 0));
}

/** Returns the first `kept` notes of each list and the number of the others. */
export function keptNotes(notes: ColumnNotes, kept: number): Kept {
  const left = lists.reduce((sum, name) => sum + Math.max(0, (notes[name]?.length ?? 0) - kept), 0);
  const cut = lists.flatMap((name) => {
    const list = notes[name];
    return list === undefined ? [] : [[name, list.slice(0, kept)] as const];
  });
  return { ...Object.fromEntries(cut), ...(left > 0 && { notes_left_out: left }) };
}

const notesObject = z.object(columnNotes);
type Kept = z.output<typeof notesObject>;

/** Most columns named in one line. */
const MOST_NAMED = 20;

/** Returns the lines of a result about the columns; a dry run lists all columns. */
export function noteLines(notes: Kept, isDry: boolean): string[] {
  const { columns = [], renamed = [], not_imported: leftOut = [], first_rows: rows = [] } = notes;
  const lines: string[] = [];
  if (isDry && columns.length > 0)
    lines.push(
      `columns: ${listed(columns.map(({ name, type, from }) => `${showName(name)} ${type}${from === undefined ? '' : ` from ${quoted(from)}`}`))}`,
    );
  for (const row of rows) lines.push(`row: ${showName(JSON.stringify(row))}`);
  if (renamed.length > 0)
    lines.push(
      `header: ${listed(renamed.map(({ from, to }) => `${quoted(from)} renamed to ${showName(to)}`))}`,
    );
  if (leftOut.length > 0) lines.push(`not imported: ${listed(leftOut.map(quoted))}`);
  lines.push(...valueLines(notes));
  const more = notes.notes_left_out ?? 0;
  if (more > 0)
    lines.push(`and ${counted(more, 'more note', 'more notes')}, omitted because of the result limit`);
  return lines;
}

function valueLines(notes: Kept): string[] {
  const {
    altered = [],
    altered_count: count = 0,
    kept_as_text: kept = [],
    zeros_dropped: zeros = [],
  } = notes;
  const lines: string[] = [];
  if (count > 0) lines.push(`${counted(count, 'value', 'values')} changed by the types of columns:`);
  for (const { column, count: ofColumn, first } of altered)
    lines.push(
      `  ${showName(column)}, ${ofColumn}: ${first.map(({ line, from, to }) => `line ${line} ${quoted(from)} became ${quoted(to)}`).join(', ')}`,
    );
  for (const { column, decimals } of zeros)
    lines.push(
      `${showName(column)} is REAL: all cells have ${counted(decimals, 'decimal', 'decimals')}, and trailing zeros are not kept`,
    );
  for (const { column, line, value, ask } of kept)
    lines.push(
      `${showName(column)} is TEXT, because ${quoted(value)} in line ${line} would change as a number; for numbers, give it type ${ask} in columns; text compares as text: '10' < '9'`,
    );
  return lines;
}

function listed(parts: readonly string[]): string {
  const more = parts.length - MOST_NAMED;
  return more > 0 ? `${parts.slice(0, MOST_NAMED).join(', ')} and ${more} more` : parts.join(', ');
}

function quoted(text: string): string {
  return showName(JSON.stringify(text));
}
