import { createServer, form, prompt, resource, roots, sample, tool } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { expect, vi } from 'vitest';
import * as z from 'zod';
import type { Message } from '../message.ts';
import { stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { Talk } from './talk.ts';
import { everything, person, tour } from './tour.ts';
import { over } from './world.ts';

const forms = { elicitation: { form: {} } };
const deploy = { name: 'deploy', arguments: { env: 'prod' } };
const yes = { sure: { action: 'accept', content: { confirm: true } } };

over(stateless, 'requests of a server are inside a result, by keys', async (world) => {
  const { proves } = world;
  const { heard } = await tour(world);
  const asking = heard
    .filter(({ result }) => result?.resultType === 'input_required')
    .map(({ result }) => result);
  const requests = asking.flatMap(({ inputRequests }) => Object.values(inputRequests) as Message[]);
  const kinds = ['elicitation/create', 'sampling/createMessage', 'roots/list'];
  proves('2026-07-28/mrtr/server-requests-use-mrtr', () => {
    expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(kinds));
    expect(heard.filter(({ method }) => kinds.includes(method))).toEqual([]);
  });
  proves('2026-07-28/mrtr/input-requests-are-keyed-objects', () =>
    expect(
      requests.filter(
        (request) => 'id' in request || 'jsonrpc' in request || typeof request.method !== 'string',
      ),
    ).toEqual([]),
  );
  proves('2026-07-28/mrtr/input-required-result-type', () => expect(asking.length).toBeGreaterThan(3));
  proves('2026-07-28/mrtr/input-request-kinds-limited', () =>
    expect(requests.filter(({ method }) => !kinds.includes(method))).toEqual([]),
  );
  proves('2026-07-28/mrtr/input-required-has-requests-or-state', () =>
    expect(
      asking.filter(
        ({ inputRequests, requestState }) => inputRequests === undefined && requestState === undefined,
      ),
    ).toEqual([]),
  );
  proves('2026-07-28/mrtr/input-request-keys-unique', () => {
    const { length } = heard.filter(({ result }) => result?.inputRequests);
    const lines = new Set(asking.map(({ inputRequests }) => JSON.stringify(Object.keys(inputRequests))));
    expect([
      length,
      [...lines].every((line) => new Set(JSON.parse(line)).size === JSON.parse(line).length),
    ]).toEqual([asking.length, true]);
  });
  proves('2026-07-28/caching/input-required-result-has-no-cache-hints', () =>
    expect(asking.filter((result) => 'ttlMs' in result || 'cacheScope' in result)).toEqual([]),
  );
});

over(
  stateless,
  'only calls, prompts and reads are answered with input requests',
  async ({ open, proves }) => {
    const server = createServer({
      name: 's',
      version: '1',
      scopeAsks: true,
      scope: async ({ ask }) => ask?.({ folders: roots() }),
      tools: [tool({ name: 'a', description: 'x', input: z.object({}), run: () => 'x' })],
      prompts: [prompt({ name: 'a', arguments: [{ name: 'b', complete: () => ['x'] }], get: () => 'x' })],
      resources: [resource({ uri: 'memo://a', name: 'a', read: () => 'x' })],
    });
    const talk = await open(server, { capabilities: everything });
    const types: Record<string, unknown> = {};
    const requests: [string, object][] = [
      ['tools/call', { name: 'a', arguments: {} }],
      ['prompts/get', { name: 'a' }],
      ['resources/read', { uri: 'memo://a' }],
      ['server/discover', {}],
      ['tools/list', {}],
      ['prompts/list', {}],
      ['resources/list', {}],
      ['resources/templates/list', {}],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'a' }, argument: { name: 'b', value: '' } }],
    ];
    for (const [method, params] of requests)
      types[method] = (await talk.request(method, params)).result?.resultType;
    proves('2026-07-28/mrtr/no-input-required-on-other-requests', () =>
      expect(Object.values(types)).toEqual([
        ...Array(3).fill('input_required'),
        ...Array(6).fill('complete'),
      ]),
    );
  },
);

over(
  stateless,
  'a client gets input requests only for features that its request declares',
  async ({ open, proves }) => {
    const talk = await open(undefined, { capabilities: forms });
    const { result, error } = await talk.call('think');
    proves('2026-07-28/mrtr/no-input-request-without-client-capability', () =>
      expect([result, error.code]).toEqual([undefined, -32021]),
    );
  },
);

over(stateless, 'a modified, foreign or forged state is refused', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage), { capabilities: forms });
  const { result } = await talk.request('tools/call', deploy);
  const { requestState } = result;
  const bytes = Buffer.from(requestState, 'base64url');
  const flipped = [0, 15, bytes.length - 1].map((at) => {
    const copy = Buffer.from(bytes);
    copy[at]! ^= 1;
    return copy.toString('base64url');
  });
  const retry = async (params: object) =>
    (await talk.request('tools/call', { ...deploy, inputResponses: yes, ...params })).error?.code;
  const tampered: unknown[] = [];
  for (const state of flipped) tampered.push(await retry({ requestState: state }));
  proves('2026-07-28/mrtr/request-state-integrity-protected', () =>
    expect(tampered).toEqual([-32602, -32602, -32602]),
  );
  const forged: unknown[] = [];
  for (const state of ['', 'x', 7, {}, 'A'.repeat(200_000), Buffer.from('{"answers":{}}').toString('base64')])
    forged.push(await retry({ requestState: state }));
  proves('2026-07-28/mrtr/unverifiable-request-state-rejected', () =>
    expect(forged).toEqual(forged.map(() => -32602)),
  );
  proves('2026-07-28/mrtr/request-state-treated-as-attacker-controlled', () => expect(stage.ran).toEqual([]));
  const moved = [
    await retry({ requestState, arguments: { env: 'test' } }),
    await retry({ requestState, name: 'register', arguments: {} }),
  ];
  const elsewhere = await talk.request('prompts/get', {
    name: 'greet',
    arguments: { who: 'a' },
    requestState,
  });
  proves('2026-07-28/mrtr/request-state-bound-to-originating-request', () =>
    expect([...moved, elsewhere.error?.code]).toEqual([-32602, -32602, -32602]),
  );
});

over(
  stateless,
  'a state belongs to its principal and expires after minutes',
  async ({ proves, revision }) => {
    const stage = new Stage();
    const server = fixture(stage);
    const as = (principal: string) => new Talk(serveMemory(server, { principal }), revision, forms);
    const [ann, bob] = [as('ann'), as('bob')];
    const { requestState } = (await ann.request('tools/call', deploy)).result;
    const retry = { ...deploy, inputResponses: yes, requestState };
    const stolen = await bob.request('tools/call', retry);
    proves('2026-07-28/mrtr/request-state-bound-to-principal', () =>
      expect([stolen.error?.code, stage.ran]).toEqual([-32602, []]),
    );
    proves('2026-07-28/security/state-handles-bound-to-user', () => expect(stolen.error.code).toBe(-32602));
    proves('2026-07-28/security/state-handle-is-not-authentication', () =>
      expect([stolen.result, stage.ran]).toEqual([undefined, []]),
    );
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      vi.setSystemTime(Date.now() + 9 * 60_000);
      const early = await ann.request('tools/call', retry);
      vi.setSystemTime(Date.now() + 2 * 60_000);
      const late = await ann.request('tools/call', retry);
      proves('2026-07-28/mrtr/request-state-expires', () =>
        expect([early.result?.content[0].text, late.error?.code]).toEqual(['deployed', -32602]),
      );
      proves('2026-07-28/security/state-handles-expire', () => expect(late.error.code).toBe(-32602));
    } finally {
      vi.useRealTimers();
    }
  },
);

over(stateless, 'states cannot be guessed', async ({ open, proves }) => {
  const talk = await open(undefined, { capabilities: forms });
  const states = new Set<string>();
  for (let call = 0; call < 5; call++)
    states.add((await talk.request('tools/call', deploy)).result.requestState);
  proves('2026-07-28/security/state-handles-non-deterministic', () => {
    expect(states.size).toBe(5);
    expect([...states].every((state) => state.length > 60)).toBe(true);
  });
});

over(
  stateless,
  'input responses are validated: malformed ones are refused, unrequested ones ignored, missing ones requested again',
  async ({ open, proves }) => {
    const stage = new Stage();
    const talk = await open(fixture(stage), { capabilities: forms });
    const { requestState } = (await talk.request('tools/call', deploy)).result;
    const retry = (inputResponses: unknown) =>
      talk.request('tools/call', { ...deploy, inputResponses, requestState });
    const wrong = [
      await retry([]),
      await retry('yes'),
      await retry({ sure: 'yes' }),
      await retry({ sure: [] }),
      await retry({ sure: { action: 'maybe' } }),
    ];
    proves('2026-07-28/mrtr/input-responses-validated', () =>
      expect(wrong.map(({ error }) => error?.code)).toEqual(wrong.map(() => -32602)),
    );
    proves('2026-07-28/mrtr/mrtr-protocol-errors-are-json-rpc-errors', () =>
      expect(wrong.map(({ result }) => result)).toEqual(wrong.map(() => undefined)),
    );
    const missing = await retry({});
    proves('2026-07-28/mrtr/missing-input-requested-again', () =>
      expect([missing.result?.resultType, stage.ran]).toEqual(['input_required', []]),
    );
    const extra = await retry({ ...yes, other: { action: 'accept' }, __proto__: { x: 1 } });
    proves('2026-07-28/mrtr/unexpected-input-responses-ignored', () =>
      expect(extra.result?.content[0].text).toBe('deployed'),
    );
  },
);

over(stateless, 'nothing waits for a client that does not repeat its call', async ({ open, proves }) => {
  const stage = new Stage();
  const talk = await open(fixture(stage), { capabilities: forms });
  for (let call = 0; call < 300; call++) await talk.request('tools/call', deploy);
  const other = await talk.call('echo', { text: 'x' });
  proves('2026-07-28/mrtr/client-retry-not-assumed', () =>
    expect([other.result.content[0].text, stage.ran]).toEqual(['x', ['echo x']]),
  );
});

over(stateless, 'a tool runs once for any number of input requests', async ({ open, proves }) => {
  let runs = 0;
  const twice = tool({
    name: 'twice',
    description: 'Asks twice.',
    input: z.object({}),
    ask: async (_args, ask) => {
      const { first } = await ask({ first: form('One?', z.object({ a: z.string() })) });
      const { second } = await ask({ second: sample({ messages: [], maxTokens: 1 }) });
      return [first.a, second.model];
    },
    run: (_args, { answers }) => {
      runs += 1;
      return answers.join();
    },
  });
  const talk = await open(createServer({ name: 's', version: '1', tools: [twice] }), {
    capabilities: everything,
  });
  const { answer, rounds } = await talk.settleCall('twice', {}, (question) =>
    question.method === 'elicitation/create' ? { action: 'accept', content: { a: 'x' } } : person(question),
  );
  expect([answer.result.content[0].text, rounds.length, runs]).toEqual(['x,tiny', 2, 1]);
  const fields = { inputResponses: { a: {} }, requestState: 'unused' };
  const answers: Message[] = [];
  for (const method of ['server/discover', 'tools/list']) answers.push(await talk.request(method, fields));
  proves('2026-07-28/mrtr/retry-fields-tolerated-on-any-request', () =>
    expect(answers.map(({ result }) => result?.resultType)).toEqual(['complete', 'complete']),
  );
});
