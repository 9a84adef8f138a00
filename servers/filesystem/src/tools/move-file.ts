import { moveEntry } from '@rootbound/kit/boundary';
import * as z from 'zod';
import { tool } from '../workspace.ts';

export const moveFile = tool({
  name: 'move_file',
  title: 'Move file',
  description:
    'Moves or renames a file, directory or symbolic link (the link itself, never its target). ' +
    'Fails when the destination exists; nothing is overwritten.',
  input: z.strictObject({ source: z.string(), destination: z.string() }),
  output: z.object({ source: z.string(), destination: z.string() }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  run({ source, destination }, { scope }) {
    moveEntry(scope.scope, source, destination);
    return { source, destination };
  },
  render: ({ source, destination }) => `moved ${source} to ${destination}`,
});
