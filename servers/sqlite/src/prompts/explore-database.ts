import { showPath } from '@rootbound/kit/boundary';
import { quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import { databaseOf, type Workspace } from '../workspace.ts';
import { schemaBlock } from './schema.ts';

const WORDS = 2_000;

/** Asks for an account of what a database holds, with its schema. */
export async function exploreDatabase(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
): Promise<string> {
  const { database: named } = readArguments(args, ['database']);
  const database = databaseOf(context.scope, named);
  const path = showPath(database.displayPath);
  const schema = await schemaBlock(context, database);
  if (schema === undefined)
    return `The SQLite database ${path} has no tables. Say so, and ask what it is for.`;
  return [
    `Explore the SQLite database ${path}, and tell what it holds.`,
    'Say what each table is about and how they belong together; describe_table shows keys, indexes and some rows of one. Find with read_query, in few and cheap queries, how much there is, from when to when, and what is missing or odd.',
    'End with three to five questions that these data can answer. Change nothing.',
    quoted('the database', [schema], context.scope.maxOutput - WORDS),
  ].join('\n');
}
