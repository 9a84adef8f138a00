import { moveEntry, showName } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import { changeOptions } from '../changes/options.ts';
import { tool } from '../workspace.ts';

export const moveFile = tool({
  name: 'move_file',
  title: 'Move file',
  description: 'Moves or renames a file, directory or symbolic link (not its target). Never overwrites.',
  input: z.strictObject({ source: z.string(), destination: z.string() }),
  output: z.object({
    source: z.string(),
    destination: z.string(),
    etag: z.string().optional().describe('of a file'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  async run({ source, destination }, context) {
    const { etag } = await moveEntry(context.scope.scope, source, destination, changeOptions(context));
    return { source, destination, ...defined({ etag }) };
  },
  render: ({ source, destination, etag }) =>
    `moved ${showName(source)} to ${showName(destination)}${etag === undefined ? '' : `, etag ${etag}`}`,
});
