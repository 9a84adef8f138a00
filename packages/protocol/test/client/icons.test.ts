import { expect, test } from 'vitest';
import { connect, type Icon, usableIcons } from '../../src/client.ts';
import { complete, oldServer, scripted } from './scripted.ts';

const safe: Icon[] = [
  { src: 'https://example.com/a.png' },
  { src: 'data:image/png;base64,AA==' },
  { src: 'HTTPS://example.com/b.png' },
];
const unsafe = [
  'javascript:alert(1)',
  'http://example.com/a.png',
  'file:///etc/passwd',
  'ftp://example.com/a.png',
  'ws://example.com',
  'data:text/html,<script>',
  'https://ada:secret@example.com/',
  'vscode://open',
  'a.png',
  '',
].map((src) => ({ src }));
const icons = [...unsafe, ...safe];

test('icons that must not be loaded do not reach the application, from any list', async () => {
  const thing = { name: 'a', icons };
  const lists: Record<string, object> = {
    'tools/list': { tools: [{ ...thing, inputSchema: { type: 'object' } }] },
    'prompts/list': { prompts: [thing] },
    'resources/list': { resources: [{ ...thing, uri: 'memo://a' }] },
    'resources/templates/list': { resourceTemplates: [{ ...thing, uriTemplate: 'memo://{a}' }] },
    'tools/call': { content: [{ type: 'resource_link', ...thing, uri: 'memo://a' }] },
  };
  const server = oldServer({ tools: {}, prompts: {}, resources: {} }, ({ id, method }, act) => {
    if (lists[method] !== undefined) act.say({ id, result: lists[method] });
  });
  const client = await connect(server.transport, { name: 'tester', version: '1.0.0', era: 'handshake' });
  const seen = [
    await client.listTools(),
    await client.listPrompts(),
    await client.listResources(),
    await client.listResourceTemplates(),
    (await client.callTool('a')).content,
  ];
  expect(seen.map(([one]) => (one as { icons: Icon[] }).icons)).toEqual(seen.map(() => safe));
});

test.each(['initialize', 'server/discover'])('nor do those of the server itself, in %s', async (first) => {
  const serverInfo = { name: 'old', version: '1', icons };
  const server = scripted(({ id, method, params }, act) => {
    if (method === 'initialize')
      act.say({ id, result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo } });
    if (method === 'server/discover')
      act.say({
        id,
        result: complete({
          supportedVersions: ['2026-07-28'],
          capabilities: {},
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        }),
      });
  });
  const era = first === 'initialize' ? 'handshake' : 'auto';
  const client = await connect(server.transport, { name: 'tester', version: '1.0.0', era });
  expect(client.serverInfo?.icons).toEqual(safe);
  if (era === 'auto') {
    await client.discover();
    expect(client.serverInfo?.icons).toEqual(safe);
  }
});

test.each([
  ['https://example.com/mcp', safe],
  ['https://example.com:8443/mcp', safe.slice(1, 2)],
  ['http://example.com/mcp', safe.slice(1, 2)],
  [undefined, safe.slice(1, 2)],
])('of a server at %s only its own icons and data: URIs are usable', (server, expected) => {
  expect(usableIcons(icons, server)).toEqual(expected);
  expect(usableIcons(undefined, server)).toEqual([]);
});
