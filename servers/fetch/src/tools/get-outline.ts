import { Budget } from '@rootbound/kit/budget';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { answering } from '../fetching/answering.ts';
import { pageArguments } from '../fetching/arguments.ts';
import { readPage } from '../fetching/read-page.ts';
import { outcome, told } from '../fetching/schemas.ts';
import { enveloped, sizeOf, toldOf } from '../fetching/told.ts';
import { outlineOf } from '../pages/outline.ts';
import { tool } from '../workspace.ts';

const output = outcome({
  ...told,
  total_length: z.int(),
  sections: z.array(
    z.object({ number: z.string(), level: z.int(), text: z.string(), start_index: z.int(), length: z.int() }),
  ),
  truncated: z.boolean(),
});

const BESIDE_BYTES = 4096;

export const getOutline = tool({
  name: 'get_outline',
  title: 'Outline',
  description:
    'The headings of a page with where each section begins and how long it is; fetch reads one by section.',
  input: z.strictObject(pageArguments),
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: (args, context) =>
    answering(async () => {
      const loaded = await readPage(args, context);
      const { reading } = loaded.snapshot;
      const budget = new Budget(Math.max(0, context.scope.maxOutput - BESIDE_BYTES));
      const sections: { number: string; level: number; text: string; start_index: number; length: number }[] =
        [];
      for (const { number, level, text, at, end } of outlineOf(reading)) {
        const section = { number, level, text, start_index: at, length: end - at };
        if (!budget.take(sizeOf(section) + 1)) break;
        sections.push(section);
      }
      const lines = sections.map(
        ({ number, level, text, length }) => `${'  '.repeat(level - 1)}${number} ${text} (${length})`,
      );
      const head = `${loaded.snapshot.finalUrl}: ${reading.text.length} characters, ${reading.headings.length} headings`;
      return reply({
        structured: {
          ...toldOf(loaded),
          total_length: reading.text.length,
          sections,
          truncated: budget.truncated,
        },
        content: [
          head,
          enveloped(lines.join('\n')),
          ...(budget.truncated ? ['Further headings are left out.'] : []),
        ].join('\n'),
      });
    }),
});
