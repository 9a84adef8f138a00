import { createServer, form, type Server, tool, url } from '@rootbound/protocol';
import { serveMemory } from '@rootbound/protocol/testing';
import { expect } from 'vitest';
import * as z from 'zod';
import type { Message } from '../message.ts';
import { between, stateless } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { Talk } from './talk.ts';
import { everything, person, tour } from './tour.ts';
import { over } from './world.ts';

const since = between('2025-06-18');
const modes = between('2025-11-25');
const forms = { elicitation: { form: {} } };
const pages = { elicitation: { url: {} } };

over(
  since,
  'elicitation is used only if the client declared it',
  async ({ open, proves, revision, stateless: modern }) => {
    const talk = await open(undefined, { capabilities: { elicitation: {} } });
    const { questions, answer } = await talk.settleCall('register', {}, person);
    const [{ method, params }] = questions;
    const silent = await open();
    const refused = await silent.call('register');
    proves('2025-06-18/elicitation/request-requires-client-capability', () => {
      expect(method).toBe('elicitation/create');
      expect(modern ? refused.error.code : refused.result.isError).toEqual(modern ? -32021 : true);
      expect(
        silent.heard.filter((message) => message.method === method || message.result?.inputRequests),
      ).toEqual([]);
    });
    proves('2025-06-18/elicitation/request-has-message-and-schema', () =>
      expect([params.message, params.requestedSchema.type]).toEqual(['Who are you?', 'object']),
    );
    proves('2025-11-25/elicitation/elicitation-has-message', () =>
      expect(params.message).toBe('Who are you?'),
    );
    proves('2025-11-25/elicitation/form-request-has-requested-schema', () =>
      expect(params.requestedSchema.type).toBe('object'),
    );
    const mode = revision === '2025-06-18' ? undefined : 'form';
    proves('2025-11-25/elicitation/elicitation-mode-is-form-or-url', () => expect(params.mode).toBe(mode));
    proves('2025-11-25/elicitation/form-request-mode-is-form-or-absent', () =>
      expect(params.mode).toBe(mode),
    );
    proves('2025-11-25/elicitation/empty-elicitation-capability-means-form', () =>
      expect(answer.result.isError).toBeUndefined(),
    );
    const fields: Message[] = Object.values(params.requestedSchema.properties);
    const flat = () =>
      expect(fields.map(({ type }) => type)).toEqual(['string', 'string', 'integer', 'string', 'boolean']);
    await proves('2025-06-18/elicitation/schema-is-flat-object', async () => {
      flat();
      const nested = form('x', z.object({ a: z.object({ b: z.string() }) }));
      await expect(nested.request({ revision, capabilities: {} } as never)).rejects.toThrow(
        'form field a must be',
      );
    });
    proves('2025-06-18/elicitation/schema-properties-are-primitive', flat);
    proves('2025-11-25/elicitation/requested-schema-is-flat-object-of-primitives', flat);
    proves('2025-06-18/elicitation/string-formats-limited', () =>
      expect(fields.flatMap(({ format }) => format ?? [])).toEqual(['email']),
    );
  },
);

over(
  since,
  'each action of the user has its outcome',
  async ({ open, proves, revision, stateless: modern }) => {
    const stage = new Stage();
    const talk = await open(fixture(stage), { capabilities: { elicitation: {} } });
    const outcome = async (name: string, args: object, reply: object) => {
      const { answer } = await talk.settleCall(name, args, () => reply);
      return answer.error?.code ?? [answer.result.isError, answer.result.content[0].text];
    };
    const accepted = await outcome(
      'deploy',
      { env: 'prod' },
      { action: 'accept', content: { confirm: true } },
    );
    proves('2025-06-18/elicitation/server-processes-accepted-data', () =>
      expect([accepted, stage.ran]).toEqual([[undefined, 'deployed'], ['deploy true']]),
    );
    const declined = await outcome('deploy', { env: 'prod' }, { action: 'decline' });
    proves('2025-06-18/elicitation/server-handles-decline', () =>
      expect(declined).toEqual([true, expect.stringContaining('the user declined the question')]),
    );
    const cancelled = await outcome('deploy', { env: 'prod' }, { action: 'cancel' });
    proves('2025-06-18/elicitation/server-handles-cancel', () =>
      expect(cancelled).toEqual([true, expect.stringContaining('the user dismissed the question')]),
    );
    const optional = await outcome('choose', {}, { action: 'decline' });
    const odd = await outcome('deploy', { env: 'prod' }, { action: 'perhaps' });
    proves('2026-07-28/elicitation/declined-cancelled-or-failed-elicitation-handled', () => {
      expect([optional, odd]).toEqual([[undefined, 'decline'], -32602]);
      expect(stage.ran).toEqual(['deploy true']);
    });
    const wrong = [
      await outcome('register', {}, { action: 'accept', content: { name: '' } }),
      await outcome('register', {}, { action: 'accept', content: { name: 'Ann', age: 'old' } }),
      await outcome('register', {}, { action: 'accept' }),
    ];
    const right = await outcome('register', {}, { action: 'accept', content: { name: 'Ann' } });
    const validated = () =>
      expect([...wrong, right]).toEqual([-32602, -32602, -32602, [undefined, '{"name":"Ann","age":42}']]);
    if (revision === '2025-06-18')
      proves('2025-06-18/elicitation/content-validated-against-schema', validated);
    else proves('2025-11-25/elicitation/form-response-validated-by-server', validated);
    expect(modern).toBe(talk.heard.some(({ result }) => result?.inputRequests));
  },
);

over(
  stateless,
  'an elicitation without an answer leaves no state, and the tool has no effect',
  async ({ open, proves }) => {
    const stage = new Stage();
    const talk = await open(fixture(stage), { capabilities: forms });
    const { result } = await talk.call('deploy', { env: 'prod' });
    proves('2026-07-28/elicitation/elicitation-success-not-assumed', () =>
      expect([result.resultType, stage.ran]).toEqual(['input_required', []]),
    );
    const { inputRequests, requestState } = result;
    const elsewhere = await open(fixture(stage), { capabilities: forms });
    const inputResponses = {
      [Object.keys(inputRequests)[0]!]: { action: 'accept', content: { confirm: true } },
    };
    const retry = { name: 'deploy', arguments: { env: 'prod' }, inputResponses, requestState };
    const again = await talk.request('tools/call', retry);
    proves('2026-07-28/elicitation/elicitation-needs-no-server-state', () =>
      expect(again.result.content[0].text).toBe('deployed'),
    );
    const foreign = await elsewhere.request('tools/call', retry);
    proves('2026-07-28/elicitation/elicitation-state-storage-protected', () => {
      expect(foreign.error.code).toBe(-32602);
      expect(Buffer.from(requestState, 'base64url').toString()).not.toContain('confirm');
    });
  },
);

over(
  modes,
  'URL elicitation is used with clients that declared it',
  async ({ open, proves, revision, stateless: modern }) => {
    const talk = await open(undefined, { capabilities: pages });
    const { questions, answer } = await talk.settleCall('visit', {}, () => ({ action: 'accept' }));
    const [{ params }] = questions;
    proves('2025-11-25/elicitation/url-request-has-mode-url', () => expect(params.mode).toBe('url'));
    proves('2025-11-25/elicitation/elicitation-mode-is-form-or-url', () => expect(params.mode).toBe('url'));
    proves('2025-11-25/elicitation/url-request-has-message', () => expect(params.message).toBe('Sign in'));
    proves('2025-11-25/elicitation/url-request-has-url', () =>
      expect(params.url).toBe('https://example.com/login'),
    );
    proves('2025-11-25/elicitation/sensitive-data-via-url-mode', () =>
      expect(new URL(params.url).protocol).toBe('https:'),
    );
    if (revision === '2025-11-25') {
      const second = await talk.settleCall('visit', {}, () => ({ action: 'accept' }));
      const ids = [params.elicitationId, second.questions[0].params.elicitationId];
      proves('2025-11-25/elicitation/url-request-has-elicitation-id', () =>
        expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true),
      );
      proves('2025-11-25/elicitation/elicitation-id-unique-in-server', () => expect(ids[0]).not.toBe(ids[1]));
      proves('2025-11-25/elicitation/url-elicitation-required-error-only-when-needed', () =>
        expect([answer.error, talk.heard.filter(({ error }) => error?.code === -32042)]).toEqual([
          undefined,
          [],
        ]),
      );
    }
    const refused: unknown[] = [];
    for (const [name, capabilities] of [
      ['visit', forms],
      ['register', pages],
    ] as const) {
      const other = await open(undefined, { capabilities });
      const { error, result } = await other.call(name);
      refused.push(
        modern ? error?.code : result?.isError,
        other.heard.filter(({ method }) => method === 'elicitation/create').length,
      );
    }
    proves('2025-11-25/elicitation/no-elicitation-in-unsupported-mode', () =>
      expect(refused).toEqual(modern ? [-32021, 0, -32021, 0] : [true, 0, true, 0]),
    );
  },
);

over(modes, 'an invalid URL, or one with credentials, is not sent', ({ proves }) => {
  const refused = (address: string) => () => expect(() => url('Sign in', address)).toThrow(TypeError);
  const accepted = ['https://example.com/x?state=1', 'http://localhost:3000/x', 'http://127.0.0.1/'].map(
    (address) => url('x', address).requires,
  );
  expect(accepted).toHaveLength(3);
  proves('2025-11-25/elicitation/url-is-a-valid-url', () => {
    refused('example.com/login')();
    refused('/login')();
    refused('javascript:alert(1)')();
  });
  proves('2025-11-25/elicitation/elicitation-url-uses-https', refused('http://example.com/login'));
  proves('2025-11-25/elicitation/no-sensitive-data-in-elicitation-url', () => {
    refused('https://ann:secret@example.com/')();
    refused('https://example.com/?password=x')();
  });
  proves('2025-11-25/elicitation/no-pre-authenticated-elicitation-url', () => {
    refused('https://example.com/?access_token=x')();
    refused('https://example.com/?apiKey=x')();
  });
});

over(since, 'a form that requests a secret is not sent', async ({ open, proves }) => {
  const asking = (field: string): Server => {
    const ask = tool({
      name: 'ask',
      description: 'Asks.',
      input: z.object({}),
      ask: async (_args, put) => (await put({ a: form('Who?', z.object({ [field]: z.string() })) })).a,
      run: () => 'x',
    });
    return createServer({ name: 's', version: '1', onError: () => {}, tools: [ask] });
  };
  const asked: unknown[] = [];
  for (const field of ['password', 'apiKey', 'access_token', 'card number', 'token_count']) {
    const talk = await open(asking(field), { capabilities: { elicitation: {} } });
    asked.push((await talk.settleCall('ask', {}, person)).questions.length);
  }
  proves('2025-06-18/elicitation/no-sensitive-information-requested', () =>
    expect(asked).toEqual([0, 0, 0, 0, 1]),
  );
});

over(
  modes,
  'a response is accepted only from the user who was asked',
  async ({ proves, revision, stateless: modern }) => {
    const stage = new Stage();
    const server = fixture(stage);
    const as = async (principal: string) => {
      const talk = new Talk(serveMemory(server, { principal }), revision, forms);
      const clientInfo = { name: 'ann', version: '1' };
      if (!modern)
        await talk.request('initialize', { protocolVersion: revision, capabilities: forms, clientInfo });
      return talk;
    };
    const [ann, bob] = [await as('ann'), await as('bob')];
    const call = { name: 'deploy', arguments: { env: 'prod' } };
    let outcome: unknown;
    if (modern) {
      const { result } = await ann.request('tools/call', call);
      const inputResponses = { sure: { action: 'accept', content: { confirm: true } } };
      outcome = (
        await bob.request('tools/call', { ...call, inputResponses, requestState: result.requestState })
      ).error?.code;
    } else {
      const id = ann.start('tools/call', call);
      const question = await ann.awaitMessage('elicitation/create');
      bob.reply(question.id, { action: 'accept', content: { confirm: true } });
      outcome = (await bob.settled()).length;
      ann.notify('notifications/cancelled', { requestId: id });
      await ann.settled();
    }
    const alone = () =>
      expect([outcome, stage.ran.filter((name) => name.startsWith('deploy'))]).toEqual([
        modern ? -32602 : 0,
        [],
      ]);
    proves('2025-11-25/elicitation/elicitation-state-bound-to-user', alone);
    proves('2025-11-25/elicitation/elicitation-state-not-keyed-by-session-id-alone', alone);
    proves('2025-11-25/elicitation/elicitation-bound-to-client-and-user', alone);
    proves('2025-11-25/elicitation/client-supplied-identity-not-trusted', alone);
    if (!modern) proves('2025-11-25/elicitation/elicitation-state-storage-protected', alone);
  },
);

over(modes, 'the consent to open a URL is not its completion', async ({ open, proves }) => {
  const server = createServer({
    name: 's',
    version: '1',
    tools: [
      tool({
        name: 'login',
        description: 'Sends the user to a page.',
        input: z.object({}),
        ask: async (_args, ask) => ({
          opened: (await ask({ page: url('Sign in', 'https://example.com/') })).page,
        }),
        run: (_args, { answers }) => JSON.stringify(answers),
      }),
    ],
  });
  const talk = await open(server, { capabilities: pages });
  const { answer } = await talk.settleCall('login', {}, () => ({
    action: 'accept',
    content: { token: 'x' },
  }));
  proves('2025-11-25/elicitation/url-accept-means-consent-not-completion', () =>
    expect(Object.keys(JSON.parse(answer.result.content[0].text).opened)).toEqual(['id']),
  );
  proves('2025-11-25/elicitation/third-party-credentials-bypass-client', () =>
    expect(talk.lines.join()).not.toContain('token'),
  );
});

over(stateless, 'elicitation is used only inside a result', async (world) => {
  const { heard } = await tour(world);
  const asked = heard.flatMap(({ result }) => Object.values(result?.inputRequests ?? {}) as Message[]);
  expect(asked.map(({ method }) => method)).toContain('elicitation/create');
  expect(heard.filter(({ method }) => method === 'elicitation/create')).toEqual([]);
  expect(everything.elicitation).toEqual({ form: {}, url: {} });
});
