import { formatBytes, openPosition } from '@rootbound/kit/budget';
import * as z from 'zod';
import type { Totals } from '../listing/listing.ts';
import { listingOutput, toReply } from '../listing/reply.ts';
import { isSortedPosition, sortedPage } from '../listing/sorted.ts';
import { tool } from '../workspace.ts';

const NAME = 'list_directory_with_sizes';
const MOST = 10_000;
/** Least size of an entry with details in a result, in bytes. */
const LEAST_ENTRY_BYTES = 64;

/** `list_directory` with details and totals under the name of the official server's tool. */
export const listDirectoryWithSizes = tool({
  name: NAME,
  listed: false,
  title: 'List directory with sizes',
  description: 'Lists the entries of one directory with sizes and totals. Use list_directory.',
  input: z.strictObject({
    path: z.string(),
    sortBy: z.enum(['name', 'size']).optional(),
    cursor: z.string().optional(),
  }),
  output: listingOutput.extend({
    totals: z.object({ files: z.int(), directories: z.int(), others: z.int(), size: z.int() }),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ path, sortBy = 'name', cursor }, context) {
    const workspace = context.scope;
    const query = [path, sortBy];
    const after = cursor === undefined ? undefined : openPosition(NAME, query, cursor, isSortedPosition);
    // the size limit decides how many entries fit on one page
    const limit = Math.min(MOST, Math.ceil(workspace.maxOutput / LEAST_ENTRY_BYTES));
    const wanted = { path, sort: sortBy, details: true, limit, totals: true };
    const page = await sortedPage(workspace, wanted, after, context);
    const totals = page.totals!; // requested above
    return toReply(page, { tool: NAME, path, query }, workspace.maxOutput, linesOf(totals));
  },
});

/** Returns the totals in the official server's wording; entries that are neither file nor directory are counted apart. */
function linesOf({ files, directories, others, size }: Totals): string[] {
  const rest = others === 0 ? '' : `, ${others} others`;
  return [
    '',
    `Total: ${files} files, ${directories} directories${rest}`,
    `Combined size: ${formatBytes(size)}`,
  ];
}
