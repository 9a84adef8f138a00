import * as z from 'zod';
import { tool } from '../../../src/index.ts';

const registry = globalThis as { loadedToolModules?: string[] };
registry.loadedToolModules ??= [];
registry.loadedToolModules.push('sums');

export const add = tool({
  name: 'add',
  title: 'Add',
  description: 'Adds two numbers "exactly".',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  annotations: { readOnlyHint: true },
  icons: [{ src: 'data:image/png;base64,AA==' }],
  run: ({ a, b }) => ({ sum: a + b }),
});

export const plain = tool({
  name: 'plain',
  description: 'Says plain.',
  input: z.object({}),
  run: () => 'plain',
});
