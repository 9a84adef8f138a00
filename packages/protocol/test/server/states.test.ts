import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import {
  confirm,
  createServer,
  form,
  prompt,
  resource,
  roots,
  type Server,
  type ServerOptions,
  template,
  tool,
} from '../../src/index.ts';
import type { Message } from '../wire/message.ts';
import { everything, type Talk, talkTo, textOf } from './talk.ts';

const revision = '2026-07-28';
const nothing = z.object({});
const refusal = {
  code: -32602,
  message: 'requestState is not valid for this request; start again without it',
};

interface Stage {
  server: Server;
  ran: unknown[];
  faults: unknown[];
}

function stage(options: Partial<ServerOptions<unknown>> = {}): Stage {
  const ran: unknown[] = [];
  const faults: unknown[] = [];
  const run = (args: object, { answers }: { answers: unknown }): string => {
    ran.push({ ...args, answers });
    return 'done';
  };
  const ask = async ({ env }: { env?: string | undefined }, put: import('../../src/index.ts').Ask) => {
    const { who } = await put({ who: form(`Who deploys ${env}?`, z.object({ name: z.string() })) });
    return (await put({ sure: confirm(`Sure, ${who.name}?`) })).sure;
  };
  const input = z.object({ env: z.string().optional(), force: z.boolean().optional() });
  const server = createServer({
    name: 'states',
    version: '1.0.0',
    onError: (error) => faults.push(error),
    tools: [
      tool({ name: 'deploy', description: 'Deploys.', input, ask, run }),
      tool({ name: 'destroy', description: 'Destroys.', input, ask, run }),
      tool({ name: 'plain', description: 'Asks nothing.', input, run }),
    ],
    prompts: [prompt({ name: 'deploy', ask, get: () => 'go' })],
    resources: [resource({ uri: 'memo://a', name: 'a', read: () => 'a' })],
    ...options,
  });
  return { server: server, ran, faults };
}

const open = (of: Stage): Promise<Talk> => talkTo(of.server, revision, { capabilities: everything });
const named = { who: { action: 'accept', content: { name: 'Ada' } } };
const sure = { sure: { action: 'accept', content: { confirm: true } } };

/** Returns the state of a call that waits for its first response. */
async function begin(
  talk: Talk,
  name = 'deploy',
  args: object = { env: 'prod', force: true },
): Promise<string> {
  const { result } = await talk.call(name, args);
  expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { who: {} } });
  expect(typeof result.requestState).toBe('string');
  return result.requestState;
}

/** Repeats the call with a state and responses. */
function again(talk: Talk, requestState: unknown, inputResponses: object = named): Promise<Message> {
  return talk.call('deploy', { env: 'prod', force: true }, { requestState, inputResponses });
}

/** Returns a state with one flipped bit. */
function flipped(state: string, bit: number): string {
  const bytes = Buffer.from(state, 'base64url');
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes.toString('base64url');
}

afterEach(() => {
  vi.useRealTimers();
});

test('responses are collected over rounds and run starts once, after the last', async () => {
  const on = stage();
  const talk = await open(on);
  const second = await again(talk, await begin(talk));
  expect(Object.keys(second.result.inputRequests)).toEqual(['sure']);
  expect(second.result.inputRequests.sure.params.message).toBe('Sure, Ada?');
  expect(on.ran).toEqual([]);
  const third = await again(talk, second.result.requestState, sure);
  expect(third.result.resultType).toBe('complete');
  expect(on.ran).toEqual([{ env: 'prod', force: true, answers: true }]);
});

test('a round without responses is asked again, and responses of earlier rounds stay', async () => {
  const on = stage();
  const talk = await open(on);
  const { result } = await again(talk, await begin(talk), {});
  expect(Object.keys(result.inputRequests)).toEqual(['who']);
  const second = await again(talk, result.requestState);
  const third = await again(talk, second.result.requestState, {});
  expect(Object.keys(third.result.inputRequests)).toEqual(['sure']);
  await again(talk, third.result.requestState, sure);
  expect(on.ran.length).toBe(1);
});

test('responses without a state are not accepted: they are requested again', async () => {
  const on = stage();
  const talk = await open(on);
  const { result } = await again(talk, undefined, { ...named, ...sure });
  expect([result.resultType, Object.keys(result.inputRequests)]).toEqual(['input_required', ['who']]);
  expect(on.ran).toEqual([]);
});

test('responses to input requests of other rounds are ignored', async () => {
  const on = stage();
  const talk = await open(on);
  const early = await again(talk, await begin(talk), { ...named, ...sure, other: { action: 'accept' } });
  expect(Object.keys(early.result.inputRequests)).toEqual(['sure']);
  const replaced = { ...sure, who: { action: 'decline' } };
  expect((await again(talk, early.result.requestState, replaced)).result.resultType).toBe('complete');
  expect(on.ran.length).toBe(1);
});

test('a response to a question that has changed is not used', async () => {
  let version = 1;
  const on = stage({
    tools: [
      tool({
        name: 'deploy',
        description: 'Deploys.',
        input: z.object({ env: z.string(), force: z.boolean() }),
        ask: async (_args, ask) => (await ask({ who: confirm(`Version ${version}?`) })).who,
        run: () => 'done',
      }),
    ],
  });
  const talk = await open(on);
  const { requestState } = (await talk.call('deploy', { env: 'prod', force: true })).result;
  version = 2;
  const { result } = await again(talk, requestState, {
    who: { action: 'accept', content: { confirm: true } },
  });
  expect(result.inputRequests.who.params.message).toBe('Version 2?');
});

test.each([[null], [[]], ['text'], [5]])('inputResponses that are %j are refused', async (responses) => {
  const talk = await open(stage());
  const { error } = await again(talk, await begin(talk), responses as never);
  expect(error).toEqual({ code: -32602, message: 'inputResponses must be an object' });
});

test.each([[null], [[]], ['text']])('a response that is %j is refused', async (response) => {
  const talk = await open(stage());
  const { error } = await again(talk, await begin(talk), { who: response });
  expect(error).toEqual({ code: -32602, message: 'inputResponses.who must be an object' });
});

test('a state with any flipped bit is refused with the same text', async () => {
  const on = stage();
  const talk = await open(on);
  const state = await begin(talk);
  const bits = Buffer.from(state, 'base64url').length * 8;
  for (let bit = 0; bit < bits; bit += 7) {
    expect((await again(talk, flipped(state, bit))).error).toEqual(refusal);
  }
  expect([on.ran, on.faults]).toEqual([[], []]);
});

test('a shortened or extended state is refused with the same text', async () => {
  const on = stage();
  const talk = await open(on);
  const state = await begin(talk);
  for (const keep of [0, 1, 15, 16, 20, 37, 38, state.length - 4, state.length - 2]) {
    expect((await again(talk, state.slice(0, keep))).error).toEqual(refusal);
  }
  for (const grown of [`${state}AAAA`, `AAAA${state}`, state + state, 'x'.repeat(200_000)]) {
    expect((await again(talk, grown)).error).toEqual(refusal);
  }
  expect([on.ran, on.faults]).toEqual([[], []]);
});

test.each([[null], [5], [true], [{}], [['x']], [''], ['\u0000'], ['not base64 !!']])(
  'a state that is %j is refused with the same text',
  async (state) => {
    expect((await again(await open(stage()), state)).error).toEqual(refusal);
  },
);

test.each([
  ['another tool', 'destroy', { env: 'prod', force: true }],
  ['a tool that asks nothing', 'plain', { env: 'prod', force: true }],
  ['other arguments', 'deploy', { env: 'test', force: true }],
  ['fewer arguments', 'deploy', { env: 'prod' }],
  ['arguments of other types', 'deploy', { env: 'prod', force: 'true' }],
])('a state is not valid for %s', async (_what, name, args) => {
  const on = stage();
  const talk = await open(on);
  const requestState = await begin(talk);
  const { error } = await talk.call(name, args, { requestState, inputResponses: named });
  expect(error).toEqual(refusal);
  expect(on.ran).toEqual([]);
});

test('a state is not valid for another method', async () => {
  const talk = await open(stage());
  const requestState = await begin(talk, 'deploy', {});
  const other = { name: 'deploy', arguments: {}, requestState, inputResponses: named };
  expect((await talk.request('prompts/get', other)).error).toEqual(refusal);
  expect((await talk.request('resources/read', { uri: 'memo://a', requestState })).error).toEqual(refusal);
});

test('a state is not valid for another principal', async () => {
  const { serveMemory } = await import('../../src/testing.ts');
  const key = Buffer.alloc(32, 7);
  const as = (principal: string): Promise<Talk> => {
    const { server } = stage({ stateKey: key });
    return talkTo(server, revision, { capabilities: everything, end: serveMemory(server, { principal }) });
  };
  const state = await begin(await as('ada'));
  expect((await again(await as('bob'), state)).error).toEqual(refusal);
  expect((await again(await as('ada'), state)).result.inputRequests).toHaveProperty('sure');
});

test('the order of arguments does not matter', async () => {
  const on = stage();
  const talk = await open(on);
  const requestState = await begin(talk, 'deploy', { env: 'prod', force: true });
  const { result } = await talk.call(
    'deploy',
    { force: true, env: 'prod' },
    { requestState, inputResponses: named },
  );
  expect(result.inputRequests).toHaveProperty('sure');
});

test('a tool that asks nothing still refuses an invalid state', async () => {
  const on = stage();
  const talk = await open(on);
  expect((await talk.call('plain', {}, { requestState: 'AAAA' })).error).toEqual(refusal);
  expect(on.ran).toEqual([]);
  expect(textOf(await talk.call('plain'))).toBe('done');
});

test('another server opens a state only with the same key', async () => {
  const state = await begin(await open(stage()));
  expect((await again(await open(stage()), state)).error).toEqual(refusal);
  const stateKey = new Uint8Array(32).fill(1);
  const shared = await begin(await open(stage({ stateKey })));
  expect((await again(await open(stage({ stateKey })), shared)).result.inputRequests).toHaveProperty('sure');
  expect((await again(await open(stage({ stateKey: new Uint8Array(32) })), shared)).error).toEqual(refusal);
});

test('a key of another length than 32 bytes is refused when the server is created', () => {
  expect(() => stage({ stateKey: new Uint8Array(31) })).toThrow('stateKey must have 32 bytes');
});

test('a state is valid for ten minutes', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const talk = await open(stage());
  vi.setSystemTime(0);
  const state = await begin(talk);
  vi.setSystemTime(10 * 60_000);
  expect((await again(talk, state)).result.inputRequests).toHaveProperty('sure');
  vi.setSystemTime(10 * 60_000 + 1);
  expect((await again(talk, state)).error).toEqual(refusal);
});

test('the responses inside a state cannot be read', async () => {
  const talk = await open(stage());
  const { result } = await again(talk, await begin(talk), {
    who: { action: 'accept', content: { name: 'swordfish' } },
  });
  const bytes = Buffer.from(result.requestState, 'base64url');
  expect([result.requestState, bytes.toString('latin1')].join()).not.toMatch(/swordfish|prod/);
});

test('two states of the same call differ', async () => {
  const talk = await open(stage());
  expect(await begin(talk)).not.toBe(await begin(talk));
});

test('an open question is asked even if the author catches its error, and run does not start', async () => {
  const ran: string[] = [];
  const on = stage({
    tools: [
      tool({
        name: 'deploy',
        description: 'Deploys.',
        input: z.object({}),
        ask: async (_args, ask) => {
          try {
            return (await ask({ sure: confirm('Sure?') })).sure;
          } catch {
            return false; // the author treats any failure as a no
          }
        },
        run: (_args, { answers }) => {
          ran.push(`run with ${answers}`);
          return 'done';
        },
      }),
    ],
  });
  const talk = await open(on);
  const { result } = await talk.call('deploy');
  expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { sure: {} } });
  expect(ran).toEqual([]);
  await talk.call('deploy', {}, { requestState: result.requestState, inputResponses: sure });
  expect(ran).toEqual(['run with true']);
});

test('concurrent questions are all asked', async () => {
  const on = stage({
    tools: [
      tool({
        name: 'deploy',
        description: 'Deploys.',
        input: nothing,
        ask: (_args, ask) => Promise.all([ask({ a: confirm('A?') }), ask({ b: confirm('B?') })]),
        run: (_args, { answers }) => JSON.stringify(answers),
      }),
    ],
  });
  const talk = await open(on);
  const yes = { action: 'accept', content: { confirm: true } };
  const { answer, questions } = await talk.settleCall('deploy', {}, () => yes);
  expect(textOf(answer)).toBe('[{"a":true},{"b":true}]');
  expect(new Set(questions.map(({ params }) => params.message))).toEqual(new Set(['A?', 'B?']));
});

test('a prompt asks before it is rendered', async () => {
  const got: unknown[] = [];
  const on = stage({
    prompts: [
      prompt({
        name: 'review',
        arguments: [{ name: 'path', required: true }],
        ask: async ({ path }, ask) => (await ask({ sure: confirm(`Review ${path}?`) })).sure,
        get: (_args, { answers }) => {
          got.push(answers);
          return `answered ${JSON.stringify(answers)}`;
        },
      }),
    ],
  });
  const talk = await open(on);
  const params = { name: 'review', arguments: { path: 'a' } };
  const { answer, rounds } = await talk.settle('prompts/get', params, () => sure.sure);
  expect([rounds, answer.result.messages[0].content.text, got]).toEqual([1, 'answered true', [true]]);
  const declined = await talk.settle('prompts/get', params, () => ({ action: 'decline' }));
  expect(declined.answer.error).toMatchObject({
    code: -32602,
    message: expect.stringContaining('the user declined the question "Review a?"'),
  });
  expect(got.length).toBe(1);
});

test('a scope that asks does so in calls, prompts and reads, and in nothing else', async () => {
  const seen: string[] = [];
  const on = stage({
    scopeAsks: true,
    scope: async ({ ask }) =>
      ask === undefined ? 'unasked' : (await ask({ folders: roots() })).folders[0]?.uri,
    tools: [
      tool({
        name: 'deploy',
        description: 'Deploys.',
        input: nothing,
        run: (_args, { scope }) => {
          seen.push(String(scope));
          return String(scope);
        },
      }),
    ],
    prompts: [
      prompt({
        name: 'where',
        arguments: [{ name: 'a', complete: (_value, { scope }) => [String(scope)] }],
        get: (_args, { scope }) => String(scope),
      }),
    ],
    resources: [
      resource({ uri: 'memo://a', name: 'a', read: (_uri, { scope }) => String(scope) }),
      template({ uriTemplate: 'memo://b/{x}', name: 'b', read: (_uri, { scope }) => String(scope) }),
    ],
    listResources: ({ scope }) => [{ uri: `scope://${String(scope)}`, name: 'scope' }],
  });
  const talk = await open(on);
  const person = () => ({ roots: [{ uri: 'file:///home' }] });
  const called = await talk.settleCall('deploy', {}, person);
  expect([called.rounds, textOf(called.answer), seen]).toEqual([1, 'file:///home', ['file:///home']]);
  const got = await talk.settle('prompts/get', { name: 'where' }, person);
  expect([got.rounds, got.answer.result.messages[0].content.text]).toEqual([1, 'file:///home']);
  for (const uri of ['memo://a', 'memo://b/x']) {
    const read = await talk.settle('resources/read', { uri }, person);
    expect([read.rounds, read.answer.result.contents[0].text]).toEqual([1, 'file:///home']);
  }
  const ref = { type: 'ref/prompt', name: 'where' };
  const others: [string, object][] = [
    ['tools/list', {}],
    ['prompts/list', {}],
    ['resources/list', {}],
    ['resources/templates/list', {}],
    ['server/discover', {}],
    ['completion/complete', { ref, argument: { name: 'a', value: '' } }],
  ];
  for (const [method, params] of others) {
    const { result } = await talk.request(method, params);
    expect([method, result.resultType]).toEqual([method, 'complete']);
  }
  const { result } = await talk.request('resources/list');
  expect(result.resources.at(-1).uri).toBe('scope://unasked');
});

test('a scope that catches the error of its open question runs nothing before the response', async () => {
  const ran: unknown[] = [];
  const on = stage({
    scopeAsks: true,
    scope: async ({ ask }) => {
      try {
        return await ask?.({ folders: roots() });
      } catch {
        return 'no roots'; // the author treats any failure as no roots
      }
    },
    tools: [
      tool({
        name: 'deploy',
        description: 'Deploys.',
        input: nothing,
        run: (_args, { scope }) => {
          ran.push(scope);
          return 'done';
        },
      }),
    ],
  });
  const talk = await open(on);
  const { answer, rounds } = await talk.settleCall('deploy', {}, () => ({ roots: [] }));
  expect([rounds, answer.result.resultType, ran]).toEqual([1, 'complete', [{ folders: [] }]]);
});
