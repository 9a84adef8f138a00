import { showPath } from '@rootbound/kit/boundary';
import { type Offers, quoted, readArguments } from '@rootbound/kit/prompts';
import { type CallContext, ToolError } from '@rootbound/protocol';
import { planLines } from '../shared/query-plan.ts';
import { checkStatement } from '../statements.ts';
import { databaseOf, type Workspace } from '../workspace.ts';

const WORDS = 2_500;

/** Asks why a statement is slow, with its plan, what is slow in it, and the indexes that the planner would take. */
export async function explainSlowQuery(
  args: Readonly<Record<string, string>>,
  { scope, signal }: CallContext<Workspace, unknown>,
  offers: Offers,
): Promise<string> {
  const { query, database: named } = readArguments(args, ['query', 'database']);
  if (query === undefined)
    throw new ToolError('query is missing', { code: 'invalid-argument', hint: 'give the SQL that is slow' });
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
      title: 'what is slow in it',
      text: warnings.map(({ step, message }) => `${step}: ${message}`).join('\n'),
    },
    { title: 'indexes that the planner takes', text: advice?.indexes.map((one) => one.sql).join('\n') ?? '' },
    { title: 'plan with those', text: advice?.after.join('\n') ?? '' },
  ];
  return [
    `Explain why this statement is slow in the SQLite database ${showPath(database.displayPath)}, and how it becomes fast.`,
    'Go through its plan step by step: what each one reads, and how often. Then say what helps most: an index, other SQL that gives the same rows, or neither. What an index costs when rows are written is part of the answer.',
    offers('write_query')
      ? 'Make no index before the user agrees; explain_query with advise shows what one would change.'
      : 'Change nothing; explain_query with advise shows what an index would change.',
    quoted('the database', blocks, scope.maxOutput - WORDS),
  ].join('\n');
}
