import { createServer, tool } from '@rootbound/protocol';
import * as z from 'zod';
import { announce } from './announce.mjs';
import { run, shapeOf, tools } from './tools.mjs';

const server = createServer({
  name: 'bench',
  version: '1.0.0',
  listChanges: { tools: true, prompts: true },
  tools: tools.map(({ name, title, description, input, output }) =>
    tool({
      name,
      title,
      description,
      input: z.object(shapeOf(z, input)),
      output: z.object(shapeOf(z, output)),
      run: (args) => run(name, args),
    }),
  ),
  prompts: [],
});

if (process.argv[2] === 'stdio') {
  const { serveStdio } = await import('@rootbound/protocol/stdio');
  serveStdio(server);
} else {
  const { serveHttp } = await import('@rootbound/protocol/http');
  const { port } = await serveHttp(server, { port: 0, sessionCap: 20_000 });
  announce(port, () => server.listChanged('tools'));
}
