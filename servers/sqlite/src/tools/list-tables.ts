import { showName } from '@rootbound/kit/boundary';
import { counted, pageOf } from '@rootbound/kit/budget';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { cursorArgument, databaseArgument } from '../arguments.ts';
import type { ListedTable } from '../lane/schema/list.ts';
import { restFacts, sourceFacts, sourceLine } from '../listing/output.ts';
import { rowsText } from '../shared/row-estimate.ts';
import { databaseOf, tool } from '../workspace.ts';

const NAME = 'list_tables';

const table = z.object({
  name: z.string(),
  type: z.enum(['table', 'view', 'virtual']),
  columns: z.int().optional(),
  rows: z.number().optional(),
  rows_are: z.enum(['exact', 'estimated', 'at-most', 'at-least']).optional(),
  strict: z.boolean().optional(),
  without_rowid: z.boolean().optional(),
  shadows: z.int().optional().describe('shadow tables of a virtual table'),
});

export const listTables = tool({
  name: NAME,
  title: 'Tables',
  description: 'Lists the tables and views of a database with their numbers of columns and rows.',
  input: z.strictObject({ database: databaseArgument, cursor: cursorArgument }),
  output: z.object({ source: sourceFacts, tables: z.array(table), ...restFacts }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ database: named, cursor }, { scope, signal }) {
    const database = databaseOf(scope, named);
    const { facts } = await scope.engine.lanes.run(database, 'read', 'tables', {}, { signal });
    const listing = {
      tool: NAME,
      query: [database.real],
      cursor,
      items: facts,
      keyOf: ({ name }: ListedTable) => name,
      words: ['table', 'tables'] as const,
      maxOutput: scope.maxOutput,
    };
    return reply(
      pageOf(
        listing,
        (page, rest) => ({ source: { database: database.displayPath }, tables: [...page], ...rest }),
        ({ tables }) =>
          tables.length === 0 ? ['no tables'] : [...tables.map(lineOf), sourceLine(database.displayPath)],
      ),
    );
  },
});

function lineOf({
  name,
  type,
  columns,
  rows,
  rows_are,
  strict,
  without_rowid,
  shadows,
}: ListedTable): string {
  const details = [
    type === 'table' ? undefined : type,
    columns === undefined ? undefined : counted(columns, 'column', 'columns'),
    rows === undefined || rows_are === undefined ? undefined : rowsText({ rows, rows_are }),
    strict ? 'STRICT' : undefined,
    without_rowid ? 'WITHOUT ROWID' : undefined,
    shadows === undefined ? undefined : counted(shadows, 'shadow table', 'shadow tables'),
  ];
  return `${showName(name)} (${details.filter((word) => word !== undefined).join(', ')})`;
}
