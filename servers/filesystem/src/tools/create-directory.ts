import { makeDirectory } from '@rootbound/kit/boundary';
import * as z from 'zod';
import { tool } from '../workspace.ts';

export const createDirectory = tool({
  name: 'create_directory',
  title: 'Create directory',
  description: 'Creates a directory and the missing ones above it. One that exists already is fine.',
  input: z.strictObject({ path: z.string() }),
  output: z.object({ path: z.string(), created: z.boolean().describe('false when it existed already') }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: ({ path }, { scope }) => ({ path, created: makeDirectory(scope.scope, path).created }),
  render: ({ path, created }) => (created ? `created ${path}` : `${path} existed already`),
});
