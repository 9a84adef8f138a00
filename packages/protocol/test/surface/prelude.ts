import * as z from 'zod';
import { connect, streams } from '../../src/client.ts';
import { createServer, prompt, resource, tool } from '../../src/index.ts';
import { serveMemory } from '../../src/testing.ts';

// names that the examples in the sources use without an import

/** A small server with one of each. */
export const server = createServer({
  name: 'sums',
  version: '1.0.0',
  tools: [
    tool({
      name: 'add',
      description: 'Adds two numbers.',
      input: z.object({ a: z.number(), b: z.number() }),
      output: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
      run: ({ a, b }) => ({ sum: a + b }),
    }),
  ],
  resources: [
    resource({ uri: 'memo://today', name: 'today', mimeType: 'text/plain', read: () => 'water the plants' }),
  ],
  prompts: [
    prompt({
      name: 'review',
      arguments: [{ name: 'path', required: true, complete: (value) => [`${value}.ts`] }],
      get: ({ path }) => `Review ${path}.`,
    }),
  ],
});

/** The transport to that server. */
export const transport = streams(() => serveMemory(server));

/** A client of it. */
export const client = await connect(transport, { name: 'example', version: '1.0.0' });
