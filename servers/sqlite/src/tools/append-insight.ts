import * as z from 'zod';
import { insightsUri } from '../insights/resource.ts';
import { tool } from '../workspace.ts';

const input = z.strictObject({ insight: z.string().trim().min(1) });
const output = z.object({ insights: z.int(), memo: z.string() });

export const appendInsight = tool({
  name: 'append_insight',
  title: 'Append an insight',
  description: `Adds a finding of an analysis to the memo ${insightsUri}.`,
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: ({ insight }, { scope: { engine, owner } }) => ({
    insights: engine.insights.append(owner, insight),
    memo: insightsUri,
  }),
  render: ({ insights, memo }) => `stored; ${memo} now has ${insights}`,
});
