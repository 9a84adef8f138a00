import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  type Ask,
  confirm,
  createServer,
  form,
  optional,
  type Revision,
  roots,
  type Server,
  sample,
  tool,
  url,
} from '../../src/index.ts';
import type { Message } from '../wire/message.ts';
import { everything, type Person, talkTo, textOf } from './talk.ts';

const nothing = z.object({});
const Identity = z.object({ name: z.string().min(1), age: z.number().int().min(0) });
const withForms: Revision[] = ['2025-06-18', '2025-11-25', '2026-07-28'];
const withUrls: Revision[] = ['2025-11-25', '2026-07-28'];
const question = sample({
  messages: [{ role: 'user', content: { type: 'text', text: 'Why?' } }],
  maxTokens: 9,
});

/** Returns a choice among values with titles. */
function titled(titles: Record<string, string>) {
  const choices = Object.entries(titles).map(([value, title]) => z.literal(value).meta({ title }));
  return z.union(choices);
}

interface Stage {
  server: Server;
  /** the arguments of `run`, once for each time that it ran */
  ran: unknown[];
  faults: unknown[];
}

/** Returns a server whose tool `act` calls `ask`. */
function asking(ask: (ask: Ask, args: { env?: string | undefined }) => unknown): Stage {
  const ran: unknown[] = [];
  const faults: unknown[] = [];
  const server = createServer({
    name: 'asking',
    version: '1.0.0',
    onError: (error) => faults.push(error),
    tools: [
      tool({
        name: 'act',
        description: 'Acts after it has asked.',
        input: z.object({ env: z.string().optional() }),
        ask: (args, put) => ask(put, args),
        run: (_args, { answers }) => {
          ran.push(answers);
          return JSON.stringify(answers ?? null);
        },
      }),
      tool({ name: 'ping', description: 'Answers.', input: nothing, run: () => 'pong' }),
    ],
  });
  return { server: server, ran, faults };
}

const accept =
  (content: object): Person =>
  () => ({ action: 'accept', content });
const answering =
  (action: string): Person =>
  () => ({ action });
/** Answers each kind of question. */
const willing: Person = ({ method, params }) => {
  if (method === 'roots/list') return { roots: [{ uri: 'file:///home', name: 'home' }] };
  if (method === 'sampling/createMessage')
    return { role: 'assistant', model: 'm', content: { type: 'text', text: 'Because.' } };
  if (params.mode === 'url') return { action: 'accept' };
  return { action: 'accept', content: { name: 'Ada', age: 36, confirm: true } };
};

describe.each(withForms)('%s', (revision) => {
  const stateless = revision === '2026-07-28';
  const talkWith = ({ server }: Stage, capabilities: object = everything) =>
    talkTo(server, revision, { capabilities });

  test('the response to a form reaches run, which runs once, without unknown fields', async () => {
    const stage = asking(async (ask) => (await ask({ who: form('Who?', Identity) })).who);
    const talk = await talkWith(stage);
    const { answer, questions, rounds } = await talk.settleCall(
      'act',
      {},
      accept({ name: 'Ada', age: 36, spy: true }),
    );
    expect(JSON.parse(textOf(answer))).toEqual({ name: 'Ada', age: 36 });
    expect(stage.ran).toEqual([{ name: 'Ada', age: 36 }]);
    expect(rounds).toBe(stateless ? 1 : 0);
    const [{ method, params }] = questions as [Message];
    expect([method, params.message, Object.keys(params.requestedSchema.properties)]).toEqual([
      'elicitation/create',
      'Who?',
      ['name', 'age'],
    ]);
    expect(params.requestedSchema.required).toEqual(['name', 'age']);
    expect(params.mode).toBe(revision === '2025-06-18' ? undefined : 'form');
  });

  test('a form with every kind of field matches the official schema', async () => {
    const Fields = z.object({
      text: z.string().max(9).default('x'),
      mail: z.email(),
      page: z.url(),
      day: z.iso.date(),
      time: z.iso.datetime(),
      id: z.uuid(),
      whole: z.number().int(),
      part: z.number().min(0).max(1).optional(),
      sure: z.boolean().default(true),
      colour: z.enum(['red', 'green']),
      fixed: z.literal('this'),
      size: titled({ s: 'Small', l: 'Large' }).default('s'),
    });
    const stage = asking(async (ask) => ask({ all: form('All?', Fields) }));
    const { answer, questions } = await (await talkWith(stage)).settleCall('act', {}, answering('decline'));
    expect(answer.result.isError).toBe(true);
    expect(questions.length).toBe(1);
  });

  test.each([
    ['an object', z.object({ a: z.object({}) })],
    ['a list of free texts', z.object({ a: z.array(z.string()) })],
    ['a list of choices of types', z.object({ a: z.array(z.union([z.literal('s'), z.number()])) })],
    ['a choice of types', z.object({ a: z.union([z.string(), z.number()]) })],
  ])('a form with %s is a bug of its author that never reaches the client', async (_what, fields) => {
    const stage = asking(async (ask) => ask({ all: form('All?', fields) }));
    const { answer, questions } = await (await talkWith(stage)).settleCall('act', {}, answering('decline'));
    expect([answer.result?.isError, questions.length, stage.ran.length]).toEqual([true, 0, 0]);
    expect(String(stage.faults[0])).toMatch(/form field a must be/);
  });

  test.each([
    [{ action: 'accept', content: { confirm: true } }, true],
    [{ action: 'accept', content: { confirm: false } }, false],
    [{ action: 'accept', content: {} }, false],
    [{ action: 'accept' }, false],
  ])('a confirmation answered with %j is %j', async (reply, wanted) => {
    const stage = asking(async (ask) => (await ask({ sure: confirm('Sure?') })).sure);
    const { questions } = await (await talkWith(stage)).settleCall('act', {}, () => reply);
    expect(stage.ran).toEqual([wanted]);
    expect(questions[0].params.requestedSchema).toEqual({
      type: 'object',
      properties: { confirm: { type: 'boolean', title: 'Go ahead', default: false } },
      required: ['confirm'],
    });
  });

  test('the client samples and lists its roots', async () => {
    const stage = asking(async (ask) => {
      const { model, folders } = await ask({ model: question, folders: roots() });
      return [model.model, folders];
    });
    const { answer, rounds } = await (await talkWith(stage)).settleCall('act', {}, willing);
    expect(JSON.parse(textOf(answer))).toEqual(['m', [{ uri: 'file:///home', name: 'home' }]]);
    expect(rounds).toBe(stateless ? 1 : 0);
  });

  test.each([
    ['decline', 'the user declined the question "Sure?"'],
    ['cancel', 'the user dismissed the question "Sure?"'],
  ])('a question answered with %s ends the call as isError and run never starts', async (action, words) => {
    const stage = asking(async (ask) => ask({ sure: confirm('Sure?') }));
    const { answer } = await (await talkWith(stage)).settleCall('act', {}, answering(action));
    expect(answer.result.isError).toBe(true);
    expect(textOf(answer)).toContain(words);
    expect([stage.ran, stage.faults]).toEqual([[], []]);
  });

  test.each(['decline', 'cancel'])('an optional question passes %s to run', async (action) => {
    const stage = asking(async (ask) => (await ask({ who: optional(form('Who?', Identity)) })).who);
    await (await talkWith(stage)).settleCall('act', {}, answering(action));
    expect(stage.ran).toEqual([{ action }]);
  });

  test('an optional question that is answered returns its value', async () => {
    const stage = asking(async (ask) => {
      const { who, folders } = await ask({ who: optional(confirm('Sure?')), folders: optional(roots()) });
      return [who, folders];
    });
    await (await talkWith(stage)).settleCall('act', {}, willing);
    expect(stage.ran).toEqual([
      [
        { action: 'accept', value: true },
        { action: 'accept', value: [{ uri: 'file:///home', name: 'home' }] },
      ],
    ]);
  });

  test('a question may depend on the answer to the previous one, and run starts after the last', async () => {
    const stage = asking(async (ask) => {
      const { who } = await ask({ who: form('Who?', Identity) });
      const { sure } = await ask({ sure: confirm(`Really ${who.name}?`) });
      const { last } = await ask({ last: confirm(`Last chance, ${who.name}?`) });
      return [who.name, sure, last];
    });
    const talk = await talkWith(stage);
    const ranWhenAsked: number[] = [];
    const { questions, rounds } = await talk.settleCall('act', {}, (asked) => {
      ranWhenAsked.push(stage.ran.length);
      return willing(asked);
    });
    expect(questions.map(({ params }) => params.message)).toEqual([
      'Who?',
      'Really Ada?',
      'Last chance, Ada?',
    ]);
    expect(ranWhenAsked).toEqual([0, 0, 0]);
    expect(stage.ran).toEqual([['Ada', true, true]]);
    expect(rounds).toBe(stateless ? 3 : 0);
  });

  test('several questions of one round are asked together', async () => {
    const stage = asking(async (ask) => ask({ a: confirm('A?'), b: confirm('B?'), c: confirm('C?') }));
    const { questions, rounds } = await (await talkWith(stage)).settleCall('act', {}, willing);
    expect(questions.map(({ params }) => params.message)).toEqual(['A?', 'B?', 'C?']);
    expect(rounds).toBe(stateless ? 1 : 0);
    expect(stage.ran).toEqual([{ a: true, b: true, c: true }]);
  });

  test('a conditional question is asked only if its condition holds', async () => {
    const stage = asking(async (ask, { env }) => (env === 'prod' ? ask({ sure: confirm('Sure?') }) : 'free'));
    const talk = await talkWith(stage);
    expect((await talk.settleCall('act', { env: 'test' }, willing)).questions).toEqual([]);
    expect((await talk.settleCall('act', { env: 'prod' }, willing)).questions.length).toBe(1);
    expect(stage.ran).toEqual(['free', { sure: true }]);
  });

  test.each([
    ['a form', { who: form('Who?', Identity) }, accept({ name: '', age: -1 })],
    ['a form without its fields', { who: form('Who?', Identity) }, answering('accept')],
    ['roots that are no list', { folders: roots() }, () => ({ roots: 'all' })],
    ['roots without a URI', { folders: roots() }, () => ({ roots: [{ name: 'home' }, null] })],
    ['a model that says nothing', { model: question }, () => ({})],
  ] satisfies [string, object, Person][])(
    'a response that does not match %s fails the call and run never starts',
    async (_what, needs, person) => {
      const stage = asking(async (ask) => ask(needs as never));
      const talk = await talkWith(stage);
      const { answer } = await talk.settleCall('act', {}, person);
      if (stateless) expect(answer.error?.code).toBe(-32602);
      else expect(answer.error?.code === -32602 || answer.result?.isError === true).toBe(true);
      expect(JSON.stringify(answer)).not.toContain('Too small');
      expect([stage.ran, stage.faults]).toEqual([[], []]);
      expect(textOf(await talk.call('ping'))).toBe('pong');
    },
  );

  test.each([
    ['elicitation', confirm('Sure?'), {}, { elicitation: { form: {} } }],
    ['elicitation', confirm('Sure?'), { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['elicitation', confirm('Sure?'), { elicitation: null }, { elicitation: { form: {} } }],
    ['elicitation', url('Go', 'https://example.com/'), { elicitation: {} }, { elicitation: { url: {} } }],
    ['sampling', question, {}, { sampling: {} }],
    [
      'sampling',
      sample({ messages: [], maxTokens: 1, tools: [] }),
      { sampling: {} },
      { sampling: { tools: {} } },
    ],
    ['roots', roots(), { elicitation: {} }, { roots: {} }],
  ])(
    'a call that requires %s of a client without it fails before anything is asked (%#)',
    async (name, need, capabilities, requiredCapabilities) => {
      const stage = asking(async (ask) => ask({ need: need as ReturnType<typeof confirm> }));
      const talk = await talkWith(stage, capabilities);
      const { answer, questions } = await talk.settleCall('act', {}, willing);
      if (stateless) {
        expect(answer.error).toEqual({
          code: -32021,
          message: `this call needs the client capability ${name}`,
          data: { requiredCapabilities },
        });
      } else {
        expect(answer.result?.isError).toBe(true);
        expect(textOf(answer)).toContain(`needs the client capability ${name}`);
      }
      expect([questions, stage.ran, stage.faults]).toEqual([[], [], []]);
    },
  );

  test('an empty elicitation capability means forms', async () => {
    const stage = asking(async (ask) => ask({ sure: confirm('Sure?') }));
    await (await talkWith(stage, { elicitation: {} })).settleCall('act', {}, willing);
    expect(stage.ran).toEqual([{ sure: true }]);
  });
});

test.each(withUrls)('%s: choices with titles have the form of the specification', async (revision) => {
  const Fields = z.object({
    one: titled({ s: 'Small', l: 'Large' }).describe('the size'),
    some: z.array(titled({ s: 'Small', l: 'Large' })).min(1),
    plain: z.array(z.enum(['s', 'l'])),
    untitled: z.array(z.union([z.literal('s'), z.literal('l')])),
  });
  const stage = asking(async (ask) => ask({ all: form('All?', Fields) }));
  const { questions } = await (await talkTo(stage.server, revision, { capabilities: everything })).settleCall(
    'act',
    {},
    answering('decline'),
  );
  const choices = [
    { const: 's', title: 'Small' },
    { const: 'l', title: 'Large' },
  ];
  expect(questions[0].params.requestedSchema.properties).toEqual({
    one: { type: 'string', description: 'the size', oneOf: choices },
    some: { type: 'array', minItems: 1, items: { anyOf: choices } },
    plain: { type: 'array', items: { type: 'string', enum: ['s', 'l'] } },
    untitled: {
      type: 'array',
      items: { anyOf: ['s', 'l'].map((value) => ({ const: value, title: value })) },
    },
  });
});

test.each(withUrls)('%s: a page is requested and its acceptance is enough', async (revision) => {
  const stage = asking(async (ask) => {
    await ask({ page: url('Sign in', 'https://example.com/login') });
    return 'visited';
  });
  const talk = await talkTo(stage.server, revision, { capabilities: everything });
  const { questions } = await talk.settleCall('act', {}, willing);
  const own = { mode: 'url', message: 'Sign in', url: 'https://example.com/login' };
  const id = revision === '2025-11-25' ? { elicitationId: expect.any(String) } : {};
  expect(questions[0].params).toEqual({ ...own, ...id });
  expect(stage.ran).toEqual(['visited']);
  const { answer } = await talk.settleCall('act', {}, answering('decline'));
  expect([answer.result.isError, stage.ran.length]).toEqual([true, 1]);
});

test('every page of 2025-11-25 has its own id', async () => {
  const stage = asking(async (ask) =>
    ask({ a: url('A', 'https://example.com/a'), b: url('B', 'https://example.com/b') }),
  );
  const talk = await talkTo(stage.server, '2025-11-25', { capabilities: everything });
  const { questions } = await talk.settleCall('act', {}, willing);
  expect(new Set(questions.map(({ params }) => params.elicitationId)).size).toBe(2);
});

test.each([
  ['2024-11-05', 'a form', confirm('Sure?')],
  ['2025-03-26', 'a form', confirm('Sure?')],
  ['2025-06-18', 'a page', url('Go', 'https://example.com/')],
] as const)('%s cannot ask for %s, whatever the client declares', async (revision, _what, need) => {
  const stage = asking(async (ask) => ask({ need: need as ReturnType<typeof confirm> }));
  const talk = await talkTo(stage.server, revision, { capabilities: everything });
  const { answer, questions } = await talk.settleCall('act', {}, willing);
  expect(answer.result?.isError).toBe(true);
  expect([questions, stage.ran]).toEqual([[], []]);
});

test.each(['2024-11-05', '2025-03-26'] as const)('%s: sampling and roots are requested', async (revision) => {
  const stage = asking(async (ask) => ask({ model: question, folders: roots() }));
  const talk = await talkTo(stage.server, revision, { capabilities: everything });
  const { questions } = await talk.settleCall('act', {}, willing);
  expect(questions.map(({ method }) => method).filter((method) => method !== 'roots/list')).toEqual([
    'sampling/createMessage',
  ]);
  expect(stage.ran.length).toBe(1);
});

test.each(['2025-06-18', '2025-11-25'] as const)(
  '%s: a client that responds to a question with an error fails the call, not the method',
  async (revision) => {
    const stage = asking(async (ask) => ask({ sure: confirm('Sure?') }));
    const talk = await talkTo(stage.server, revision, { capabilities: everything });
    const { answer } = await talk.settleCall('act', {}, () => ({
      error: { code: -32601, message: 'method not found' },
    }));
    expect(answer.result?.isError).toBe(true);
    expect(stage.ran).toEqual([]);
  },
);

test.each(['2025-06-18', '2025-11-25'] as const)(
  '%s: cancelling a call cancels its question',
  async (revision) => {
    const stage = asking(async (ask) => ask({ sure: confirm('Sure?') }));
    const { wire } = await talkTo(stage.server, revision, {
      capabilities: { elicitation: { form: {} } },
    });
    wire.say(JSON.stringify({ jsonrpc: '2.0', id: 'c', method: 'tools/call', params: { name: 'act' } }));
    const { id } = await wire.until(({ method }) => method === 'elicitation/create');
    wire.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"c"}}');
    wire.say('{"jsonrpc":"2.0","id":"p","method":"ping"}');
    await wire.answer('p');
    await wire.finish();
    expect(wire.heard.filter(({ method }) => method === 'notifications/cancelled')).toMatchObject([
      { params: { requestId: id } },
    ]);
    expect(stage.ran).toEqual([]);
  },
);

test('concurrent calls that ask get their results', async () => {
  const stage = asking(async (ask) => ask({ sure: confirm('Sure?') }));
  const talk = await talkTo(stage.server, '2025-11-25', { capabilities: { elicitation: {} } });
  const many = 1500;
  for (let i = 0; i < many; i++) {
    talk.wire.say(
      JSON.stringify({ jsonrpc: '2.0', id: `c${i}`, method: 'tools/call', params: { name: 'act' } }),
    );
  }
  talk.wire.say('{"jsonrpc":"2.0","id":"p","method":"ping"}');
  let answered = 0;
  while (answered < many) {
    const message = await talk.wire.next();
    if (message.method === 'elicitation/create') talk.reply(message.id, willing(message));
    else if (message.method === undefined && message.id !== 'p') answered += 1;
  }
  expect(stage.ran.length).toBe(many);
});
