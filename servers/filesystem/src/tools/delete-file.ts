import { removeEntry, showName } from '@rootbound/kit/boundary';
import * as z from 'zod';
import { changeOptionsWith } from '../changes/options.ts';
import { confirmDeletion } from '../confirm.ts';
import { tool } from '../workspace.ts';

export const deleteFile = tool({
  name: 'delete_file',
  title: 'Delete file',
  description:
    'Deletes a file, a symbolic link (not its target) or a directory; set recursive if it is not empty.',
  input: z.strictObject({
    path: z.string(),
    recursive: z.boolean().optional(),
    ifMatch: z.string().optional(),
  }),
  output: z.object({
    path: z.string(),
    type: z.enum(['file', 'directory', 'symlink', 'other']),
    entries: z.int().describe('number deleted, including itself'),
    trashed: z.boolean().describe('moved to the trash'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  ask: ({ path, recursive = false }, ask, context) => confirmDeletion(path, recursive, ask, context),
  async run({ path, recursive, ifMatch }, context) {
    const { scope, changes } = context.scope;
    const options = changeOptionsWith(context, { recursive, ifMatch, trash: changes.trash });
    const { kind: type, entries, trashed } = await removeEntry(scope, path, options);
    return { path, type, entries, trashed };
  },
  render({ path, entries, trashed }) {
    const what = `${showName(path)}${entries > 1 ? ` and ${inside(entries - 1)} in it` : ''}`;
    return trashed ? `moved ${what} to the trash` : `deleted ${what}`;
  },
});

function inside(count: number): string {
  return count === 1 ? '1 entry' : `${count} entries`;
}
