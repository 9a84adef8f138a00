import { createServer, prompt, reply, resource, template, tool } from '@rootbound/protocol';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Message } from '../message.ts';
import { metaKeysOf } from '../meta-keys.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { everything, tour } from './tour.ts';
import { over } from './world.ts';

const own = { 'example.com/own': { a: 1 }, plain: true, 'com.example.mcp/': 1 };
const trace = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'a=1,b=2',
  baggage: 'user=1;ttl=2,x=%20',
};

/** Creates a server with metadata in every definition, content and result. */
function labelled() {
  const text = { type: 'text', text: 'x', _meta: own } as const;
  return createServer({
    name: 's',
    version: '1',
    tools: [
      tool({
        name: 'a',
        description: 'x',
        input: z.object({}),
        _meta: own,
        run: () =>
          reply({
            _meta: own,
            content: [
              text,
              { type: 'image', data: 'AA==', mimeType: 'image/png', _meta: own },
              { type: 'resource', resource: { uri: 'memo://a', text: 'x', _meta: own }, _meta: own },
            ],
          }),
      }),
    ],
    prompts: [prompt({ name: 'a', _meta: own, get: () => [{ role: 'user', content: text }] })],
    resources: [
      resource({
        uri: 'memo://a',
        name: 'a',
        _meta: own,
        read: () => [
          { uri: 'memo://a', text: 'x', _meta: own },
          { uri: 'memo://a', blob: 'AA==', _meta: own },
        ],
      }),
      template({ uriTemplate: 'memo://{x}', name: 'b', _meta: own, read: () => 'x' }),
    ],
  });
}

over(all, 'metadata is sent where the revision has it', async ({ open, proves, revision }) => {
  const talk = await open(labelled());
  const modern = revision >= '2025-06-18';
  const there = modern ? own : undefined;
  const { result } = await talk.call('a');
  proves('2024-11-05/meta/result-meta-reserved', () => expect(result._meta).toMatchObject(own));
  proves('2025-06-18/meta/meta-on-content-blocks', () =>
    expect(result.content.map(({ _meta }: Message) => _meta)).toEqual([there, there, there]),
  );
  const definitions: Message[] = [
    (await talk.request('tools/list')).result.tools[0],
    (await talk.request('prompts/list')).result.prompts[0],
    (await talk.request('resources/list')).result.resources[0],
    (await talk.request('resources/templates/list')).result.resourceTemplates[0],
  ];
  proves('2025-06-18/meta/meta-on-server-definitions', () =>
    expect(definitions.map(({ _meta }) => _meta)).toEqual([there, there, there, there]),
  );
  const { contents } = (await talk.request('resources/read', { uri: 'memo://a' })).result;
  if (modern)
    proves('2025-06-18/meta/meta-on-resource-contents', () =>
      expect(contents.map(({ _meta }: Message) => _meta)).toEqual([own, own]),
    );
});

over(all, 'metadata of the client is tolerated, whatever its keys', async ({ open, proves, revision }) => {
  const talk = await open();
  const { result } = await talk.call('echo', { text: 'x' }, { ...own, 'example.com/': 2, '': 3 });
  talk.notify('notifications/cancelled', { requestId: 'none', _meta: own });
  talk.notify('notifications/unheard', { _meta: own });
  const received = await talk.settled();
  proves('2024-11-05/meta/notification-meta-reserved', () => expect(received).toEqual([]));
  proves('2025-06-18/meta/request-meta-accepts-any-key', () => expect(result.content[0].text).toBe('x'));
  proves('2025-06-18/meta/prefix-is-optional', () => expect(result.isError).toBeUndefined());
  proves('2025-06-18/meta/name-may-be-empty', () => expect(result.content).toHaveLength(1));
  if (revision <= '2025-03-26') {
    await talk.call('steps', { values: [1], total: 1 }, { progressToken: 'p', other: 1 });
    proves('2024-11-05/meta/request-meta-holds-progress-token', () =>
      expect(
        talk.heard
          .filter(({ method }) => method === 'notifications/progress')
          .map(({ params }) => params.progressToken),
      ).toEqual(['p']),
    );
  }
});

over(between('2025-06-18'), 'keys that the server writes are valid by the specification', async (world) => {
  const { heard } = await tour(world);
  const { proves } = world;
  const keys = metaKeysOf(heard);
  const labels = keys.flatMap(({ labels: found }) => found);
  expect(keys.map(({ key }) => key)).toContain('failure');
  proves('2025-06-18/meta/prefix-is-dotted-labels-and-slash', () =>
    expect(keys.filter(({ valid }) => !valid)).toEqual([]),
  );
  proves('2025-06-18/meta/label-starts-with-letter', () =>
    expect(labels.filter((label) => !/^[A-Za-z]/.test(label))).toEqual([]),
  );
  proves('2025-06-18/meta/label-ends-with-letter-or-digit', () =>
    expect(labels.filter((label) => !/[A-Za-z0-9]$/.test(label))).toEqual([]),
  );
  proves('2025-06-18/meta/label-interior-characters', () =>
    expect(labels.filter((label) => !/^[A-Za-z0-9-]+$/.test(label))).toEqual([]),
  );
  proves('2025-06-18/meta/name-begins-and-ends-alphanumeric', () =>
    expect(keys.filter(({ name }) => name !== '' && !/^[A-Za-z0-9](.*[A-Za-z0-9])?$/.test(name))).toEqual([]),
  );
  const official = ['io.modelcontextprotocol/serverInfo', 'io.modelcontextprotocol/subscriptionId'];
  const reserved = keys
    .filter(({ key }) => /^([^/]*\.)?(modelcontextprotocol|mcp)[./]/.test(key))
    .map(({ key }) => key);
  const onlyOfficial = () => expect(reserved.filter((key) => !official.includes(key))).toEqual([]);
  proves('2025-06-18/meta/mcp-prefixes-reserved', onlyOfficial);
  proves('2025-11-25/meta/meta-prefix-with-mcp-second-label-is-reserved', onlyOfficial);
  proves('2026-07-28/meta/third-party-extension-keys-use-vendor-prefix', onlyOfficial);
  proves('2025-06-18/meta/schema-reserved-names-honored', () =>
    expect(heard.filter(({ params }) => params?._meta?.progressToken !== undefined)).toEqual([]),
  );
  proves('2025-11-25/meta/meta-prefix-uses-reverse-dns', () =>
    expect(new Set(keys.map(({ prefix }) => prefix))).toEqual(
      new Set(['', 'example.com/', ...(world.stateless ? ['io.modelcontextprotocol/'] : [])]),
    ),
  );
});

over(
  between('2025-06-18'),
  'reserved keys with invalid values are ignored where they have no meaning',
  async ({ open, proves, stateless: modern }) => {
    const talk = await open();
    const odd = modern
      ? {
          'io.modelcontextprotocol/serverInfo': 7,
          'io.modelcontextprotocol/subscriptionId': {},
          'io.modelcontextprotocol/other': [],
        }
      : { 'io.modelcontextprotocol/related-task': 7, 'modelcontextprotocol.io/other': {}, 'mcp.dev/x': [] };
    const { result } = await talk.call('echo', { text: 'x' }, odd);
    proves('2025-06-18/meta/no-assumptions-about-reserved-keys', () =>
      expect(result?.content[0].text).toBe('x'),
    );
  },
);

over(handshake, 'a root may have metadata', async ({ open, proves, revision }) => {
  if (revision < '2025-06-18') return;
  const talk = await open(undefined, { capabilities: everything });
  talk.reply((await talk.awaitMessage('roots/list')).id, { roots: [] });
  const { answer } = await talk.settleCall('where', {}, () => ({
    roots: [{ uri: 'file:///a', _meta: own }],
  }));
  expect(answer.result.content[0].text).toBe('file:///a');
  proves('2025-06-18/meta/request-meta-accepts-any-key', () => expect(answer.result.isError).toBeUndefined());
});

over(stateless, 'required metadata of a request is enforced', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  const version = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const capabilities = { 'io.modelcontextprotocol/clientCapabilities': {} };
  const send = (_meta?: object) =>
    talk.ask(
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'echo', arguments: { text: 'x' }, _meta },
      }),
    );
  const codes = [
    await send(),
    await send({}),
    await send(version),
    await send(capabilities),
    await send({ ...version, ...capabilities, [Object.keys(version)[0]!]: 7 }),
  ];
  proves('2026-07-28/meta/missing-required-meta-answered-32602', () => {
    expect(codes.map(({ error }) => error?.code)).toEqual([-32602, -32602, -32602, -32602, -32602]);
    expect(stage.ran).toEqual([]);
  });
  const nameless = await send({ ...version, ...capabilities });
  expect(nameless.result.content[0].text).toBe('x');
});

over(stateless, 'every result names its server', async (world) => {
  const { heard } = await tour(world);
  const names = heard
    .filter(({ result }) => result !== undefined)
    .map(({ result }) => result._meta?.['io.modelcontextprotocol/serverInfo']?.name);
  world.proves('2026-07-28/meta/result-meta-has-server-info', () => {
    expect(names.length).toBeGreaterThan(10);
    expect(new Set(names)).toEqual(new Set(['fixture']));
  });
});

over(stateless, 'the name of a client changes nothing', async ({ open, proves }) => {
  const talk = await open();
  const as = (name: string) => ({ 'io.modelcontextprotocol/clientInfo': { name, version: '1' } });
  const listed = [
    await talk.request('tools/list', {}, as('admin')),
    await talk.request('tools/list', {}, as('nobody')),
  ];
  proves('2026-07-28/meta/self-reported-info-does-not-change-behavior', () =>
    expect(listed[0].result).toEqual(listed[1].result),
  );
  const read = [
    await talk.request('resources/read', { uri: 'memo://none' }, as('root')),
    await talk.request('resources/read', { uri: 'memo://none' }, as('x')),
  ];
  proves('2026-07-28/meta/self-reported-info-not-used-for-security', () =>
    expect(read[0].error).toEqual(read[1].error),
  );
});

over(stateless, 'trace context is passed on unchanged', async ({ open, proves }) => {
  const traced = tool({
    name: 'traced',
    description: 'x',
    input: z.object({}),
    run: () => reply({ content: 'x', _meta: trace }),
  });
  const talk = await open(createServer({ name: 's', version: '1', tools: [traced] }));
  const { result } = await talk.call('traced', {}, trace);
  const { traceparent, tracestate, baggage } = result._meta;
  proves('2026-07-28/meta/trace-context-in-w3c-format', () =>
    expect([traceparent, tracestate]).toEqual([trace.traceparent, trace.tracestate]),
  );
  proves('2026-07-28/meta/baggage-in-w3c-format', () => expect(baggage).toBe(trace.baggage));
  proves('2026-07-28/meta/trace-keys-need-no-prefix', () => expect(result.resultType).toBe('complete'));
});
