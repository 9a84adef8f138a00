import * as z from 'zod';
import { createServer, tool } from '../../src/index.ts';
import { serveStdio } from '../../src/stdio.ts';

// a server that can be killed by the process id that it returns
const nothing = z.object({});
serveStdio(
  createServer({
    name: 'mortal',
    version: '1.0.0',
    listChanges: { tools: true },
    tools: [
      tool({ name: 'pid', description: 'Its number.', input: nothing, run: () => `${process.pid}` }),
      tool({
        name: 'hold',
        description: 'Never answers.',
        input: nothing,
        run: () => new Promise<string>(() => {}),
      }),
    ],
  }),
);
