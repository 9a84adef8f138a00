import { expect } from 'vitest';
import { stateless } from '../revisions.ts';
import { everything } from './tour.ts';
import { over } from './world.ts';

over(stateless, 'deprecated features work', async ({ script, proves }) => {
  const logged: unknown[] = [];
  const inputRequests = {
    folders: { method: 'roots/list' },
    sample: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } },
  };
  const server = script({
    capabilities: { tools: {}, logging: {} },
    answers: {
      'tools/call': ({ params }) =>
        params.inputResponses === undefined
          ? { resultType: 'input_required', inputRequests, requestState: 's' }
          : server.done({ content: [] }),
    },
  });
  const client = await server.connect({
    ...everything(),
    logLevel: 'info',
    onNotification: (method, params) => logged.push([method, params.data]),
  });
  const calling = client.callTool('ask');
  await server.awaitMessage('tools/call');
  server.say({ method: 'notifications/message', params: { level: 'error', data: 'x' } });
  await calling;
  const [first, second] = server.all('tools/call').map(({ params }) => params);
  proves('2026-07-28/deprecated/deprecated-features-still-work', () => {
    expect(second?.inputResponses.folders.roots).toEqual([{ uri: 'file:///work', name: 'work' }]);
    expect(second?.inputResponses.sample.model).toBe('tiny');
    expect(first?._meta['io.modelcontextprotocol/logLevel']).toBe('info');
    expect(logged).toEqual([['notifications/message', 'x']]);
  });
});
