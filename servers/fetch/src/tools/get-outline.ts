import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { loadToContinue } from '../fetching/continued-page.ts';
import { fitted, shortened } from '../fetching/fit-output.ts';
import { pageArguments } from '../fetching/page-arguments.ts';
import { addressOf, enveloped, pageFieldsOf } from '../fetching/result-fields.ts';
import { outcome, pageFields } from '../fetching/result-schemas.ts';
import { toToolResult } from '../fetching/tool-result.ts';
import { outlineOf } from '../pages/outline.ts';
import { tool } from '../workspace.ts';

const output = outcome({
  ...pageFields,
  total_length: z.int(),
  sections: z.array(
    z.object({ number: z.string(), level: z.int(), text: z.string(), start_index: z.int(), length: z.int() }),
  ),
  truncated: z.boolean(),
});

export const getOutline = tool({
  name: 'get_outline',
  title: 'Outline',
  description:
    'The headings of a page, with the start and length of each section; fetch reads one with section.',
  input: z.strictObject(pageArguments),
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  ask: askToFetch,
  run: (args, context) =>
    toToolResult(async () => {
      const loaded = await loadToContinue(args, context);
      const { reading } = loaded.snapshot;
      const { maxOutput } = context.scope;
      const all = outlineOf(reading).map(({ number, level, text, at, end }) => ({
        number,
        level,
        text: shortened(text, maxOutput / 8),
        start_index: at,
        length: end - at,
      }));
      const facts = pageFieldsOf(loaded, maxOutput);
      const head = `${addressOf(loaded, maxOutput)}: ${reading.text.length} characters, ${all.length} headings`;
      const { structured, text } = fitted(all.length, maxOutput, (kept) => {
        const sections = all.slice(0, kept);
        const lines = sections.map(
          ({ number, level, text, length }) => `${'  '.repeat(level - 1)}${number} ${text} (${length})`,
        );
        const truncated = kept < all.length;
        return {
          structured: { ...facts, total_length: reading.text.length, sections, truncated },
          text: [
            head,
            enveloped(lines.join('\n')),
            ...(truncated ? ['Further headings are left out.'] : []),
          ].join('\n'),
        };
      });
      return reply({ structured, content: text });
    }, context.scope.maxOutput),
});
