import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Authorizer, createHttpHandler } from '../../src/http.ts';
import { sseRoutes } from '../../src/sse.ts';
import { holdClock } from '../socket/clock.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import type { Message } from '../wire/message.ts';
import { call, ping, Site } from './client.ts';

const site = new Site();

afterEach(() => {
  vi.useRealTimers();
});
const json = { 'Content-Type': 'application/json' };

describe('a session of 2024-11-05', () => {
  test('begins with the endpoint event, whose URI accepts messages; responses are events of type message', async () => {
    const listening = await site.serve(fixtureServer());
    const client = await site.open(listening);
    expect(client.response.statusCode).toBe(200);
    expect(client.response.headers).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': expect.stringContaining('no-cache'),
    });
    expect(client.events).toEqual([
      { type: 'endpoint', data: expect.stringMatching(/^\/messages\?sessionId=[0-9a-f-]{36}$/) },
    ]);
    expect((await client.introduce()).result.protocolVersion).toBe('2024-11-05');
    const accepted = await client.say(call(1, 'add', { a: 1, b: 2 }));
    expect([accepted.status, accepted.body]).toEqual([202, '']);
    expect((await client.message()).result.content[0].text).toBe('{"sum":3}');
    expect(client.events.slice(1).every(({ type }) => type === 'message')).toBe(true);
  });

  test('sends requests of the server, and accepts their responses', async () => {
    const stage = new Stage();
    const listening = await site.serve(fixtureServer(stage));
    const client = await site.open(listening, '2025-06-18');
    await client.introduce({ elicitation: {} });
    await client.say(call(1, 'deploy', { env: 'prod' }));
    const question = await client.message();
    expect(question.method).toBe('elicitation/create');
    const result = { action: 'accept', content: { confirm: true } };
    expect((await client.say(JSON.stringify({ jsonrpc: '2.0', id: question.id, result }))).status).toBe(202);
    expect((await client.message()).result.content[0].text).toBe('deployed');
  });

  test('reports changes', async () => {
    const listening = await site.serve(fixtureServer());
    const client = await site.open(listening);
    await client.introduce();
    await client.say(
      '{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"memo://today"}}',
    );
    await client.message();
    await client.say(call(2, 'touch', { uri: 'memo://today' }));
    expect((await client.message()).method).toBe('notifications/resources/updated');
  });

  test('accepts batches at 2025-03-26, in one event', async () => {
    const listening = await site.serve(fixtureServer());
    const client = await site.open(listening, '2025-03-26');
    await client.introduce();
    await client.say(`[${call(1, 'echo', { text: 'a' })},${call(2, 'later', { text: 'b' })}]`);
    expect((await client.message()).map(({ id }: Message) => id)).toEqual([1, 2]);
  });

  test('is separate from others, and ends with its stream', async () => {
    const stage = new Stage();
    const listening = await site.serve(fixtureServer(stage));
    const [first, second] = [await site.open(listening), await site.open(listening)];
    expect(first.endpoint).not.toBe(second.endpoint);
    await first.introduce();
    await second.say(call(1, 'echo', { text: 'x' }));
    expect((await second.message()).error.code).toBe(-32602);
    await first.say(call(1, 'hold', { text: 'held' }));
    first.response.destroy();
    await vi.waitFor(() => expect([stage.aborted, listening.routes.sessions]).toEqual([['held'], 1]), {
      timeout: 120_000,
    });
    expect((await first.say(ping)).status).toBe(404);
  });

  test('stays open with comments', async () => {
    const listening = await site.serve(fixtureServer(), { keepAlive: 20 });
    const client = await site.open(listening);
    while (client.comments.length < 3) await client.change();
    await client.introduce();
    expect(client.events.map(({ type }) => type)).toEqual(['endpoint', 'message']);
  });
});

test('a web-standard handler serves it too', async () => {
  const server = fixtureServer();
  const routes = sseRoutes(server);
  const handler = createHttpHandler(server, { mounts: [routes.route] });
  const origin = 'http://127.0.0.1:8080';
  const { body } = await handler.fetch(new Request(`${origin}/sse`));
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  const endpoint = /data: (.*)/.exec((await reader.read()).value ?? '')?.[1];
  const posted = new Request(`${origin}${endpoint}`, { method: 'POST', headers: json, body: ping });
  expect((await handler.fetch(posted)).status).toBe(202);
  expect((await reader.read()).value).toBe(
    'event: message\ndata: {"jsonrpc":"2.0","id":"fence","result":{}}\n\n',
  );
  await reader.cancel();
  await vi.waitFor(() => expect(routes.sessions).toBe(0), { timeout: 120_000 });
});

describe('an invalid message to a session is refused', () => {
  test.each<[string, string | Buffer, Record<string, string>, number, number]>([
    ['what is not JSON', '{"secret":', json, 400, -32700],
    ['nothing', '', json, 400, -32700],
    ['what is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), json, 400, -32600],
    ['another type', ping, { 'Content-Type': 'text/plain' }, 415, -32600],
    ['a type that looks like it', ping, { 'Content-Type': 'application/json-patch' }, 415, -32600],
    ['more than the limit', `{"${'x'.repeat(10_000)}"}`, json, 413, -32600],
  ])('%s', async (_what, body, headers, status, code) => {
    const listening = await site.serve(fixtureServer(), { messageLimit: 5000 });
    const client = await site.open(listening);
    const answer = await client.say(body, headers);
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([status, code]);
    expect(answer.body).not.toContain('secret');
    await client.say(ping, { 'Content-Type': 'Application/JSON; charset=utf-8' });
    expect((await client.message()).result).toEqual({});
  });

  test('a message without a session, or to an unknown one', async () => {
    const { origin } = await site.serve(fixtureServer());
    const [none, other, proto] = [
      await site.ask(`${origin}/messages`, 'POST', json, ping),
      await site.ask(`${origin}/messages?sessionId=11111111-1111-4111-8111-111111111111`, 'POST', json, ping),
      await site.ask(`${origin}/messages?sessionId=__proto__`, 'POST', json, ping),
    ];
    expect([none.status, other.status, proto.status]).toEqual([400, 404, 404]);
  });

  test.each([
    ['/sse', 'POST', 'GET'],
    ['/sse', 'DELETE', 'GET'],
    ['/messages', 'GET', 'POST'],
    ['/messages', 'DELETE', 'POST'],
  ])('%s with %s', async (path, method, allowed) => {
    const { origin } = await site.serve(fixtureServer());
    const answer = await site.ask(origin + path, method, json);
    expect([answer.status, answer.headers.allow]).toEqual([405, allowed]);
  });

  test('a stream that the client does not accept', async () => {
    const { origin } = await site.serve(fixtureServer());
    expect((await site.ask(`${origin}/sse`, 'GET', { Accept: 'application/json' })).status).toBe(406);
  });

  test('other paths, which are left to other handlers', async () => {
    const { origin } = await site.serve(fixtureServer());
    expect((await site.ask(`${origin}/sse/`, 'GET')).status).toBe(404);
    expect((await site.ask(`${origin}/constructor`, 'GET')).status).toBe(404);
  });

  test('a page of another origin, or a name that was rebound to this machine', async () => {
    const { origin } = await site.serve(fixtureServer());
    for (const headers of [{ Origin: 'https://evil.example' }, { Host: 'evil.example' }])
      expect((await site.ask(`${origin}/sse`, 'GET', headers)).status).toBe(403);
  });
});

describe('with authorization', () => {
  const now = 1_800_000_000;
  const authorizer: Authorizer = {
    authorize: ({ header }) => {
      const principal = header('authorization')?.replace('Bearer ', '');
      if (principal === undefined) return { status: 401, challenge: 'Bearer', message: 'a token is needed' };
      return { principal, scopes: [], expiresAt: now + 60 };
    },
    permit: (_identity, requests) =>
      requests.some(({ params }) => params.name === 'touch')
        ? { status: 403, challenge: 'Bearer scope="w"', message: 'this needs w' }
        : undefined,
  };
  const permit = authorizer.permit!;
  const as = (principal: string) => ({ Authorization: `Bearer ${principal}` });

  test('a session belongs to the principal that opened it: to others it is unknown', async () => {
    const listening = await site.serve(fixtureServer(), { permit }, { authorizer });
    const client = await site.open(listening, '2024-11-05', as('ann'));
    const [hers, his, nobodys] = [
      await client.say(ping),
      await client.say(ping, as('bob')),
      await site.ask(`${listening.origin}${client.endpoint}`, 'POST', json, ping),
    ];
    expect([hers.status, his.status, nobodys.status]).toEqual([202, 404, 401]);
    const unknown = `${listening.origin}/messages?sessionId=none`;
    expect(his.body).toBe((await site.ask(unknown, 'POST', { ...json, ...as('bob') }, ping)).body);
  });

  test('a request beyond the scopes gets the challenge and is not served', async () => {
    const stage = new Stage();
    let touched = 0;
    stage.touch = () => {
      touched += 1;
    };
    const listening = await site.serve(fixtureServer(stage), { permit }, { authorizer });
    const client = await site.open(listening, '2024-11-05', as('ann'));
    await client.introduce();
    const answer = await client.say(call(1, 'touch', { uri: 'memo://today' }));
    expect([answer.status, answer.headers['www-authenticate'], touched]).toEqual([
      403,
      'Bearer scope="w"',
      0,
    ]);
    await client.say(call(2, 'echo', { text: 'served' }));
    expect((await client.message()).id).toBe(2);
  });

  test('the stream ends when the token that opened it expires', async () => {
    const listening = await site.serve(fixtureServer(), { keepAlive: 20 }, { authorizer });
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
    try {
      const client = await site.open(listening, '2024-11-05', as('ann'));
      await client.introduce();
      vi.setSystemTime((now + 60) * 1000);
      await client.over();
      expect(listening.routes.sessions).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('limits', () => {
  test('no session over the cap is opened, and a slot is free when another ends', async () => {
    const listening = await site.serve(fixtureServer(), { connectionCap: 1 });
    const first = await site.open(listening);
    const second = await site.ask(`${listening.origin}/sse`, 'GET');
    expect([second.status, second.headers['retry-after']]).toEqual([503, '5']);
    first.response.destroy();
    await vi.waitFor(async () => expect(listening.routes.sessions).toBe(0), { timeout: 120_000 });
    await site.open(listening);
  });

  test('a session without a first message is ended', async () => {
    const listening = await site.serve(fixtureServer(), { startTimeout: 30 });
    await (await site.open(listening)).over();
    expect(listening.routes.sessions).toBe(0);
  });

  test('an idle session is ended, but not one that waits for a response or for changes', async () => {
    holdClock();
    const stage = new Stage();
    const listening = await site.serve(fixtureServer(stage), { idleTimeout: 1000 });
    const [waiting, subscribed, idle] = [
      await site.open(listening),
      await site.open(listening),
      await site.open(listening),
    ];
    await waiting.introduce();
    await waiting.say(call(1, 'hold', { text: 'patience' }));
    await subscribed.introduce();
    await subscribed.say(
      '{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"memo://today"}}',
    );
    await subscribed.message();
    await idle.introduce();
    vi.advanceTimersByTime(1000);
    await idle.over();
    vi.advanceTimersByTime(5000);
    stage.release();
    stage.touch('memo://today');
    expect((await waiting.message()).result.content[0].text).toBe('patience');
    expect((await subscribed.message()).method).toBe('notifications/resources/updated');
  });

  test('messages wait while the client does not read, and too many of them are refused', async () => {
    const stage = new Stage();
    const server = fixtureServer(stage);
    let served = 0;
    const handle = server.handle.bind(server);
    server.handle = (each) => {
      served += 1;
      return handle(each);
    };
    const listening = await site.serve(server);
    const client = await site.open(listening);
    await client.introduce();
    client.response.pause();
    site.agent.maxSockets = 100;
    const answers: Promise<number>[] = [];
    let refused = 0;
    // asks for 100 KB each time until messages are refused
    for (let id = 1; refused === 0; id++) {
      expect(id).toBeLessThan(1000);
      answers.push(client.say(call(id, 'big', { size: 100_000 })).then(({ status }) => status));
      const last = answers.at(-1);
      await Promise.race([last, new Promise((resolve) => setImmediate(resolve))]);
      await site.ask(`${listening.origin}/healthz`, 'GET');
      void last?.then((status) => {
        if (status === 503) refused += 1;
      });
    }
    expect(served).toBeLessThan(500);
    client.response.resume();
    const statuses = await Promise.all(answers);
    const taken = statuses.filter((status) => status === 202).length;
    expect([taken > 64, new Set(statuses)]).toEqual([true, new Set([202, 503])]);
    for (let heard = 0; heard < taken; heard++) expect((await client.message()).result).toBeDefined();
    expect(served).toBe(taken);
  });

  test('a client that never reads its responses is disconnected', async () => {
    const listening = await site.serve(fixtureServer(), { stallTimeout: 50, keepAlive: 20 });
    const client = await site.open(listening);
    await client.introduce();
    client.response.pause();
    for (let id = 0; listening.routes.sessions > 0; id++) {
      void client.say(call(id, 'big', { size: 1_000_000 })).catch(() => {
        // the session may end in the meantime
      });
      await site.ask(`${listening.origin}/healthz`, 'GET');
    }
  });
});

describe('the end of the server', () => {
  test('finishes requests in progress, ends the streams, and opens no more', async () => {
    const stage = new Stage();
    const listening = await site.serve(fixtureServer(stage));
    const client = await site.open(listening);
    await client.introduce();
    await client.say(call(1, 'hold', { text: 'finished' }));
    const closing = listening.routes.close();
    expect((await site.ask(`${listening.origin}/sse`, 'GET')).status).toBe(503);
    stage.release();
    expect((await client.message()).result.content[0].text).toBe('finished');
    await closing;
    await client.over();
    expect((await client.say(ping)).status).toBe(404);
  });

  test('cuts what does not end within the grace', async () => {
    const stage = new Stage();
    const listening = await site.serve(fixtureServer(stage));
    const client = await site.open(listening);
    await client.introduce();
    await client.say(call(1, 'hold', { text: 'held' }));
    await listening.routes.close(20);
    await client.over();
    expect(stage.aborted).toEqual(['held']);
  });
});
