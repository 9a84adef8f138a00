import { Budget } from '@rootbound/kit/budget';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { askToFetch } from '../consent/ask-to-fetch.ts';
import { roomBeside, shortened, sizeOf } from '../fetching/fit-output.ts';
import { loadForTool } from '../fetching/load-for-tool.ts';
import { pageArguments } from '../fetching/page-arguments.ts';
import { addressOf, enveloped, pageFieldsOf } from '../fetching/result-fields.ts';
import { outcome, pageFields } from '../fetching/result-schemas.ts';
import { toToolResult } from '../fetching/tool-result.ts';
import { describePage } from '../pages/description.ts';
import { tool } from '../workspace.ts';

const output = outcome({
  ...pageFields,
  metadata: z.record(z.string(), z.unknown()).describe('title, author, dates, feeds, JSON-LD and others'),
  headers: z.record(z.string(), z.string()),
  length: z.int(),
  words: z.int(),
  headings: z.int(),
  links: z.record(z.string(), z.int()),
  left_out: z.array(z.string()).optional().describe('metadata left out for lack of room'),
});

export const getMetadata = tool({
  name: 'get_metadata',
  title: 'Metadata',
  description:
    'The metadata of a page: title, author, dates, language, feeds, JSON-LD; and its size in words and links.',
  input: z.strictObject(pageArguments),
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  ask: askToFetch,
  run: (args, context) =>
    toToolResult(async () => {
      const loaded = await loadForTool(args, context);
      const { maxOutput } = context.scope;
      const { metadata, headers, length, words, headings, links } = describePage(loaded.snapshot);
      const fields = Object.fromEntries(
        Object.entries({
          etag: headers.etag,
          'last-modified': headers.lastModified,
          'content-type': headers.contentType,
          'cache-control': headers.cacheControl,
        }).flatMap(([name, value]) =>
          value === undefined ? [] : [[name, shortened(value, maxOutput / 32)]],
        ),
      );
      const entries = Object.entries(metadata)
        .filter(([, value]) => value !== undefined)
        .map(([name, value]): [string, unknown] => [
          name,
          typeof value === 'string' ? shortened(value, maxOutput / 8) : value,
        ]);
      const facts = pageFieldsOf(loaded, maxOutput);
      const head = `${addressOf(loaded, maxOutput)}: ${length} characters, ${words} words, ${headings} headings, ${links.all} links`;
      const build = (included: readonly (readonly [string, unknown])[]) => {
        const left = entries.filter((one) => !included.includes(one)).map(([name]) => name);
        const lines = included.flatMap(([name, value]) =>
          typeof value === 'string' ? [`${name}: ${value}`] : [],
        );
        return {
          structured: {
            ...facts,
            metadata: Object.fromEntries(included),
            headers: fields,
            length,
            words,
            headings,
            links,
            ...(left.length > 0 && { left_out: left }),
          },
          text: `${head}\n${enveloped(lines.join('\n'))}`,
        };
      };
      const room = new Budget(roomBeside(build([]), maxOutput));
      const { structured, text } = build(entries.filter((one) => room.take(sizeOf(one))));
      return reply({ structured, content: text });
    }, context.scope.maxOutput),
});
