import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { loadToContinue } from '../fetching/continued-page.ts';
import { fitted, shortened } from '../fetching/fit-output.ts';
import { pageArguments } from '../fetching/page-arguments.ts';
import { addressOf, enveloped, notesOf, pageFieldsOf } from '../fetching/result-fields.ts';
import { outcome, pageFields } from '../fetching/result-schemas.ts';
import { toToolResult } from '../fetching/tool-result.ts';
import { linksOf } from '../pages/links.ts';
import { tool } from '../workspace.ts';

const scope = z.enum(['internal', 'external', 'same-page']);
const place = z.enum(['content', 'navigation', 'head']);

const input = z.strictObject({
  ...pageArguments,
  scope: scope.optional().describe('to the host of the page, another host, or the page itself'),
  place: place.optional(),
  match: z.string().optional().describe('part of the URL or the text'),
  limit: z.int().min(1).max(1000).optional().describe('default 100'),
  from: z.int().min(0).optional().describe('previous next_from'),
});

const output = outcome({
  ...pageFields,
  links: z.array(
    z.object({
      url: z.string(),
      text: z.string(),
      place,
      scope,
      rel: z.string().optional(),
      times: z.int().describe('number of links to it'),
    }),
  ),
  total: z.int(),
  truncated: z.boolean(),
  next_from: z.int().optional(),
  notes: z.array(z.string()).optional(),
});

export const listLinks = tool({
  name: 'list_links',
  title: 'Links',
  description: 'The links of a page, each URL once, filtered by target, place and text.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  ask: askToFetch,
  run: (args, context) =>
    toToolResult(async () => {
      const loaded = await loadToContinue(args, context);
      const { maxOutput } = context.scope;
      const { from = 0 } = args;
      const { links, total } = linksOf(loaded.snapshot.reading, {
        url: loaded.snapshot.finalUrl,
        scope: args.scope,
        place: args.place,
        match: args.match,
        max: args.limit,
        from,
      });
      const all = links.map((link) => ({
        ...link,
        url: shortened(link.url, maxOutput / 5),
        text: shortened(link.text, maxOutput / 16),
      }));
      const noted = notesOf(loaded.note === undefined ? [] : [loaded.note], maxOutput);
      const facts = { ...pageFieldsOf(loaded, maxOutput), ...noted.facts };
      const { structured, text } = fitted(all.length, maxOutput, (kept) => {
        const listed = all.slice(0, kept);
        const next = from + kept < total ? from + kept : undefined;
        const lines = listed.map(({ url, text }) => `- ${text || '(no text)'}: ${url}`);
        return {
          structured: {
            ...facts,
            links: listed,
            total,
            truncated: next !== undefined,
            ...defined({ next_from: next }),
          },
          text: [
            `${addressOf(loaded, maxOutput)}: ${total} links`,
            ...noted.lines,
            ...(lines.length > 0 ? [enveloped(lines.join('\n'))] : []),
            ...(next === undefined ? [] : [`More links follow: call list_links with from ${next}.`]),
          ].join('\n'),
        };
      });
      return reply({ structured, content: text });
    }, context.scope.maxOutput),
});
