import { showPath } from '@rootbound/kit/boundary';
import { quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import { databaseOf, type Workspace } from '../workspace.ts';
import { schemaBlock } from './schema.ts';

const WORDS = 2_000;

/** Returns a prompt that asks for a description of a database, with its schema. */
export async function exploreDatabase(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
): Promise<string> {
  const { database: named } = readArguments(args, ['database']);
  const database = databaseOf(context.scope, named);
  const path = showPath(database.displayPath);
  const schema = await schemaBlock(context, database);
  if (schema === undefined)
    return `The SQLite database ${path} has no tables. Tell the user, and ask what it is for.`;
  return [
    `Explore the SQLite database ${path}, and describe what it holds.`,
    'Describe each table and how the tables are related; describe_table returns keys, indexes and sample rows of one. With a few cheap read_query calls find out how much data there is, which period it covers, and what is missing or unusual.',
    'End with three to five questions that the data can answer. Change nothing.',
    quoted('the database', [schema], context.scope.maxOutput - WORDS),
  ].join('\n');
}
