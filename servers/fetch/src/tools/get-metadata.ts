import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { answering } from '../fetching/answering.ts';
import { pageArguments } from '../fetching/arguments.ts';
import { readPage } from '../fetching/read-page.ts';
import { outcome, told } from '../fetching/schemas.ts';
import { enveloped, toldOf } from '../fetching/told.ts';
import { describePage } from '../pages/description.ts';
import { tool } from '../workspace.ts';

const output = outcome({
  ...told,
  metadata: z
    .record(z.string(), z.unknown())
    .describe('what the page says of itself: author, dates, feeds, JSON-LD'),
  headers: z.record(z.string(), z.string()),
  length: z.int(),
  words: z.int(),
  headings: z.int(),
  links: z.record(z.string(), z.int()),
});

export const getMetadata = tool({
  name: 'get_metadata',
  title: 'Metadata',
  description:
    'What a page says of itself: title, author, dates, language, feeds, JSON-LD; and how much there is of it.',
  input: z.strictObject(pageArguments),
  output,
  annotations: { readOnlyHint: true, openWorldHint: true },
  run: (args, context) =>
    answering(async () => {
      const loaded = await readPage(args, context);
      const { metadata, headers, length, words, headings, links } = describePage(loaded.snapshot);
      const fields = Object.fromEntries(
        Object.entries({
          etag: headers.etag,
          'last-modified': headers.lastModified,
          'content-type': headers.contentType,
          'cache-control': headers.cacheControl,
        }).filter(([, value]) => value !== undefined),
      );
      const said = Object.entries(metadata)
        .filter(([, value]) => typeof value === 'string')
        .map(([name, value]) => `${name}: ${value as string}`);
      return reply({
        structured: { ...toldOf(loaded), metadata, headers: fields, length, words, headings, links },
        content: [
          `${loaded.snapshot.finalUrl}: ${length} characters, ${words} words, ${headings} headings, ${links.all} links`,
          enveloped(said.join('\n')),
        ].join('\n'),
      });
    }),
});
