import { openPosition } from '@rootbound/kit/budget';
import * as z from 'zod';
import { listingOutput, toReply } from '../listing/reply.ts';
import { isSortedPosition, sortedPage } from '../listing/sorted.ts';
import { isStreamPosition, streamPage } from '../listing/unsorted.ts';
import { tool } from '../workspace.ts';

const NAME = 'list_directory';
const DEFAULT_LIMIT = 500;
/** Least size of an entry in a result, in bytes. */
const LEAST_ENTRY_BYTES = 24;

export const listDirectory = tool({
  name: NAME,
  title: 'List directory',
  description: 'Lists the entries of one directory in pages.',
  input: z.strictObject({
    path: z.string(),
    sort: z.enum(['none', 'name', 'size', 'modified']).optional().describe('default name; none: fastest'),
    details: z.boolean().optional().describe('sizes, times, targets of links'),
    limit: z.int().min(1).max(10_000).optional().describe(`default ${DEFAULT_LIMIT}`),
    cursor: z.string().optional(),
  }),
  output: listingOutput,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ path, sort = 'name', details, limit = DEFAULT_LIMIT, cursor }, context) {
    const workspace = context.scope;
    const wanted = {
      path,
      sort,
      details: details ?? (sort === 'size' || sort === 'modified'),
      // more entries never fit into the size limit
      limit: Math.min(limit, Math.ceil(workspace.maxOutput / LEAST_ENTRY_BYTES)),
    };
    const listed = { tool: NAME, path, query: [path, sort] };
    if (sort !== 'none') {
      const after =
        cursor === undefined ? undefined : openPosition(NAME, listed.query, cursor, isSortedPosition);
      return sortedPage(workspace, wanted, after, context).then((page) =>
        toReply(page, listed, workspace.maxOutput),
      );
    }
    const after =
      cursor === undefined ? undefined : openPosition(NAME, listed.query, cursor, isStreamPosition);
    const page = streamPage(workspace, wanted, after, context);
    if (page instanceof Promise) return page.then((late) => toReply(late, listed, workspace.maxOutput));
    return toReply(page, listed, workspace.maxOutput);
  },
});
