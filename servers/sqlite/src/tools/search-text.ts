import { showName } from '@rootbound/kit/boundary';
import { counted, fit, moreNote, openPosition, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { cursorArgument, databaseArgument, timeoutArgument } from '../arguments.ts';
import type { Hit } from '../lane/searching/hits.ts';
import { sourceFacts, sourceLine } from '../listing/output.ts';
import { databaseOf, tool } from '../workspace.ts';

const NAME = 'search_text';

const hit = z.object({
  table: z.string(),
  rowid: z.unknown(),
  score: z.number().describe('more is better, within one table'),
  matches: z.array(z.object({ column: z.string(), text: z.string() })),
  values: z.array(z.unknown()),
});

export const searchText = tool({
  name: NAME,
  title: 'Full-text search',
  description:
    'Searches full-text (FTS) tables, best rows first, matching words in «». query is FTS syntax; with plain, words.',
  input: z.strictObject({
    query: z.string(),
    plain: z.boolean().optional(),
    table: z.string().optional(),
    database: databaseArgument,
    limit: z.int().min(1).max(100).optional(),
    cursor: cursorArgument,
    timeout_ms: timeoutArgument,
  }),
  output: z.object({
    source: sourceFacts,
    columns: z.record(z.string(), z.array(z.string())).describe('columns of values, by table'),
    hits: z.array(hit),
    truncated: z.boolean(),
    next_cursor: z.string().optional(),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run(args, { scope, signal }) {
    const { query, plain = false, table, database: named, limit = 20, cursor, timeout_ms } = args;
    const database = databaseOf(scope, named);
    const asked = [database.real, query, plain, table ?? null];
    const from = cursor === undefined ? undefined : openPosition(NAME, asked, cursor, isPosition);
    const { facts } = await scope.engine.lanes.run(
      database,
      'read',
      'search',
      {
        query,
        plain,
        count: limit + 1,
        ...defined({ table, from }),
      },
      { signal, ...defined({ deadlineMs: timeout_ms }) },
    );
    const { halves } = fit(Math.min(limit, facts.hits.length), scope.maxOutput, (kept) => {
      const hits = facts.hits.slice(0, kept);
      const next = facts.hits[kept];
      const nextCursor = next && sealPosition(NAME, asked, [next.table, next.place]);
      const of = new Set(hits.map((one) => one.table));
      const structured = {
        source: { database: database.displayPath, tables: facts.tables.map(({ name }) => name) },
        columns: Object.fromEntries(
          facts.tables.flatMap(({ name, columns }) => (of.has(name) ? [[name, columns]] : [])),
        ),
        hits: hits.map(({ place: _, ...fields }) => fields),
        truncated: next !== undefined,
        ...defined({ next_cursor: nextCursor }),
      };
      const lines = hits.map(lineOf);
      if (next !== undefined) lines.push(moreNote(counted(kept, 'row', 'rows'), nextCursor));
      return {
        structured,
        text: hits.length === 0 ? 'no row matches' : [...lines, sourceLine(database.displayPath)].join('\n'),
      };
    });
    return reply({ structured: halves.structured, content: halves.text });
  },
});

function lineOf({ table, rowid, matches, values }: Hit): string {
  const matching = matches.map(({ column, text }) => `${showName(column)}: ${showName(text)}`);
  const at = `${showName(table)} ${JSON.stringify(rowid)}`;
  return `${at}: ${matching.length > 0 ? matching.join('; ') : showName(JSON.stringify(values))}`;
}

function isPosition(value: unknown): value is readonly [string, number] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    typeof value[0] === 'string' &&
    Number.isSafeInteger(value[1]) &&
    value[1] >= 0
  );
}
