import { createServer, type Server } from '@rootbound/protocol';
import { askingTools } from './asking.ts';
import { ChangingLists } from './changing.ts';
import { contentTools } from './content.ts';
import { prompts } from './prompts.ts';
import { reportingTools } from './reporting.ts';
import { resources } from './resources.ts';
import { roundTools } from './rounds.ts';
import { schemaTools } from './schemas.ts';
import { taskTools } from './tasks.ts';

/** Returns the server that the suite's scenarios require. */
export function createFixture(): Server {
  const changing = new ChangingLists(() => server);
  const server: Server = createServer({
    name: 'rootbound-conformance',
    version: '1.0.0',
    instructions: 'This server is a fixture of the conformance suite.',
    tools: [
      ...contentTools,
      ...reportingTools,
      ...askingTools,
      ...roundTools,
      ...schemaTools,
      ...taskTools,
      ...changing.tools,
    ],
    offers: ({ name }) => changing.offers(name),
    resources,
    prompts,
    tasks: {},
    listChanges: { tools: true, prompts: true },
    // these resources never change
    watch: async () => () => {},
  });
  return server;
}
