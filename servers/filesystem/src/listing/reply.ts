import type { Json } from '@rootbound/kit/budget';
import { counted, fit, moreNote, sealPosition } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { entryLine } from './facts.ts';
import type { ListingPage } from './listing.ts';

/** The structured half of a page of a directory. */
export const listingOutput = z.object({
  path: z.string(),
  entries: z.array(
    z.object({
      name: z.string(),
      bytes: z.string().optional().describe('base64 of a name that is not UTF-8'),
      type: z.enum(['file', 'directory', 'symlink', 'other']),
      size: z.int().optional(),
      modified: z.string().optional(),
      target: z.string().optional().describe('of a link, when inside the roots'),
    }),
  ),
  total: z.int().optional(),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

/** The query of a page, which the cursor of the next page repeats. */
export interface ListingQuery {
  tool: string;
  path: string;
  query: Json;
}

/** Returns a page as a result within the size limit; `ending` are the last lines of its text. */
export function toReply(
  page: ListingPage,
  { tool, path, query }: ListingQuery,
  maxOutput: number,
  ending: readonly string[] = [],
): ReturnType<typeof reply> {
  const { total, totals } = page;
  const { kept, halves } = fit(page.entries.length, maxOutput, (count) => {
    const position = page.resume(count);
    const nextCursor = position === undefined ? undefined : sealPosition(tool, query, position);
    const entries = page.entries.slice(0, count);
    const structured: z.input<typeof listingOutput> & Pick<ListingPage, 'totals'> = {
      path,
      entries,
      ...defined({ total, totals }),
      truncated: nextCursor !== undefined,
      ...defined({ nextCursor }),
    };
    const lines = entries.map(entryLine);
    if (lines.length === 0) lines.push('[no entries]');
    lines.push(...ending);
    if (nextCursor !== undefined) {
      const what = `${counted(count, 'entry', 'entries')}${total === undefined ? '' : ` of ${total}`}`;
      lines.push(moreNote(what, nextCursor));
    }
    return { structured, text: lines.join('\n') };
  });
  page.settle(kept);
  return reply({ structured: halves.structured, content: halves.text });
}
