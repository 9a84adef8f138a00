import { formatBytes, openPosition } from '@rootbound/kit/budget';
import * as z from 'zod';
import type { Totals } from '../listing/listing.ts';
import { listingOutput, toReply } from '../listing/reply.ts';
import { isSortedPosition, sortedPage } from '../listing/sorted.ts';
import { tool } from '../workspace.ts';

const NAME = 'list_directory_with_sizes';
const MOST = 10_000;
/** No entry with its details takes less of the budget. */
const LEAST_ENTRY_BYTES = 64;

/** `list_directory` with details, and with the sums of the whole directory, under the official server's name. */
export const listDirectoryWithSizes = tool({
  name: NAME,
  listed: false,
  title: 'List directory with sizes',
  description: 'Lists the entries of one directory with sizes and their sum. Use list_directory.',
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
    // the budget decides how much of the directory one page shows
    const limit = Math.min(MOST, Math.ceil(workspace.maxOutput / LEAST_ENTRY_BYTES));
    const wanted = { path, sort: sortBy, details: true, limit, totals: true };
    const page = await sortedPage(workspace, wanted, after, context);
    return toReply(page, { tool: NAME, path, query }, workspace.maxOutput, linesOf(page.totals!));
  },
});

/** The sums in the official server's words; what is neither file nor directory is counted by itself. */
function linesOf({ files, directories, others, size }: Totals): string[] {
  const rest = others === 0 ? '' : `, ${others} others`;
  return [
    '',
    `Total: ${files} files, ${directories} directories${rest}`,
    `Combined size: ${formatBytes(size)}`,
  ];
}
