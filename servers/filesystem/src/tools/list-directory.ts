import type { Json } from '@rootbound/kit/budget';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { entryLine } from '../listing/facts.ts';
import type { ListingPage, Wanted } from '../listing/listing.ts';
import { counted, fit, moreNote, openPosition, sealPosition } from '../listing/page.ts';
import { isSortedPosition, sortedPage } from '../listing/sorted.ts';
import { isStreamPosition, streamPage } from '../listing/unsorted.ts';
import { tool } from '../workspace.ts';

const NAME = 'list_directory';
const DEFAULT_LIMIT = 500;

const output = z.object({
  path: z.string(),
  entries: z.array(
    z.object({
      name: z.string(),
      bytes: z.string().optional().describe('base64, of a name that is not UTF-8'),
      type: z.enum(['file', 'directory', 'symlink', 'other']),
      size: z.int().optional(),
      modified: z.string().optional(),
    }),
  ),
  total: z.int().optional(),
  truncated: z.boolean(),
  nextCursor: z.string().optional(),
});

export const listDirectory = tool({
  name: NAME,
  title: 'List directory',
  description: 'Lists the entries of one directory, page by page. Symbolic links are not followed.',
  input: z.strictObject({
    path: z.string(),
    sort: z
      .enum(['none', 'name', 'size', 'modified'])
      .optional()
      .describe('default name; size and modified: largest and newest first; none is fastest'),
    details: z.boolean().optional().describe('sizes and times too'),
    limit: z.int().min(1).max(10_000).optional().describe(`default ${DEFAULT_LIMIT}`),
    cursor: z.string().optional(),
  }),
  output,
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  run({ path, sort = 'name', details, limit = DEFAULT_LIMIT, cursor }, context) {
    const workspace = context.scope;
    const wanted = { path, sort, details: details ?? (sort === 'size' || sort === 'modified'), limit };
    const query = [path, sort];
    if (sort !== 'none') {
      const after = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isSortedPosition);
      return sortedPage(workspace, wanted, after, context).then((page) =>
        toReply(page, wanted, workspace.maxOutput),
      );
    }
    const after = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isStreamPosition);
    const page = streamPage(workspace, wanted, after, context);
    if (page instanceof Promise) return page.then((late) => toReply(late, wanted, workspace.maxOutput));
    return toReply(page, wanted, workspace.maxOutput);
  },
});

function toReply(page: ListingPage, { path, sort }: Wanted, maxOutput: number): ReturnType<typeof reply> {
  const query: Json = [path, sort];
  const { kept, halves } = fit(page.entries.length, maxOutput, (count) => {
    const position = page.resume(count);
    const nextCursor = position === undefined ? undefined : sealPosition(NAME, query, position);
    const entries = page.entries.slice(0, count);
    const structured: z.input<typeof output> = {
      path,
      entries,
      ...(page.total !== undefined && { total: page.total }),
      truncated: nextCursor !== undefined,
      ...(nextCursor !== undefined && { nextCursor }),
    };
    const lines = entries.map(entryLine);
    if (lines.length === 0) lines.push('[no entries]');
    if (nextCursor !== undefined) {
      const total = page.total === undefined ? '' : ` of ${page.total}`;
      const what = `${counted(count, 'entry', 'entries')}${total}`;
      lines.push(moreNote(what, nextCursor));
    }
    return { structured, text: lines.join('\n') };
  });
  page.settle(kept);
  return reply({ structured: halves.structured, content: halves.text });
}
