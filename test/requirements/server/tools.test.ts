import { createServer, RpcError, resource, ToolError, tool } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Message } from '../message.ts';
import { all, between, handshake, stateless } from '../revisions.ts';
import { fixture, pixel, Stage } from './fixture.ts';
import { Talk } from './talk.ts';
import { everything, person } from './tour.ts';
import { over, shakeHands } from './world.ts';

const nothing = z.object({});

over(handshake, 'a server with tools declares them in initialize', async ({ raw, proves }) => {
  const { result } = await shakeHands(raw());
  const none = await shakeHands(raw(createServer({ name: 'bare', version: '1' })));
  proves('2024-11-05/tools/declares-capability', () =>
    expect([result, none.result].map(({ capabilities }) => 'tools' in capabilities)).toEqual([true, false]),
  );
});

over(stateless, 'a server with tools declares them in discover', async ({ open, proves }) => {
  const { result } = await (await open()).request('server/discover');
  const none = await (await open(createServer({ name: 'bare', version: '1' }))).request('server/discover');
  proves('2026-07-28/tools/declares-capability', () =>
    expect([result, none.result].map(({ capabilities }) => 'tools' in capabilities)).toEqual([true, false]),
  );
});

over(all, 'the list has the fields of the revision for each tool', async ({ open, proves, revision }) => {
  const talk = await open();
  const { result } = await talk.request('tools/list');
  const tools: Message[] = result.tools;
  const byName = new Map(tools.map((listed) => [listed.name, listed]));
  const [add, later] = [byName.get('add'), byName.get('release')];
  proves('2024-11-05/tools/list-returns-tools', () =>
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['add', 'echo'])),
  );
  proves('2026-07-28/tools/list-answered-with-available-tools', () =>
    expect(tools.length).toBeGreaterThan(10),
  );
  proves('2024-11-05/tools/name-identifies-tool-uniquely', () => expect(byName.size).toBe(tools.length));
  proves('2025-11-25/tools/tool-names-unique-in-server', () => {
    const twice = () => createServer({ name: 's', version: '1', tools: [plain('a'), plain('a')] });
    expect(twice).toThrow('two tools have the name a');
  });
  proves('2024-11-05/tools/input-schema-is-object-schema', () =>
    expect(tools.filter(({ inputSchema }) => inputSchema?.type !== 'object')).toEqual([]),
  );
  proves('2025-11-25/tools/input-schema-is-schema-object', () =>
    expect(add.inputSchema.properties.a).toEqual({ type: 'number', description: 'one' }),
  );
  proves('2025-11-25/tools/no-parameter-tool-schema', () =>
    expect(later.inputSchema).toMatchObject({ type: 'object', properties: {} }),
  );
  proves('2024-11-05/tools/description-is-optional', () =>
    expect(tools.every(({ description }) => typeof description === 'string')).toBe(true),
  );
  const title = revision === '2025-03-26' ? { title: 'Add' } : {};
  const annotations = { ...title, readOnlyHint: true, openWorldHint: false };
  proves('2025-03-26/tools/annotations-are-optional', () =>
    expect([add.annotations, later.annotations]).toEqual([
      revision === '2024-11-05' ? undefined : annotations,
      undefined,
    ]),
  );
  proves('2025-06-18/tools/title-is-optional', () =>
    expect([add.title, later.title]).toEqual([revision >= '2025-06-18' ? 'Add' : undefined, undefined]),
  );
  proves('2025-06-18/tools/output-schema-is-optional-object-schema', () =>
    expect([add.outputSchema?.type, later.outputSchema]).toEqual([
      revision >= '2025-06-18' ? 'object' : undefined,
      undefined,
    ]),
  );
  expect(add.icons).toEqual(revision >= '2025-11-25' ? [{ src: pixel }] : undefined);
});

function plain(name: string) {
  return tool({ name, description: 'Nothing.', input: nothing, run: () => 'x' });
}

over(
  between('2025-11-25'),
  'a name has 1 to 128 letters, digits, underscores, hyphens and dots',
  ({ proves }) => {
    const refused = (name: string) => () =>
      expect(() => plain(name)).toThrow('must be 1 to 128 of A-Z a-z 0-9 _ . -');
    const accepted = ['a', 'A.b-c_1', 'x'.repeat(128)].map((name) => plain(name).name.length);
    proves('2025-11-25/tools/tool-name-length-1-to-128', () => {
      expect(accepted).toEqual([1, 7, 128]);
      refused('')();
      refused('x'.repeat(129))();
    });
    proves('2025-11-25/tools/tool-name-characters', () => {
      refused('größe')();
      refused('a/b')();
    });
    proves('2025-11-25/tools/tool-name-without-special-characters', () => {
      refused('a b')();
      refused('a,b')();
    });
  },
);

over(between('2025-11-25'), 'names differ by case', async ({ open, proves }) => {
  const server = createServer({
    name: 's',
    version: '1',
    tools: [plain('get'), tool({ ...plain('GET'), input: nothing, run: () => 'upper' })],
  });
  const talk = await open(server);
  const answers = [await talk.call('get'), await talk.call('GET'), await talk.call('Get')];
  proves('2025-11-25/tools/tool-names-case-sensitive', () =>
    expect(answers.map(({ result, error }) => result?.content[0].text ?? error.code)).toEqual([
      'x',
      'upper',
      -32602,
    ]),
  );
});

over(all, 'a call runs the tool and is answered with content', async ({ open, proves, revision }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  const { result } = await talk.call('echo', { text: 'x' });
  proves('2024-11-05/tools/call-returns-content', () =>
    expect([result.content, stage.ran]).toEqual([[{ type: 'text', text: 'x' }], ['echo x']]),
  );
  const { content } = (await talk.call('everything')).result;
  const kinds = content.map(({ type }: Message) => type);
  proves('2024-11-05/tools/result-can-mix-content-items', () =>
    expect(new Set(kinds).size).toBeGreaterThan(2),
  );
  proves('2024-11-05/tools/text-content-supported', () =>
    expect(content[0]).toMatchObject({ type: 'text', text: 'text' }),
  );
  proves('2024-11-05/tools/image-content-is-base64-with-mime-type', () =>
    expect(content[1]).toEqual({ type: 'image', data: 'AA==', mimeType: 'image/png' }),
  );
  proves('2025-03-26/tools/audio-content-is-base64-with-mime-type', () =>
    expect(content[2]).toEqual(
      revision === '2024-11-05'
        ? { type: 'resource', resource: { uri: 'audio:content', mimeType: 'audio/wav', blob: 'AA==' } }
        : { type: 'audio', data: 'AA==', mimeType: 'audio/wav' },
    ),
  );
  const read = async (uri: string) =>
    (await talk.request('resources/read', { uri })).result?.contents[0].text;
  const embedded = await read(content[4].resource.uri);
  proves('2024-11-05/tools/embedded-resource-uri-is-readable', () =>
    expect(embedded).toBe('water the plants'),
  );
  const linked = await read(content[3].uri ?? 'memo://today');
  proves('2025-06-18/tools/resource-link-uri-is-readable', () => {
    expect(kinds[3]).toBe(revision >= '2025-06-18' ? 'resource_link' : 'text');
    expect(linked).toBe('water the plants');
  });
});

over(
  between('2025-06-18'),
  'a server that embeds resources has the resources capability',
  async ({ open, proves, stateless: modern, raw }) => {
    const declared = modern
      ? (await (await open()).request('server/discover')).result
      : (await shakeHands(raw())).result;
    const { result } = await (await open()).call('everything');
    proves('2025-06-18/tools/embedded-resources-need-resources-capability', () => {
      expect(result.content[4].type).toBe('resource');
      expect(declared.capabilities).toHaveProperty('resources');
    });
  },
);

over(
  all,
  'an invalid call is an error response, a failure of a tool is a result',
  async ({ open, proves, revision }) => {
    const stage = new Stage();
    const talk = await open(fixture(stage));
    const unknown = await talk.call('none');
    proves('2024-11-05/tools/unknown-tool-is-protocol-error-32602', () =>
      expect(unknown.error.code).toBe(-32602),
    );
    proves('2024-11-05/tools/finding-errors-are-protocol-errors', () =>
      expect(unknown.error.message).toContain('unknown tool "none"'),
    );
    const bad = await talk.call('add', { a: 'one', b: 2 });
    const malformed = [
      await talk.request('tools/call', { arguments: {} }),
      await talk.request('tools/call', { name: 'add', arguments: [1] }),
    ];
    proves('2024-11-05/tools/inputs-validated', () => {
      expect(bad.error?.message ?? bad.result.content[0].text).toContain('a: expected number');
      expect(stage.ran).toEqual([]);
    });
    if (revision <= '2025-06-18')
      proves('2024-11-05/tools/invalid-arguments-are-protocol-error', () =>
        expect(bad.error?.code).toBe(-32602),
      );
    else
      proves('2025-11-25/tools/tool-input-validation-error-is-execution-error', () =>
        expect(bad.result?.isError).toBe(true),
      );
    proves('2025-11-25/tools/malformed-tool-call-is-protocol-error', () =>
      expect(malformed.map(({ error }) => error?.code)).toEqual([-32602, -32602]),
    );
    const failed = await talk.call('fail');
    proves('2024-11-05/tools/execution-failures-set-is-error', () =>
      expect(failed.result?.isError).toBe(true),
    );
    proves('2024-11-05/tools/tool-errors-inside-result', () =>
      expect([failed.error, failed.result.content]).toEqual([
        undefined,
        [{ type: 'text', text: 'it does not work\ndo not try again' }],
      ]),
    );
    const bare = await open(createServer({ name: 'bare', version: '1' }));
    const without = await bare.call('add');
    proves('2024-11-05/tools/unsupported-tools-is-protocol-error', () =>
      expect(without.error.code).toBe(-32601),
    );
  },
);

over(all, 'a failure of the server itself is an error response', async ({ open, proves }) => {
  const server = createServer({
    name: 's',
    version: '1',
    tools: [
      tool({
        name: 'busy',
        description: 'Is too busy.',
        input: nothing,
        run: () => {
          throw new RpcError(-32603, 'the server is overloaded');
        },
      }),
    ],
  });
  const { error } = await (await open(server)).call('busy');
  proves('2024-11-05/tools/server-errors-are-protocol-errors', () =>
    expect(error).toEqual({ code: -32603, message: 'the server is overloaded' }),
  );
});

over(
  all,
  'a tool that is not offered to the caller cannot be seen or called',
  async ({ open, proves, revision, stateless: modern }) => {
    const stage = new Stage();
    const hidden = await open(fixture(stage, { offers: ({ name }) => name !== 'echo' }));
    const listed = await hidden.request('tools/list');
    const called = await hidden.call('echo', { text: 'x' });
    const guarded = fixture(stage, {
      scope: ({ facts }) => {
        if (facts.principal !== 'ann') throw new ToolError('only ann may call this');
      },
    });
    const outcomes: unknown[] = [];
    for (const principal of ['bob', 'ann']) {
      const talk = new Talk(serveMemory(guarded, { principal }), revision, {});
      if (!modern) await shakeHands(talk);
      const { result } = await talk.call('echo', { text: principal });
      outcomes.push(result.isError ?? result.content[0].text);
    }
    proves('2024-11-05/tools/access-controls-enforced', () => {
      expect(listed.result.tools.some(({ name }: Message) => name === 'echo')).toBe(false);
      expect(called.error.code).toBe(-32602);
      expect([outcomes, stage.ran]).toEqual([[true, 'ann'], ['echo ann']]);
    });
  },
);

over(all, 'calls over the limit of a connection wait, and then are refused', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage));
  for (let call = 0; call < 256 + 4096; call++)
    talk.start('tools/call', { name: 'hold', arguments: { text: String(call) } });
  const refused = await talk.answer(
    talk.start('tools/call', { name: 'hold', arguments: { text: 'too many' } }),
  );
  proves('2024-11-05/tools/invocations-rate-limited', () => {
    expect(refused.error.message).toContain('requests are in progress; wait for responses');
    expect(stage.ran).toHaveLength(256);
  });
});

over(
  all,
  'outputs reveal no internal errors and cannot break a message',
  async ({ open, proves, revision }) => {
    const stage = new Stage();
    const text = 'a\n{"jsonrpc":"2.0"}\u2028\ud800';
    const server = fixture(stage, {
      tools: [tool({ name: 'odd', description: 'Odd.', input: nothing, run: () => text }), ...crash()],
    });
    const talk = await open(server);
    const odd = await talk.call('odd');
    const crashed = await talk.call('crash');
    proves('2024-11-05/tools/outputs-sanitized', () => {
      expect(odd.result.content[0].text.isWellFormed() || odd.result.content[0].text === text).toBe(true);
      expect(talk.lines.filter((line) => line.includes('secret'))).toEqual([]);
      expect(crashed.result.isError).toBe(true);
      expect(talk.lines).toHaveLength(revision === '2026-07-28' ? 2 : 3);
    });
  },
);

function crash() {
  const run = (): never => {
    throw new Error('secret of the bug');
  };
  return [tool({ name: 'crash', description: 'Has a bug.', input: nothing, run })];
}

over(
  between('2025-06-18'),
  'a tool with an output schema returns valid structured content beside its text',
  async ({ open, proves, stateless: modern }) => {
    const stage = new Stage();
    const wrong = tool({
      name: 'wrong',
      description: 'Lies.',
      input: nothing,
      output: z.object({ sum: z.number() }),
      run: () => ({ sum: 'one' }) as never,
    });
    const talk = await open(fixture(stage));
    const { result } = await talk.call('add', { a: 1, b: 2 });
    const listed = (await talk.request('tools/list')).result.tools.find(
      ({ name }: Message) => name === 'add',
    );
    proves('2025-06-18/tools/structured-content-is-json-object', () =>
      expect(result.structuredContent).toEqual({ sum: 3 }),
    );
    proves('2025-06-18/tools/output-schema-tool-returns-structured-content', () => {
      expect(listed.outputSchema.required).toEqual(['sum']);
      expect(result).toHaveProperty('structuredContent');
    });
    proves('2025-06-18/tools/content-present-next-to-structured-content', () =>
      expect(result.content).toHaveLength(1),
    );
    proves('2025-06-18/tools/structured-content-repeated-as-text', () =>
      expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent),
    );
    const other = await open(fixture(stage, { tools: [wrong] }));
    const lied = await other.call('wrong');
    proves('2025-06-18/tools/structured-content-conforms-to-output-schema', () => {
      expect([lied.result.isError, 'structuredContent' in lied.result]).toEqual([true, false]);
      expect(String(stage.faults[0])).toContain('output of wrong does not match its schema');
    });
    expect(modern).toBe('resultType' in result);
  },
);

over(
  handshake,
  'a list change is notified if the server declared it, and not otherwise',
  async ({ open, raw, proves }) => {
    const talk = await open();
    talk.start('tools/call', { name: 'announce', arguments: { list: 'tools' } });
    const changed = await talk.awaitMessage('notifications/tools/list_changed');
    proves('2024-11-05/tools/list-changed-notification-sent', () =>
      expect(changed.method).toBe('notifications/tools/list_changed'),
    );
    const server = fixture(new Stage(), { listChanges: {} });
    const quiet = raw(server);
    const { result } = await shakeHands(quiet);
    server.listChanged('tools');
    const received = await quiet.settled();
    proves('2024-11-05/tools/list-changed-flag-announces-notifications', () =>
      expect([result.capabilities.tools, received]).toEqual([{}, []]),
    );
  },
);

over(
  stateless,
  'a list change is notified on streams that requested it, and nowhere else',
  async ({ open, proves }) => {
    const server = fixture();
    const [asked, other, none] = [await open(server), await open(server), await open(server)];
    const id = asked.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    other.start('subscriptions/listen', { notifications: { promptsListChanged: true } });
    await asked.awaitMessage('notifications/subscriptions/acknowledged');
    await other.awaitMessage('notifications/subscriptions/acknowledged');
    server.listChanged('tools');
    const { params } = await asked.awaitMessage('notifications/tools/list_changed');
    const quiet = [await other.settled(), await none.settled()];
    proves('2026-07-28/tools/list-changed-notification-sent', () =>
      expect(params._meta['io.modelcontextprotocol/subscriptionId']).toBe(id),
    );
    proves('2026-07-28/tools/list-changed-only-on-listen-stream', () => expect(quiet).toEqual([[], []]));
    const silent = await open(fixture(new Stage(), { listChanges: {} }));
    silent.start('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const { params: agreed } = await silent.awaitMessage('notifications/subscriptions/acknowledged');
    proves('2026-07-28/tools/list-changed-flag-announces-notifications', () =>
      expect(agreed.notifications).toEqual({}),
    );
  },
);

over(
  stateless,
  'the list is the same for every connection and after every request',
  async ({ open, proves }) => {
    const server = fixture();
    const listOf = async (talk: Talk) => JSON.stringify((await talk.request('tools/list')).result.tools);
    const [one, other] = [await open(server, { capabilities: everything }), await open(server)];
    const before = await listOf(one);
    const elsewhere = await listOf(other);
    proves('2026-07-28/tools/tool-set-not-per-connection', () => expect(elsewhere).toBe(before));
    await one.call('echo', { text: 'x' });
    await one.settleCall('where', {}, person);
    await one.request('prompts/get', { name: 'greet', arguments: { who: 'a' } });
    const after = await listOf(one);
    proves('2026-07-28/tools/tool-set-not-changed-by-other-requests', () => expect(after).toBe(before));
    proves('2026-07-28/tools/tools-in-deterministic-order', () =>
      expect(
        JSON.parse(after)
          .map(({ name }: Message) => name)
          .slice(0, 3),
      ).toEqual(['add', 'echo', 'later']),
    );
  },
);

over(
  stateless,
  'structured content and schemas can be any value and any schema',
  async ({ open, proves }) => {
    const choice = z.object({
      kind: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]),
      node: Node,
    });
    const server = createServer({
      name: 's',
      version: '1',
      resources: [resource({ uri: 'memo://a', name: 'a', read: () => 'x' })],
      tools: [
        tool({
          name: 'list',
          description: 'Lists.',
          input: choice,
          output: z.array(z.number()),
          run: () => [1, 2],
        }),
      ],
    });
    const talk = await open(server);
    const [listed] = (await talk.request('tools/list')).result.tools;
    const { result } = await talk.call('list', { kind: { b: 1 }, node: { next: { next: null } } });
    proves('2026-07-28/tools/structured-content-is-any-json-value', () =>
      expect(result.structuredContent).toEqual([1, 2]),
    );
    proves('2026-07-28/tools/output-schema-is-any-json-schema', () =>
      expect(listed.outputSchema.type).toBe('array'),
    );
    proves('2026-07-28/tools/input-schema-allows-all-2020-12-keywords', () => {
      expect(listed.inputSchema.properties.kind.anyOf).toHaveLength(2);
      expect(JSON.stringify(listed.inputSchema)).toContain('$ref');
      expect(listed.inputSchema).toHaveProperty('$defs');
    });
  },
);

const Node = z.object({
  get next() {
    return Node.nullable();
  },
});

over(stateless, 'no parameter is marked for a header by default', async ({ open, proves }) => {
  const login = z.object({ password: z.string(), token: z.string(), path: z.string() });
  const server = createServer({
    name: 's',
    version: '1',
    tools: [tool({ name: 'login', description: 'Logs in.', input: login, run: () => 'x' })],
  });
  const { result } = await (await open(server)).request('tools/list');
  proves('2026-07-28/tools/sensitive-parameters-not-in-headers', () =>
    expect(JSON.stringify(result.tools)).not.toContain('x-mcp-header'),
  );
});
