import { copyEntry, showName } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import { changeOptions } from '../changes/options.ts';
import { tool } from '../workspace.ts';

export const copyFile = tool({
  name: 'copy_file',
  title: 'Copy file',
  description:
    'Copies a file, a directory with its contents, or a symbolic link (not its target). Never overwrites.',
  input: z.strictObject({ source: z.string(), destination: z.string() }),
  output: z.object({
    source: z.string(),
    destination: z.string(),
    type: z.enum(['file', 'directory', 'symlink', 'other']),
    entries: z.int().describe('number copied, including itself'),
    bytes: z.int(),
    skipped: z.int().describe('entries skipped: denied ones, devices, pipes and sockets'),
    etag: z.string().optional().describe('of a file'),
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  async run({ source, destination }, context) {
    const copied = await copyEntry(context.scope.scope, source, destination, changeOptions(context));
    const { kind: type, entries, bytes, skipped, etag } = copied;
    return { source, destination, type, entries, bytes, skipped, ...defined({ etag }) };
  },
  render({ source, destination, type, entries, bytes, skipped, etag }) {
    const facts = [`copied ${showName(source)} to ${showName(destination)}`];
    if (type === 'directory') facts.push(`${entries} entries`);
    facts.push(`${bytes} bytes`);
    if (skipped > 0) facts.push(`${skipped} skipped`);
    if (etag !== undefined) facts.push(`etag ${etag}`);
    return facts.join(', ');
  },
});
