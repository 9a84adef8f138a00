import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { answering } from '../fetching/answering.ts';
import { pageArguments } from '../fetching/arguments.ts';
import { readPage } from '../fetching/read-page.ts';
import { outcome, told } from '../fetching/schemas.ts';
import { enveloped, toldOf } from '../fetching/told.ts';
import { findIn } from '../pages/find.ts';
import { sectionOf, spanOf } from '../pages/outline.ts';
import { tool } from '../workspace.ts';

const input = z.strictObject({
  ...pageArguments,
  query: z.string().min(1),
  mode: z
    .enum(['plain', 'exact', 'regex'])
    .optional()
    .describe('plain, the default, sees no case and accents; exact is the text as it is'),
  whole_word: z.boolean().optional(),
  section: z.string().optional().describe('only within this section'),
  context_lines: z.int().min(0).max(10).optional().describe('default 1'),
  limit: z.int().min(1).max(200).optional().describe('lines with matches, default 20'),
  from: z.int().min(0).optional().describe('next_from of the answer before'),
});

const output = outcome({
  ...told,
  matches: z.array(
    z.object({
      start_index: z.int(),
      line: z.string(),
      path: z.array(z.string()).describe('the headings above it'),
      before: z.array(z.string()),
      after: z.array(z.string()),
    }),
  ),
  total: z.int().optional().describe('lines with matches; absent when there was no time to see all'),
  truncated: z.boolean(),
  next_from: z.int().optional(),
});

export const findInPage = tool({
  name: 'find_in_page',
  title: 'Find in page',
  description:
    'Where a page says something: the lines that match, with the headings above and the lines around them.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: (args, context) =>
    answering(async () => {
      const loaded = await readPage(args, context);
      const { reading } = loaded.snapshot;
      const result = await findIn(reading, {
        query: args.query,
        mode: args.mode,
        wholeWord: args.whole_word,
        contextLines: args.context_lines,
        max: args.limit,
        from: args.from,
        within: args.section === undefined ? undefined : spanOf(sectionOf(reading, args.section)),
        signal: context.signal,
      });
      const matches = result.found.map(({ spans, path, line, before, after }) => ({
        start_index: spans[0]!.start,
        line,
        path,
        before,
        after,
      }));
      const blocks = matches.map(({ start_index, path, before, line, after }) =>
        [`[${start_index}] ${path.join(' > ')}`, ...before, `> ${line}`, ...after].join('\n'),
      );
      const head = `${loaded.snapshot.finalUrl}: ${result.total ?? 'many'} lines match`;
      const tail = result.next === undefined ? [] : [`More follow: from ${result.next}.`];
      return reply({
        structured: {
          ...toldOf(loaded),
          matches,
          ...(result.total !== undefined && { total: result.total }),
          truncated: result.truncated,
          ...(result.next !== undefined && { next_from: result.next }),
        },
        content: [head, ...(blocks.length > 0 ? [enveloped(blocks.join('\n\n'))] : []), ...tail].join('\n'),
      });
    }),
});
