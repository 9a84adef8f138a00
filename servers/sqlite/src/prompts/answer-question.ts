import { showPath } from '@rootbound/kit/boundary';
import { quoteArgument, quoted, readArguments } from '@rootbound/kit/prompts';
import { type CallContext, ToolError } from '@rootbound/protocol';
import { databaseOf, type Workspace } from '../workspace.ts';
import { schemaBlock } from './schema.ts';

const WORDS = 2_500;

/** Returns a prompt for the SQL that answers a question, and for the answer, with the schema. */
export async function answerQuestion(
  args: Readonly<Record<string, string>>,
  context: CallContext<Workspace, unknown>,
): Promise<string> {
  const { question, database: named } = readArguments(args, ['question', 'database']);
  if (question === undefined)
    throw new ToolError('question is missing', {
      code: 'invalid-argument',
      hint: 'pass the question to answer',
    });
  const database = databaseOf(context.scope, named);
  const path = showPath(database.displayPath);
  const schema = await schemaBlock(context, database);
  if (schema === undefined)
    return `The SQLite database ${path} has no tables, so it cannot answer: ${quoteArgument(question)}. Tell the user.`;
  return [
    `Answer from the SQLite database ${path}: ${quoteArgument(question)}`,
    'Write one SELECT in the SQL of SQLite for it, with values of the question as params, and run it with read_query. If the format of a column is unclear, look at samples with describe_table first.',
    'Give the answer, the SQL, and your assumptions. Say so if the data cannot answer. Change nothing.',
    quoted('the database', [schema], context.scope.maxOutput - WORDS),
  ].join('\n');
}
