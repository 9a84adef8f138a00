import { showPath } from '@rootbound/kit/boundary';
import { formatBytes, pageOf } from '@rootbound/kit/budget';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { cursorArgument } from '../arguments.ts';
import { type FoundDatabase, findDatabases } from '../databases/find.ts';
import { restFacts } from '../listing/output.ts';
import { tool } from '../workspace.ts';

const NAME = 'list_databases';
const MOST_FOUND = 1_000;
/** Folders and databases between yields to the event loop. */
const TURN = 100;

const database = z.object({
  path: z.string(),
  bytes: z.int(),
  journal: z.enum(['rollback', 'wal']).optional(),
  page_size: z.int().optional(),
  encoding: z.string().optional(),
  read_only: z.boolean().optional(),
  beside: z.array(z.string()).optional().describe('side files of SQLite'),
  opens: z.boolean().describe('by its header'),
  problem: z.string().optional(),
});

type Facts = z.input<typeof database>;

export const listDatabases = tool({
  name: NAME,
  title: 'Databases',
  description: 'Lists the SQLite databases in the roots, recognized by their headers.',
  input: z.strictObject({ cursor: cursorArgument }),
  output: z.object({ databases: z.array(database), ...restFacts }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ cursor }, { scope: { scope, maxOutput }, signal }) {
    const items: Facts[] = [];
    let whole = true;
    let steps = 0;
    for (const seen of findDatabases(scope)) {
      if (++steps % TURN === 0) await yieldToEventLoop(signal);
      if ('database' in seen) items.push(toFacts(seen.database));
      if ('full' in seen || items.length >= MOST_FOUND) {
        whole = false;
        break;
      }
    }
    return reply(
      pageOf(
        {
          tool: NAME,
          query: scope.roots.map(({ real }) => real),
          cursor,
          items,
          keyOf: ({ path }) => path,
          whole,
          words: ['database', 'databases'],
          maxOutput,
        },
        (page, rest) => ({ databases: [...page], ...rest }),
        ({ databases }) => (databases.length === 0 ? [nothingIn(scope.roots.length)] : databases.map(lineOf)),
      ),
    );
  },
});

function nothingIn(roots: number): string {
  return roots === 0 ? 'there are no roots' : 'no databases in the roots';
}

function toFacts({ path, size, readOnly, header, beside }: FoundDatabase): Facts {
  return {
    path,
    bytes: size,
    ...(header !== undefined && { journal: header.journal, page_size: header.pageSize }),
    ...(header?.encoding !== undefined && { encoding: header.encoding }),
    ...(readOnly && { read_only: true }),
    ...(beside.length > 0 && { beside: [...beside] }),
    opens: header?.problem === undefined,
    ...(header?.problem !== undefined && { problem: header.problem }),
  };
}

function lineOf({ path, bytes, journal, page_size, encoding, read_only, beside, problem }: Facts): string {
  const details = [
    bytes === 0 ? 'empty' : formatBytes(bytes),
    journal,
    page_size === undefined ? undefined : `pages of ${page_size}`,
    encoding === 'UTF-8' ? undefined : encoding,
    read_only ? 'read-only' : undefined,
    beside === undefined ? undefined : `with ${beside.join(', ')}`,
    problem === undefined ? undefined : `does not open: ${problem}`,
  ];
  return `${showPath(path)} (${details.filter((word) => word !== undefined).join(', ')})`;
}
