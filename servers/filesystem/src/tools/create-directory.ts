import { makeDirectory, showName } from '@rootbound/kit/boundary';
import * as z from 'zod';
import { changeOptions } from '../changes/options.ts';
import { tool } from '../workspace.ts';

export const createDirectory = tool({
  name: 'create_directory',
  title: 'Create directory',
  description: 'Creates a directory and its missing parents.',
  input: z.strictObject({ path: z.string() }),
  output: z.object({ path: z.string(), created: z.boolean().describe('false if it already existed') }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run({ path }, context) {
    const made = makeDirectory(context.scope.scope, path, changeOptions(context));
    return made instanceof Promise
      ? made.then(({ created }) => ({ path, created }))
      : { path, created: made.created };
  },
  render: ({ path, created }) =>
    created ? `created ${showName(path)}` : `${showName(path)} already existed`,
});
