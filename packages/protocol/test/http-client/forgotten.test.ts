import { expect, test, vi } from 'vitest';
import type { Change } from '../../src/client.ts';
import {
  type Asked,
  keeper,
  type Play,
  type Site,
  site,
  textResult,
  type Used,
  type Using,
  use,
} from './site.ts';

interface Forgetful extends Used {
  site: Site;
  /** drops all sessions, and ends their streams unless `ends` is false */
  forget(ends?: boolean): void;
}

/** Returns a client of a server that can lose its sessions and returns `hi` to calls. */
async function forgetful(
  options: Using = {},
  play: Play = (asked) => (asked.message.id === undefined ? asked.text(202) : asked.result(textResult('hi'))),
  stream: 'none' | 'silent' = 'none',
): Promise<Forgetful> {
  let number = 1;
  const streams: Asked[] = [];
  const served = await site((asked, whole) => {
    const { headers, method } = asked;
    const session = `s-${number}`;
    const known = headers['mcp-session-id'];
    if (asked.message.method !== 'initialize' && known !== session) return asked.json(404, lost(asked));
    if (method === 'GET') streams.push(asked);
    return keeper(play, { session, stream })(asked, whole);
  });
  const used = await use(served, { era: 'handshake', ...options });
  const forget = (ends = true): void => {
    number += 1;
    if (!ends) return;
    for (const open of streams.splice(0)) if (!open.response.writableEnded) open.cut();
  };
  return { ...used, site: served, forget };
}

const lost = ({ message }: Asked): object => ({
  jsonrpc: '2.0',
  id: message.id ?? null,
  error: { code: -32001, message: 'Session not found' },
});

test('a lost session is started again, and the call that detected it is sent there', async () => {
  const { client, site, forget, faults } = await forgetful();
  await client.callTool('greet');
  await site.hears('GET');
  forget();
  expect(await client.callTool('again')).toEqual(textResult('hi'));
  await site.hears('GET', 2);
  const rest = site.asked.slice(site.asked.findIndex(({ message }) => message.params?.name === 'again'));
  expect(
    rest.map(({ message, method, headers }) => [message.method ?? method, headers['mcp-session-id']]),
  ).toEqual([
    ['tools/call', 's-1'],
    ['initialize', undefined],
    ['notifications/initialized', 's-2'],
    ...(rest[3]?.method === 'GET'
      ? [
          ['GET', 's-2'],
          ['tools/call', 's-2'],
        ]
      : [
          ['tools/call', 's-2'],
          ['GET', 's-2'],
        ]),
  ]);
  const [first, second] = site.asked.filter(({ message }) => message.method === 'initialize');
  expect(second?.body).toBe(first?.body);
  expect(second?.headers['mcp-protocol-version']).toBeUndefined();
  expect(faults).toEqual([]);
});

test('calls that detect it together start one session', async () => {
  const { client, site, forget } = await forgetful();
  await client.callTool('greet');
  forget();
  const results = await Promise.all(Array.from({ length: 20 }, () => client.callTool('again')));
  expect(results).toEqual(results.map(() => textResult('hi')));
  expect(site.log.filter((name) => name === 'initialize')).toHaveLength(2);
});

test('log level and subscriptions are restored, and every subscribed change is reported', async () => {
  const { client, site, forget } = await forgetful({ logLevel: 'warning' });
  const changes: Change[] = [];
  await client.subscribe('memo://a', (change) => changes.push(change));
  forget();
  await client.callTool('again');
  const restored = await Promise.all([
    site.hears('logging/setLevel', 2),
    site.hears('resources/subscribe', 2),
  ]);
  expect(restored.map(({ message, headers }) => [message.params, headers['mcp-session-id']])).toEqual([
    [{ level: 'warning' }, 's-2'],
    [{ uri: 'memo://a' }, 's-2'],
  ]);
  await client.ping();
  expect(changes).toEqual([{ kind: 'resource', uri: 'memo://a' }]);
});

test('a client that only listens detects it too', async () => {
  const { client, site, forget } = await forgetful({}, undefined, 'silent');
  await client.subscribe('memo://a', () => {});
  await site.hears('GET');
  forget();
  const { headers } = await site.hears('resources/subscribe', 2);
  expect(headers['mcp-session-id']).toBe('s-2');
});

test('a client that only listens starts again even if a call tried to, and failed', async () => {
  const { client, site, forget } = await forgetful({}, undefined, 'silent');
  await client.subscribe('memo://a', () => {});
  await site.hears('GET');
  forget(false);
  const { play } = site;
  site.play = (asked, whole) => (asked.message.method === 'initialize' ? asked.cut() : play(asked, whole));
  await expect(client.callTool('again')).rejects.toThrow('the connection ended before the server responded');
  site.play = play;
  forget();
  const { headers } = await site.hears('resources/subscribe', 2);
  expect(headers['mcp-session-id']).toBe('s-3');
});

test('a session that is lost before its stream was open is started again as well', async () => {
  const { client, site, forget } = await forgetful({}, undefined, 'silent');
  await client.subscribe('memo://a', () => {});
  await site.hears('GET');
  const { play } = site;
  const isSecond = ({ method, headers }: Asked): boolean =>
    method === 'GET' && headers['mcp-session-id'] === 's-2';
  let isHeld = true;
  site.play = (asked, whole) => {
    if (!isHeld || !isSecond(asked)) play(asked, whole);
  };
  forget();
  const [held] = await Promise.all([site.hears(isSecond), site.hears('resources/subscribe', 2)]);
  await client.ping();
  isHeld = false;
  forget();
  held.cut();
  const { headers } = await site.hears('resources/subscribe', 3);
  expect(headers['mcp-session-id']).toBe('s-3');
});

test('a session that is lost before its start is started again as well', async () => {
  const { client, site, forget } = await forgetful({}, undefined, 'silent');
  await client.subscribe('memo://a', () => {});
  await site.hears('GET');
  const { play } = site;
  site.play = (asked, whole) => {
    const isBeginning = asked.message.method === 'notifications/initialized';
    if (isBeginning && asked.headers['mcp-session-id'] === 's-2') forget();
    play(asked, whole);
  };
  forget();
  const { headers } = await site.hears('resources/subscribe', 2);
  expect(headers['mcp-session-id']).toBe('s-3');
});

test('a client that only listens starts again at a server that refuses new sessions for a moment', async () => {
  const { client, site, forget } = await forgetful({}, undefined, 'silent');
  await client.subscribe('memo://a', () => {});
  await site.hears('GET');
  const { play } = site;
  let refusals = 0;
  site.play = (asked, whole) => {
    const isRefused = asked.message.method === 'initialize' && ++refusals < 3;
    if (!isRefused) return play(asked, whole);
    const error = { code: -32603, message: 'the server is shutting down' };
    asked.json(503, { jsonrpc: '2.0', id: asked.message.id, error });
  };
  forget();
  const { headers } = await site.hears('resources/subscribe', 2);
  expect(headers['mcp-session-id']).toBe('s-2');
});

test('a server that loses its sessions repeatedly is detected each time', async () => {
  const { site, forget, faults } = await forgetful(
    { http: { reconnect: { attempts: 1, delay: 1 } } },
    undefined,
    'silent',
  );
  for (const session of ['s-1', 's-2', 's-3', 's-4']) {
    await site.hears(({ method, headers }) => method === 'GET' && headers['mcp-session-id'] === session);
    if (session !== 's-4') forget();
  }
  expect(faults).toEqual([]);
});

test('a stream that broke on a reused connection before it opened is known to be another one', async () => {
  const { client, site, forget } = await forgetful({}, undefined, 'silent');
  let changes = 0;
  await client.subscribe('memo://a', () => {
    changes += 1;
  });
  await site.hears('GET');
  await Promise.all(Array.from({ length: 4 }, () => client.callTool('greet')));
  const kept = site.asked.map(({ socket }) => socket);
  const { play } = site;
  let held: Asked | undefined;
  site.play = (asked, whole) => {
    const isFirst = asked.method === 'GET' && asked.headers['mcp-session-id'] === 's-2' && !held;
    if (isFirst) held = asked;
    else play(asked, whole);
  };
  forget();
  await vi.waitUntil(() => held !== undefined && changes === 1, 120_000);
  held?.cut();
  await vi.waitUntil(() => changes === 2, 120_000);
  expect(kept).toContain(held?.socket);
});

test('a server that has no stream any more does not get endless requests', async () => {
  const { site, forget, fault } = await forgetful(
    { http: { reconnect: { attempts: 2, delay: 1 } } },
    undefined,
    'silent',
  );
  await site.hears('GET');
  const { play } = site;
  site.play = (asked, whole) => (asked.method === 'GET' ? asked.text(404) : play(asked, whole));
  forget();
  expect(await fault).toBe(
    'messages that the server sends on its own are not received: no session has a stream',
  );
  expect(site.log.filter((name) => name === 'initialize')).toHaveLength(4);
});

test('a response in transit in the lost session is lost', async () => {
  const { client, site, forget } = await forgetful({}, (asked) => {
    if (asked.message.params?.name === 'wait') asked.stream().event({ id: 'e1', data: '' });
    else asked.result(textResult('hi'));
  });
  const waiting = client.callTool('wait');
  const call = await site.hears('tools/call');
  forget();
  await client.callTool('again');
  call.cut();
  await expect(waiting).rejects.toThrow('the response to tools/call was lost: the session has ended');
  expect(site.asked.filter(({ message }) => message.params?.name === 'wait')).toHaveLength(1);
});

test('a server that loses every session at once does not get endless requests', async () => {
  let number = 0;
  const served = await site((asked, whole) => {
    if (asked.message.method === 'initialize') keeper(() => {}, { session: `s-${++number}` })(asked, whole);
    else asked.text(asked.method === 'POST' && number === 1 && asked.message.id === undefined ? 202 : 404);
  });
  const { client } = await use(served, { era: 'handshake' });
  await expect(client.callTool('greet')).rejects.toThrow(
    'the server responded to notifications/initialized with HTTP status 404',
  );
  expect(served.log.filter((name) => name === 'initialize')).toHaveLength(2);
});

test('a call that is not found in the new session either fails', async () => {
  const { client, site, forget } = await forgetful({}, (asked) => asked.text(404));
  forget();
  await expect(client.callTool('greet')).rejects.toMatchObject({
    status: 404,
    message: 'the server responded to tools/call with HTTP status 404',
  });
  expect(site.log.filter((name) => name === 'tools/call')).toHaveLength(2);
});

test('a server that comes back with another revision is not used in the old one', async () => {
  let revision = '2025-11-25';
  let number = 1;
  const served = await site((asked, whole) => {
    const session = `s-${number}`;
    if (asked.message.method === 'initialize') {
      const serverInfo = { name: 'old', version: '1' };
      asked.result(
        { protocolVersion: revision, capabilities: { tools: {} }, serverInfo },
        { 'Mcp-Session-Id': session },
      );
    } else if (asked.headers['mcp-session-id'] !== session) asked.text(404);
    else keeper(() => {})(asked, whole);
  });
  const { client } = await use(served, { era: 'handshake' });
  [revision, number] = ['2025-06-18', 2];
  await expect(client.callTool('greet')).rejects.toThrow(
    'the server lost the session and now uses 2025-06-18 instead of 2025-11-25',
  );
});

test('a response to a request of the lost session is not sent elsewhere', async () => {
  let answer: (roots: []) => void = () => {};
  const { client, site, forget, fault } = await forgetful(
    { roots: () => new Promise((resolve) => (answer = resolve)) },
    (asked) => {
      if (asked.message.params?.name !== 'ask') return asked.result(textResult('hi'));
      return void asked.stream().event({ data: { jsonrpc: '2.0', id: 'q', method: 'roots/list' } });
    },
  );
  // long enough to be received first
  const asking = client.callTool('ask', {}, { timeout: 2_000 });
  const late = expect(asking).rejects.toMatchObject({ reason: 'timeout' });
  await site.hears('tools/call');
  await late;
  forget();
  answer([]);
  const { headers } = await site.hears(({ message }) => message.result !== undefined);
  expect(headers['mcp-session-id']).toBe('s-1');
  expect(await fault).toBe('Session not found');
});
