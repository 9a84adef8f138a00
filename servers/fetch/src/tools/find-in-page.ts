import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { loadToContinue } from '../fetching/continued-page.ts';
import { fitted, shortened, sizeOf } from '../fetching/fit-output.ts';
import { pageArguments } from '../fetching/page-arguments.ts';
import { addressOf, enveloped, notesOf, pageFieldsOf } from '../fetching/result-fields.ts';
import { outcome, pageFields } from '../fetching/result-schemas.ts';
import { toToolResult } from '../fetching/tool-result.ts';
import type { Found } from '../pages/match-lines.ts';
import { sectionOf, spanOf } from '../pages/outline.ts';
import { tool } from '../workspace.ts';

const input = z.strictObject({
  ...pageArguments,
  query: z.string().min(1),
  mode: z
    .enum(['plain', 'exact', 'regex'])
    .optional()
    .describe('plain (default) ignores case and accents; exact does not; regex is RE2'),
  whole_word: z.boolean().optional(),
  section: z.string().optional().describe('only within this section'),
  context_lines: z.int().min(0).max(10).optional().describe('default 1'),
  limit: z.int().min(1).max(200).optional().describe('lines with matches, default 20'),
  from: z.int().min(0).optional().describe('previous next_from'),
});

const output = outcome({
  ...pageFields,
  matches: z.array(
    z.object({
      start_index: z.int(),
      line: z.string(),
      path: z.array(z.string()).describe('the headings above it'),
      before: z.array(z.string()),
      after: z.array(z.string()),
    }),
  ),
  total: z.int().optional().describe('matching lines; absent if the search ran out of time'),
  truncated: z.boolean(),
  next_from: z.int().optional(),
  notes: z.array(z.string()).optional(),
});

export const findInPage = tool({
  name: 'find_in_page',
  title: 'Find in page',
  description:
    'Finds the lines of a page that match a query, with the headings above and the lines around them.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  ask: askToFetch,
  run: (args, context) =>
    toToolResult(async () => {
      const loaded = await loadToContinue(args, context);
      const { reading } = loaded.snapshot;
      const { engine, maxOutput } = context.scope;
      const wanted = {
        query: args.query,
        mode: args.mode,
        wholeWord: args.whole_word,
        contextLines: args.context_lines,
        max: args.limit,
        from: args.from,
        within: args.section === undefined ? undefined : spanOf(sectionOf(reading, args.section)),
      };
      const result = await engine.readers.find(reading, wanted, context.signal);
      const all = result.found.map((found) => matchOf(found, maxOutput / 4));
      const noted = notesOf(loaded.note === undefined ? [] : [loaded.note], maxOutput);
      const facts = { ...pageFieldsOf(loaded, maxOutput), ...noted.facts };
      const head = `${addressOf(loaded, maxOutput)}: ${result.total ?? 'many'} matching ${result.total === 1 ? 'line' : 'lines'}`;
      const { structured, text } = fitted(all.length, maxOutput, (kept) => {
        const matches = all.slice(0, kept);
        const next = kept < all.length ? all[kept]!.start_index : result.next;
        const blocks = matches.map(({ start_index, path, before, line, after }) =>
          [`[${start_index}] ${path.join(' > ')}`, ...before, `> ${line}`, ...after].join('\n'),
        );
        return {
          structured: {
            ...facts,
            matches,
            ...defined({ total: result.total }),
            truncated: next !== undefined,
            ...defined({ next_from: next }),
          },
          text: [
            head,
            ...noted.lines,
            ...(blocks.length > 0 ? [enveloped(blocks.join('\n\n'))] : []),
            ...(next === undefined ? [] : [`More matches follow: call find_in_page with from ${next}.`]),
          ].join('\n'),
        };
      });
      return reply({ structured, content: text });
    }, context.scope.maxOutput),
});

interface Match {
  readonly start_index: number;
  readonly line: string;
  readonly path: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Returns a match with its context, reduced from the outside to so many bytes. */
function matchOf({ spans, path, line, before, after }: Found, maxBytes: number): Match {
  let match: Match = { start_index: spans[0]!.start, line, path, before, after };
  while (sizeOf(match) > maxBytes && match.before.length + match.after.length + match.path.length > 0)
    match = {
      ...match,
      before: match.before.slice(1),
      after: match.after.slice(0, -1),
      path: match.before.length + match.after.length > 0 ? match.path : match.path.slice(1),
    };
  return { ...match, line: shortened(line, maxBytes) };
}
