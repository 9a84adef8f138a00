import { describe, expect, test } from 'vitest';
import {
  allRevisions,
  createServer,
  handshakeRevisions,
  prompt,
  resource,
  type Server,
  type ServerOptions,
  template,
} from '../../src/index.ts';
import { begin, type Talk, talkTo } from './talk.ts';

const info = { name: 'declaring', version: '1.0.0' };
const serve = (options: Partial<ServerOptions<unknown>>): Server => createServer({ ...info, ...options });
const read = () => '';
const complete = () => [];

const cases: [string, Partial<ServerOptions<unknown>>, object][] = [
  ['nothing', {}, {}],
  ['tools', { tools: [] }, { tools: {} }],
  ['tools that change', { tools: [], listChanges: { tools: true } }, { tools: { listChanged: true } }],
  ['prompts', { prompts: [] }, { prompts: {} }],
  [
    'prompts that change',
    { prompts: [], listChanges: { prompts: true } },
    { prompts: { listChanged: true } },
  ],
  ['resources', { resources: [] }, { resources: {} }],
  ['resources that are listed by a function', { listResources: () => [] }, { resources: {} }],
  [
    'resources that change',
    { resources: [], listChanges: { resources: true } },
    { resources: { listChanged: true } },
  ],
  [
    'resources that are watched',
    { resources: [], watch: async () => () => {} },
    { resources: { subscribe: true } },
  ],
  ['changes of lists that it has not', { listChanges: { tools: true, prompts: true, resources: true } }, {}],
  [
    'completion of a prompt',
    { prompts: [prompt({ name: 'p', arguments: [{ name: 'a', complete }], get: read })] },
    { prompts: {}, completions: {} },
  ],
  [
    'completion of a template',
    { resources: [template({ uriTemplate: 'a:{b}', name: 'a', complete: { b: complete }, read })] },
    { resources: {}, completions: {} },
  ],
  [
    'a prompt without completion',
    {
      prompts: [prompt({ name: 'p', arguments: [{ name: 'a' }], get: read })],
      resources: [resource({ uri: 'a:', name: 'a', read })],
    },
    { prompts: {}, resources: {} },
  ],
];

describe.each(allRevisions)('%s', (revision) => {
  test.each(cases)('a server with %s declares exactly that', async (_what, options, wanted) => {
    const talk = begin(serve(options), revision);
    const clientInfo = { name: 'tester', version: '1' };
    const { result } = talk.stateless
      ? await talk.request('server/discover')
      : await talk.request('initialize', { protocolVersion: revision, capabilities: {}, clientInfo });
    const { completions, ...others } = wanted as { completions?: object };
    const known = revision === '2024-11-05' || completions === undefined ? {} : { completions };
    expect(result.capabilities).toEqual({ logging: {}, ...others, ...known });
  });

  test('a method without a declared capability does not exist', async () => {
    const talk = await talkTo(serve({}), revision);
    const methods = [
      'tools/list',
      'tools/call',
      'prompts/list',
      'prompts/get',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'completion/complete',
      'resources/subscribe',
    ];
    for (const method of methods)
      expect([method, (await talk.request(method)).error?.code]).toEqual([method, -32601]);
  });
});

const initialize = (talk: Talk, protocolVersion: unknown) =>
  talk.request('initialize', {
    protocolVersion,
    capabilities: {},
    clientInfo: { name: 'tester', version: '1' },
  });

test.each(['1999-01-01', '2025-11-26', '2026-07-28', '9999-12-31', 'latest', '', '__proto__'])(
  'initialize with %j is answered with the newest handshake revision',
  async (version) => {
    const { result } = await initialize(begin(serve({ instructions: 'do' }), '2025-11-25'), version);
    expect(result).toEqual({
      protocolVersion: '2025-11-25',
      capabilities: { logging: {} },
      serverInfo: info,
      instructions: 'do',
    });
  },
);

test.each([undefined, null, 5, {}])('initialize with the version %j is refused', async (version) => {
  expect((await initialize(begin(serve({}), '2025-11-25'), version)).error?.code).toBe(-32602);
});

test.each(handshakeRevisions)('%s: the server info has the members of the revision', async (revision) => {
  const icons = [{ src: 'data:image/png;base64,AA==' }];
  const all = { title: 'T', description: 'D', websiteUrl: 'https://example.com/', icons };
  const { result } = await initialize(begin(serve(all), revision), revision);
  const titled = revision >= '2025-06-18' ? { title: 'T' } : {};
  const { title: _title, ...rest } = all;
  const pictured = revision >= '2025-11-25' ? rest : {};
  expect(result.serverInfo).toEqual({ ...info, ...titled, ...pictured });
});

test('discovery returns the stateless revisions, the capabilities and the server info', async () => {
  const { result } = await begin(serve({ tools: [], title: 'T', instructions: 'do' }), '2026-07-28').request(
    'server/discover',
  );
  expect(result).toEqual({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {}, logging: {} },
    instructions: 'do',
    ttlMs: 60_000,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { ...info, title: 'T' } },
  });
});
