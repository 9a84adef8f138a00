import { showPath } from '@rootbound/kit/boundary';
import { type Offers, quoted, readArguments } from '@rootbound/kit/prompts';
import { type CallContext, ToolError } from '@rootbound/protocol';
import { planLines } from '../shared/query-plan.ts';
import { checkStatement } from '../statements.ts';
import { databaseOf, type Workspace } from '../workspace.ts';

const WORDS = 2_500;

/**
 * Returns a prompt that asks why a statement is slow, with its plan, warnings, and the indexes that the planner would
 * use.
 */
export async function explainSlowQuery(
  args: Readonly<Record<string, string>>,
  { scope, signal }: CallContext<Workspace, unknown>,
  offers: Offers,
): Promise<string> {
  const { query, database: named } = readArguments(args, ['query', 'database']);
  if (query === undefined)
    throw new ToolError('query is missing', {
      code: 'invalid-argument',
      hint: 'pass the SQL of the slow statement',
    });
  const { text, tokens, first } = checkStatement(query, 'explain');
  const sql = text.slice(tokens[first]?.start ?? 0);
  const database = databaseOf(scope, named);
  const { lanes } = scope.engine;
  const { plan, warnings } = (await lanes.run(database, 'read', 'explain', { sql }, { signal })).facts;
  const advice = (await lanes.run(database, 'read', 'advise', { sql }, { signal })).facts;
  const blocks = [
    { title: 'statement', text: sql },
    { title: 'plan', text: planLines(plan).join('\n') },
    {
      title: 'slow steps',
      text: warnings.map(({ step, message }) => `${step}: ${message}`).join('\n'),
    },
    {
      title: 'indexes that the planner would use',
      text: advice?.indexes.map((one) => one.sql).join('\n') ?? '',
    },
    { title: 'plan with these indexes', text: advice?.after.join('\n') ?? '' },
  ];
  return [
    `Explain why this statement is slow in the SQLite database ${showPath(database.displayPath)}, and how to make it fast.`,
    'Go through its plan step by step: what each step reads, and how often. Then say what helps most: an index, other SQL that returns the same rows, or neither. Include what an index costs when rows are written.',
    offers('write_query')
      ? 'Create no index before the user agrees; explain_query with advise shows the effect of one.'
      : 'Change nothing; explain_query with advise shows the effect of an index.',
    quoted('the database', blocks, scope.maxOutput - WORDS),
  ].join('\n');
}
