import { showName } from '@rootbound/kit/boundary';
import { jsonBytes } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { databaseArgument, paramsArgument, timeoutArgument } from '../arguments.ts';
import type { Advice } from '../lane/explaining/advise.ts';
import type { ExplainFacts } from '../lane/verbs/explain.ts';
import { sourceFacts } from '../listing/output.ts';
import { planLines } from '../shared/query-plan.ts';
import { checkStatement } from '../statements.ts';
import { databaseOf, tool } from '../workspace.ts';

const step = z.object({
  detail: z.string(),
  get steps() {
    return z.array(step).optional();
  },
});

const advice = z.object({
  indexes: z.array(z.object({ table: z.string(), columns: z.array(z.string()), sql: z.string() })),
  before: z.array(z.string()),
  after: z.array(z.string()),
});

const output = z.object({
  source: sourceFacts,
  plan: z.array(step),
  warnings: z.array(
    z.object({ kind: z.string(), step: z.string(), table: z.string().optional(), message: z.string() }),
  ),
  advice: advice.optional(),
  advised: z.boolean().describe('whether indexes were tested'),
});

export const explainQuery = tool({
  name: 'explain_query',
  title: 'Explain',
  description:
    'Returns the query plan of a statement without running it, and its slow steps. With advise, indexes that the planner would use, tested on a copy.',
  input: z.strictObject({
    query: z.string(),
    params: paramsArgument,
    database: databaseArgument,
    advise: z.boolean().optional(),
    timeout_ms: timeoutArgument,
  }),
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ query, params, database: named, advise = false, timeout_ms }, { scope, signal }) {
    const { text, tokens, first } = checkStatement(query, 'explain');
    const database = databaseOf(scope, named);
    const sql = text.slice(tokens[first]?.start ?? 0);
    const args = { sql, ...defined({ params }) };
    const options = { signal, ...defined({ deadlineMs: timeout_ms }) };
    const { lanes } = scope.engine;
    const { facts } = await lanes.run(database, 'read', 'explain', args, options);
    const advised = advise ? (await lanes.run(database, 'read', 'advise', args, options)).facts : null;
    const structured = {
      source: { database: database.displayPath, tables: [...facts.tables] },
      plan: facts.plan,
      warnings: facts.warnings,
      ...(advised !== null && { advice: advised }),
      advised: advise,
    };
    const content = textOf(facts, advise ? advised : undefined);
    if (Math.max(jsonBytes(content), Buffer.byteLength(JSON.stringify(structured))) > scope.maxOutput)
      throw new ToolError('the plan exceeds the result limit', {
        code: 'too-large',
        hint: 'explain a part of the statement',
      });
    return reply({ structured, content });
  },
});

/** `advice` is null if none was found, and undefined if none was requested. */
function textOf({ plan, warnings }: ExplainFacts, advice: Advice | null | undefined): string {
  const lines = plan.length === 0 ? ['no plan: the statement reads no table'] : planLines(plan).map(showName);
  for (const { step: at, message } of warnings) lines.push(`warning: ${showName(at)}: ${showName(message)}`);
  if (advice === null) lines.push('advice: no index on columns of the statement makes it cheaper');
  if (advice !== undefined && advice !== null) {
    lines.push('advice: create', ...advice.indexes.map(({ sql }) => `  ${showName(sql)}`));
    lines.push('plan with these indexes:', ...advice.after.map((line) => `  ${showName(line)}`));
  }
  return lines.join('\n');
}
