import { hostname, userInfo } from 'node:os';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { written } from '../documents.ts';
import type { Message } from '../message.ts';
import { all, handshake } from '../revisions.ts';
import { over } from './world.ts';

over(all, "a server receives only the data that the client's options provide", async (world) => {
  const { proves, script, stateless: modern } = world;
  const server = script({
    capabilities: { tools: {} },
    answers: { 'tools/call': { resultType: 'complete', content: [] } },
  });
  const client = await server.connect();
  await client.callTool('any', { text: 'x' });
  const sent = server.lines.join('\n');
  const own = [
    process.cwd(),
    pathToFileURL(process.cwd()).href,
    userInfo().homedir,
    hostname(),
    process.execPath,
  ];
  proves('2024-11-05/security/privacy-considered-in-feature-design', () => {
    for (const text of own) expect(sent).not.toContain(text);
  });
  const declared = modern
    ? server.heard.map(({ params }) => params?._meta?.['io.modelcontextprotocol/clientCapabilities'])
    : [(await server.awaitMessage('initialize')).params.capabilities];
  proves('2024-11-05/security/access-controls-and-data-protections', () =>
    expect(declared.filter((capabilities) => JSON.stringify(capabilities ?? {}) !== '{}')).toEqual([]),
  );
});

over(handshake, 'a server gets no feature that the client did not declare', async ({ proves, script }) => {
  const server = script({ lenient: true });
  await server.connect();
  const answers: Message[] = [];
  for (const [method, params] of [
    ['roots/list', {}],
    ['sampling/createMessage', { messages: [], maxTokens: 1 }],
    ['elicitation/create', { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }],
  ] as const)
    answers.push(await server.ask(method, method, params));
  proves('2024-11-05/security/user-data-protected-by-access-controls', () =>
    expect(answers.map(({ result, error }) => [result, typeof error.code])).toEqual(
      answers.map(() => [undefined, 'number']),
    ),
  );
});

over(
  ['2026-07-28'],
  'a server gets no input response for a feature that the client did not declare',
  async (world) => {
    const { proves, script } = world;
    const inputRequests = { where: { method: 'roots/list', params: {} } };
    const server = script({
      capabilities: { tools: {} },
      answers: { 'tools/call': { resultType: 'input_required', inputRequests, requestState: 's' } },
    });
    const client = await server.connect();
    const outcome = await client.callTool('any').catch((error: Error) => error.message);
    proves('2024-11-05/security/user-data-protected-by-access-controls', () => {
      expect(outcome).toBeTypeOf('string');
      expect(server.all('tools/call')).toHaveLength(1);
    });
  },
);

over(all, 'the trust in a client is documented', async ({ proves }) => {
  const security = written('SECURITY.md');
  proves('2024-11-05/security/document-security-implications', () =>
    expect(security).toContain('The client is trusted to act for its user'),
  );
});
