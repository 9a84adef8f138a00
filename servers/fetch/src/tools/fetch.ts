import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { loadToContinue } from '../fetching/continued-page.ts';
import { pageArguments } from '../fetching/page-arguments.ts';
import { pageResult } from '../fetching/page-result.ts';
import { outcome, pageFields } from '../fetching/result-schemas.ts';
import { toToolResult } from '../fetching/tool-result.ts';
import { tool } from '../workspace.ts';

const input = z.strictObject({
  ...pageArguments,
  max_length: z.int().min(1).max(999_999).optional().describe('characters, default 5000'),
  start_index: z.int().min(0).optional().describe('next_start_index of the previous part'),
  raw: z.boolean().optional().describe('the source instead of Markdown'),
  full: z.boolean().optional().describe('the whole page with navigation, instead of its main content'),
  section: z.string().optional().describe('only the section with this heading or number (see get_outline)'),
});

const output = outcome({
  ...pageFields,
  content: z.string(),
  start_index: z.int(),
  end_index: z.int(),
  total_length: z.int(),
  next_start_index: z.int().optional(),
  page: z.int(),
  pages: z.int(),
  method: z.string().optional().describe('how the main content was found'),
  coverage: z.number().optional().describe('share of the visible text in content, 0 to 1'),
  notes: z.array(z.string()).optional(),
  removed: z
    .object({ hidden: z.int(), invisible: z.int(), links: z.int() })
    .optional()
    .describe('counts of hidden elements, invisible characters, harmful links'),
  shape: z.string().optional().describe('the shape of JSON'),
  width: z.int().optional(),
  height: z.int().optional(),
});

export const fetchTool = tool({
  name: 'fetch',
  title: 'Fetch',
  description:
    'Fetches a web page and returns its main content as Markdown, in parts; also JSON, feeds, CSV, PDF and images.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  ask: askToFetch,
  run: (args, context) =>
    toToolResult(async () => {
      const want = args.raw === true ? 'source' : args.full === true ? 'page' : 'article';
      const loaded = await loadToContinue(args, context, want);
      return reply(pageResult(loaded, { ...args, note: loaded.note }, context.scope.maxOutput));
    }, context.scope.maxOutput),
});
