import { replaceFile } from '@rootbound/kit/boundary';
import * as z from 'zod';
import { assertWhole } from '../edit/whole.ts';
import { tool } from '../workspace.ts';

export const writeFile = tool({
  name: 'write_file',
  title: 'Write file',
  description:
    'Creates a file, or replaces one whole, in one step: readers see the old or the new content, never a part. ' +
    'Use edit_file to change parts of a file.',
  input: z.strictObject({
    path: z.string(),
    content: z.string().describe('the whole new content, written as UTF-8'),
    ifMatch: z.string().optional().describe('refuse unless the file still has this etag'),
  }),
  output: z.object({
    path: z.string(),
    created: z.boolean().describe('false when an existing file was replaced'),
    bytes: z.int(),
    etag: z.string(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  run({ path, content, ifMatch }, { scope }) {
    assertWhole('content', content);
    const options = ifMatch === undefined ? {} : { ifMatch };
    const { created, bytes, etag } = replaceFile(scope.scope, path, content, options);
    return { path, created, bytes, etag };
  },
  render: ({ path, created, bytes, etag }) =>
    `${created ? 'created' : 'replaced'} ${path}, ${bytes} bytes, etag ${etag}`,
});
