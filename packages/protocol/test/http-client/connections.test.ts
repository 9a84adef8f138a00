import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ClientAuth } from '../../src/auth.ts';
import { AnswerLostError } from '../../src/client.ts';
import { type Asked, complete, keeper, session, site, stateless, textResult, use } from './site.ts';

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}

describe('an idle connection', () => {
  test('is reused', async () => {
    const { client, site: served } = await session((asked) => asked.result(textResult('hi')));
    await served.hears('GET');
    for (let i = 0; i < 5; i++) await client.callTool('x');
    const calls = served.asked.filter(({ message }) => message.method === 'tools/call');
    expect(new Set(calls.map(({ socket }) => socket)).size).toBe(1);
  });

  test('that grew old while the client was busy is not reused', async () => {
    const { client, site: served } = await session((asked) => asked.result(textResult('hi')));
    await served.hears('GET');
    await client.callTool('first');
    const now = performance.now.bind(performance);
    // its timer has not fired yet
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 4000);
    onTestFinished(() => clock.mockRestore());
    await client.callTool('second');
    const calls = served.asked.filter(({ message }) => message.method === 'tools/call');
    expect(new Set(calls.map(({ socket }) => socket)).size).toBe(2);
  });

  test.each(['ended', 'reset'])(
    'that was %s by the server unnoticed has no effect: the message is sent over another, once',
    async (how) => {
      const seen: string[] = [];
      const used = new WeakSet<object>();
      const { client } = await stateless((asked) => {
        const { name } = asked.message.params;
        seen.push(name);
        if (name === 'second' && used.has(asked.socket)) {
          if (how === 'ended') asked.socket.end();
          else asked.socket.resetAndDestroy();
          return;
        }
        used.add(asked.socket);
        asked.result(complete({ messages: [], description: name }));
      });
      // two connections, both dead
      await Promise.all([client.getPrompt('first'), client.getPrompt('first')]);
      expect((await client.getPrompt('second')).description).toBe('second');
      expect(seen).toEqual(['first', 'first', 'second', 'second']);
    },
  );

  test('that dies without a response does not cause a second call of a tool, unless it is idempotent', async () => {
    const { client, site: served } = await stateless((asked) => {
      const { method } = asked.message;
      const tool = { inputSchema: { type: 'object' }, annotations: { idempotentHint: true } };
      if (method !== 'tools/list') asked.cut();
      else asked.result(complete({ tools: [{ name: 'set', ...tool }], ttlMs: 0, cacheScope: 'private' }));
    });
    await client.listTools();
    await expect(client.callTool('add')).rejects.toBeInstanceOf(AnswerLostError);
    expect(served.log.filter((name) => name === 'tools/call')).toHaveLength(1);
    await client.listTools();
    await expect(client.callTool('set')).rejects.toBeInstanceOf(AnswerLostError);
    expect(served.log.filter((name) => name === 'tools/call').length).toBeGreaterThan(2);
  });

  test('that breaks after a byte of the response does not cause a second message', async () => {
    const { client, site: served } = await stateless((asked) => {
      if (asked.message.method === 'tools/call') return asked.result(complete(textResult('hi')));
      return void asked.socket.end('H');
    });
    await client.callTool('first');
    await expect(client.getPrompt('second')).rejects.toBeInstanceOf(AnswerLostError);
    // a repetition is another request
    const ids = served.asked.map(({ message }) => message.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('that dies each time is tried once more only', async () => {
    let first = true;
    const { client, site: served } = await stateless((asked) => {
      if (first) asked.result(complete(textResult('hi')));
      else asked.cut();
      first = false;
    });
    await client.callTool('first');
    await expect(client.request('tasks/get', { taskId: 'second' })).rejects.toMatchObject({
      reason: 'closed',
    });
    const ids = served.asked
      .filter(({ message }) => message.method === 'tasks/get')
      .map(({ message }) => message.id);
    expect(ids.filter((id) => id === ids[0])).toHaveLength(2);
    expect(new Set(ids).size).toBe(ids.length - 1);
  });
});

test('a new connection that dies before a response does not cause a second message', async () => {
  const { client, site: served } = await stateless((asked) => asked.cut());
  const message = 'the connection ended before the server responded: ECONNRESET';
  await expect(client.callTool('x')).rejects.toThrow(message);
  expect(served.asked).toHaveLength(1);
  await expect(client.getPrompt('x')).rejects.toThrow(message);
  // a repetition is another request
  const ids = served.asked.map(({ message: { id } }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

describe('a redirect', () => {
  test.each([301, 302, 307, 308])(
    'of status %s within the origin is followed with method and body',
    async (status) => {
      const kept = keeper((asked) => asked.result(textResult(asked.path)));
      const served = await site((asked, whole) => {
        if (asked.path === '/mcp') asked.text(status, '', { Location: './other?a=1' });
        else kept(asked, whole);
      });
      const { client } = await use(served, { era: 'handshake' });
      expect(await client.callTool('x')).toEqual(textResult('/other?a=1'));
      await client.close();
      const asked = served.asked.filter(({ path }) => path === '/mcp').length;
      // permanent redirects are remembered
      expect(asked).toBe(status === 301 || status === 308 ? 1 : 5);
    },
  );

  test('to another origin is refused, and credentials are not sent there', async () => {
    const other = await site((asked) => asked.text(200));
    const here = await site((asked) => asked.text(307, '', { Location: other.url }));
    const { origin } = new URL(other.url);
    await expect(
      use(here, { era: 'handshake', http: { headers: { Authorization: 'secret' } } }),
    ).rejects.toThrow(
      `the server redirects (HTTP status 307) to another origin, ${origin}; connect to that URL if you trust it`,
    );
    expect([here.asked.length, other.asked.length]).toEqual([1, 0]);
  });

  test.each([303, 307])('without a target, of status %s, ends in an error', async (status) => {
    const served = await site((asked) => asked.text(status, '', { Location: '/mcp' }));
    await expect(use(served, { era: 'handshake' })).rejects.toThrow(
      `the server responded to initialize with HTTP status ${status}`,
    );
    expect(served.asked.length).toBe(status === 303 ? 1 : 6);
  });
});

test('custom headers are sent with every request, and do not replace those of the protocol', async () => {
  const headers = {
    'X-Key': 'k',
    Accept: 'text/plain',
    'MCP-Protocol-Version': '1999-01-01',
    'Mcp-Session-Id': 'mine',
  };
  const { client, site: served } = await session((asked) => asked.result(textResult('hi')), {
    http: { headers },
  });
  await client.callTool('x');
  await served.hears('GET');
  await client.close();
  expect(served.asked.map((asked) => asked.headers['x-key'])).toEqual(served.asked.map(() => 'k'));
  const { headers: sent } = await served.hears('tools/call');
  expect([sent.accept, sent['mcp-protocol-version'], sent['mcp-session-id']]).toEqual([
    'application/json, text/event-stream',
    '2025-11-25',
    's-1',
  ]);
});

describe('credentials', () => {
  const guarded = (play: (asked: Asked) => void, token = 'good') => {
    const kept = keeper((asked) => play(asked));
    return site((asked, whole) => {
      if (asked.headers.authorization === token) return kept(asked, whole);
      return asked.text(401, '', { 'WWW-Authenticate': 'Bearer scope="x"' });
    });
  };

  test('are sent with every request, and a challenge is handled before the request is sent again', async () => {
    const served = await guarded((asked) => asked.result(textResult('hi')));
    const challenges: unknown[] = [];
    let token = 'stale';
    const auth: ClientAuth = {
      headers: async () => ({ Authorization: token }),
      challenged: async (response, attempt) => {
        const { status, url, revision } = response;
        challenges.push([
          status,
          url.href,
          response.header('WWW-Authenticate'),
          revision,
          response.sent,
          attempt,
        ]);
        token = 'good';
        return true;
      },
    };
    const { client } = await use(served, { era: 'handshake', http: { auth } });
    expect(await client.callTool('x')).toEqual(textResult('hi'));
    expect(challenges).toEqual([
      [401, served.url, 'Bearer scope="x"', undefined, { authorization: 'stale' }, 1],
    ]);
    expect(served.log.slice(0, 3)).toEqual(['initialize', 'initialize', 'notifications/initialized']);
  });

  test('that are refused end in the error of the server, after a few attempts', async () => {
    const served = await guarded(() => {});
    const attempts: number[] = [];
    const auth: ClientAuth = {
      headers: async () => ({}),
      challenged: async (_response, attempt) => attempts.push(attempt) < 100,
    };
    await expect(use(served, { era: 'handshake', http: { auth } })).rejects.toMatchObject({ status: 401 });
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
    const refusing: ClientAuth = { headers: async () => ({}), challenged: async () => false };
    await expect(use(served, { era: 'handshake', http: { auth: refusing } })).rejects.toMatchObject({
      status: 401,
    });
    expect(served.asked).toHaveLength(7);
  });

  test('that are unavailable fail the request with their own error', async () => {
    const served = await guarded(() => {});
    const auth: ClientAuth = {
      headers: async () => ({}),
      challenged: () => Promise.reject(new TypeError('the user went away')),
    };
    await expect(use(served, { era: 'handshake', http: { auth } })).rejects.toThrow('the user went away');
  });

  test('that are unavailable for the stream of the server are not requested again', async () => {
    let listening = false;
    const auth: ClientAuth = {
      headers: async ({ method }) => {
        if (method !== 'GET') return {};
        expect(listening).toBe(false);
        listening = true;
        throw new TypeError('the user went away');
      },
      challenged: async () => false,
    };
    const {
      client,
      site: served,
      fault,
    } = await session((asked) => asked.result(textResult('hi')), { http: { auth } });
    expect(await fault).toBe(
      'messages that the server sends on its own are not received: the user went away',
    );
    await client.callTool('x');
    await client.callTool('x');
    expect(served.log).not.toContain('GET');
  });

  test('may take longer than the timeout of a request', async () => {
    const served = await guarded((asked) => asked.result(textResult('hi')));
    let token = '';
    let login: () => void = () => {};
    const asked = new Promise<void>((begun) => {
      login = begun;
    });
    let finish: () => void = () => {};
    const auth: ClientAuth = {
      headers: async () => ({ Authorization: token }),
      challenged: () =>
        new Promise((resolve) => {
          login();
          finish = () => {
            token = 'good';
            resolve(true);
          };
        }),
    };
    const using = use(served, { era: 'handshake', timeout: 60, http: { auth } });
    await asked;
    // a request of the same age that waits only for the server has timed out by now
    const silent = await site(() => {});
    await expect(use(silent, { era: 'handshake', timeout: 60 })).rejects.toMatchObject({ reason: 'timeout' });
    finish();
    const { client } = await using;
    expect(await client.callTool('x')).toEqual(textResult('hi'));
  });

  test('are not requested for the DELETE of a session', async () => {
    let token = 'good';
    let challenged = false;
    const auth: ClientAuth = {
      headers: async () => ({ Authorization: token }),
      challenged: async () => (challenged = true),
    };
    const served = await guarded((asked) => asked.result(textResult('hi')));
    const { client } = await use(served, { era: 'handshake', http: { auth } });
    await served.hears('GET');
    token = 'stale';
    await client.close();
    expect([served.log.at(-1), challenged]).toEqual(['DELETE', false]);
  });

  test.each([
    [403, {}, true],
    [400, { 'WWW-Authenticate': 'Bearer error="invalid_request"' }, true],
    [400, {}, false],
    [404, { 'WWW-Authenticate': 'Bearer' }, false],
  ])('are challenged by status %s with %j: %s', async (status, headers, expected) => {
    let challenged = false;
    const auth: ClientAuth = {
      headers: async () => ({}),
      challenged: async () => {
        challenged = true;
        return false;
      },
    };
    const { client } = await session((asked) => asked.text(status, '', headers), { http: { auth } });
    await expect(client.callTool('x')).rejects.toMatchObject({ status });
    expect(challenged).toBe(expected);
  });
});

test('a server without TLS at an https URL is not reached', async () => {
  const served = await site((asked) => asked.text(200));
  const url = served.url.replace('http:', 'https:');
  await expect(use({ url }, { era: 'handshake' })).rejects.toThrow(/^cannot connect to the server: /);
  expect(served.asked).toEqual([]);
});

describe('a fetch of the caller', () => {
  test('sends everything, in both eras', async () => {
    let requests = 0;
    const own: typeof fetch = (...args) => {
      requests += 1;
      return fetch(...args);
    };
    for (const begin of [session, stateless]) {
      requests = 0;
      const {
        client,
        site: served,
        faults,
      } = await begin(
        (asked) => {
          const result = complete(textResult('hi'));
          if (asked.message.params?.name === 'stream') asked.stream().answer(result).end();
          else if (asked.message.id === undefined) asked.text(202);
          else asked.result(result);
        },
        { http: { fetch: own } },
      );
      expect(await client.callTool('body')).toMatchObject(textResult('hi'));
      expect(await client.callTool('stream')).toMatchObject(textResult('hi'));
      await client.close();
      expect([requests, faults]).toEqual([served.asked.length, []]);
    }
  });

  test('does not follow to other origins, and has the same errors', async () => {
    const other = await site((asked) => asked.text(200));
    const here = await site((asked) => asked.text(307, '', { Location: other.url }));
    await expect(use(here, { era: 'handshake', http: { fetch } })).rejects.toThrow('to another origin');
    expect(other.asked).toEqual([]);
    const gone = new URL(here.url);
    // it was free a moment ago, and fetch refuses ports that are never open
    gone.port = await freePort();
    await expect(use({ url: gone.href }, { era: 'handshake', http: { fetch } })).rejects.toThrow(
      /cannot connect to the server/,
    );
    const cutting = await site((asked) => asked.cut());
    await expect(use(cutting, { era: 'handshake', http: { fetch } })).rejects.toBeInstanceOf(AnswerLostError);
  });

  test('is aborted when a call is cancelled or the client closed', async () => {
    const { client, site: served } = await stateless((asked) => void asked.stream(), { http: { fetch } });
    const controller = new AbortController();
    const calls = [client.callTool('a', {}, { signal: controller.signal }), client.callTool('b')].map(
      (call) => call.catch((error: { reason: string }) => error.reason),
    );
    const [a, b] = await Promise.all([served.hears('tools/call'), served.hears('tools/call', 2)]);
    controller.abort();
    await a.gone;
    await client.close();
    await b.gone;
    expect(await Promise.all(calls)).toEqual(['cancelled', 'closed']);
  });
});
