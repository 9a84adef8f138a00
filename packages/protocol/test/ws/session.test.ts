import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../src/client.ts';
import type { Authorizer } from '../../src/http.ts';
import { allRevisions, revisions } from '../../src/protocol/revisions.ts';
import { webSocket } from '../../src/ws.ts';
import { Tap } from '../client/tap.ts';
import { holdClock, settle } from '../socket/clock.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import type { Message } from '../wire/message.ts';
import { frame, type RawSocket, Sockets, textFrame } from './raw.ts';

const sockets = new Sockets();
const me = { name: 'tester', version: '1.0.0' };
const ping = '{"jsonrpc":"2.0","id":"fence","method":"ping"}';
const call = (id: number, name: string, args: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

afterEach(() => {
  vi.useRealTimers();
});

/** Returns a client of the handshake era after its handshake. */
async function introduced(url: string, protocolVersion = '2025-11-25'): Promise<RawSocket> {
  const client = await sockets.open(url);
  const params = { protocolVersion, capabilities: {}, clientInfo: me };
  client.say(JSON.stringify({ jsonrpc: '2.0', id: 'init', method: 'initialize', params }));
  await client.message();
  return client;
}

describe.each(allRevisions)('%s', (revision) => {
  const { era } = revisions[revision];

  test('a client and a server of this package negotiate and exchange messages, both ways, according to the schema', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const tap = new Tap(webSocket(url), revision);
    const progress: number[] = [];
    const client = await connect(tap, {
      ...me,
      era: era === 'handshake' ? era : { pinned: revision },
      ...(era === 'handshake' && { revision }),
      elicitation: () => ({ action: 'accept', content: { confirm: true } }),
    });
    const steps = client.callTool(
      'steps',
      { values: [1, 2] },
      { onProgress: (update) => progress.push(update.progress) },
    );
    await steps;
    const { content } = await client.callTool('deploy', { env: 'prod' });
    await client.close();
    const canAsk = revision >= '2025-06-18';
    expect([client.revision, content[0]]).toMatchObject([
      revision,
      canAsk ? { text: 'deployed' } : { type: 'text' },
    ]);
    expect(progress.length).toBeGreaterThan(0);
    expect(tap.faults).toEqual([]);
  });
});

test('a batch is one message in both directions, if the revision has batches', async () => {
  const { url } = await sockets.serve(fixtureServer());
  const client = await introduced(url, '2025-03-26');
  client.say(`[${call(1, 'echo', { text: 'a' })},${call(2, 'later', { text: 'b' })}]`);
  expect((await client.message()).map(({ id }: Message) => id)).toEqual([1, 2]);
});

test('every connection is its own session, which ends with it', async () => {
  const stage = new Stage();
  const listener = await sockets.serve(fixtureServer(stage));
  const [first, second] = [await introduced(listener.url), await sockets.open(listener.url)];
  second.say(call(1, 'echo', { text: 'x' }));
  expect((await second.message()).error.code).toBe(-32602);
  first.say(call(1, 'hold', { text: 'held' }));
  first.say(ping);
  await first.message();
  first.write(frame({ opcode: 8 }));
  await first.goodbye();
  await vi.waitFor(() => expect([stage.aborted, listener.connections]).toEqual([['held'], 1]), {
    timeout: 120_000,
  });
});

test('the calls of a client that is cut off are aborted', async () => {
  const stage = new Stage();
  const { url } = await sockets.serve(fixtureServer(stage));
  const client = await introduced(url);
  client.say(call(1, 'hold', { text: 'held' }));
  client.say(ping);
  await client.message();
  client.socket.resetAndDestroy();
  await vi.waitFor(() => expect(stage.aborted).toEqual(['held']), { timeout: 120_000 });
});

describe('the end of the server', () => {
  test('finishes requests in progress, completes listen streams, sends 1001, and accepts no more clients', async () => {
    const stage = new Stage();
    const listener = await sockets.serve(fixtureServer(stage));
    const client = await connect(webSocket(listener.url), { ...me, era: { pinned: '2026-07-28' } });
    const raw = await introduced(listener.url);
    const subscription = await client.subscribe({ toolsListChanged: true }, () => {});
    const held = client.callTool('hold', { text: 'finished' });
    raw.say(call(1, 'hold', { text: 'this too' }));
    raw.say(ping);
    await raw.message();
    await client.callTool('echo', { text: 'fence' });
    const closing = listener.close();
    await expect(connect(webSocket(listener.url), me)).rejects.toThrow('cannot connect');
    stage.release();
    expect((await held).content[0]).toMatchObject({ text: 'finished' });
    expect((await raw.message()).result.content[0].text).toBe('this too');
    const last = await raw.next();
    expect([last?.opcode, last?.payload.readUInt16BE()]).toEqual([8, 1001]);
    raw.write(frame({ opcode: 8, payload: Buffer.from([3, 233]) }));
    await subscription.ended;
    await closing;
  });

  test('cuts what does not end within the grace', async () => {
    const stage = new Stage();
    const listener = await sockets.serve(fixtureServer(stage));
    const client = await introduced(listener.url);
    client.say(call(1, 'hold', { text: 'held' }));
    client.say(ping);
    await client.message();
    await listener.close(20);
    await client.over();
    expect(stage.aborted).toEqual(['held']);
  });
});

describe('pings', () => {
  test('a client that answers pings, or sends anything, stays', async () => {
    holdClock();
    const { url } = await sockets.serve(fixtureServer(), { pingInterval: 1000 });
    const client = await sockets.open(url);
    for (const life of [
      frame({ opcode: 10 }),
      textFrame(ping),
      frame({ opcode: 10 }),
      frame({ opcode: 10 }),
    ]) {
      vi.advanceTimersByTime(1000);
      await client.until(9);
      client.write(life);
      await settle();
    }
    client.say(ping);
    expect(await client.message()).toMatchObject({ result: {} });
  });

  test('a client that answers nothing is disconnected after one ping', async () => {
    holdClock();
    const listener = await sockets.serve(fixtureServer(), { pingInterval: 1000 });
    const client = await sockets.open(listener.url);
    vi.advanceTimersByTime(1000);
    expect((await client.next())?.opcode).toBe(9);
    vi.advanceTimersByTime(1000);
    await client.over();
    await settle();
    expect([client.heard.length, listener.connections]).toEqual([1, 0]);
  });

  test('a client without a first message gets the reason', async () => {
    const { url } = await sockets.serve(fixtureServer(), { startTimeout: 25 });
    const client = await sockets.open(url);
    expect(await client.goodbye()).toEqual([1008, 'nothing was received within 25 ms']);
  });

  test('an idle client gets the reason, but not one that waits for a response', async () => {
    holdClock();
    const stage = new Stage();
    const { url } = await sockets.serve(fixtureServer(stage), { idleTimeout: 1000 });
    const [idle, waiting] = [await introduced(url), await introduced(url)];
    waiting.say(call(1, 'hold', { text: 'patience' }));
    waiting.say(ping);
    await waiting.message();
    vi.advanceTimersByTime(1000);
    expect(await idle.goodbye()).toEqual([1008, 'nothing was received for 1000 ms']);
    vi.advanceTimersByTime(5000);
    stage.release();
    expect((await waiting.message()).result.content[0].text).toBe('patience');
  });
});

describe('limits', () => {
  test('no client over the cap is accepted, and a slot is free when another disconnects', async () => {
    const listener = await sockets.serve(fixtureServer(), { connectionCap: 1 });
    const first = await sockets.open(listener.url);
    await expect(sockets.open(listener.url)).rejects.toThrow('503');
    first.socket.destroy();
    await vi.waitFor(() => sockets.open(listener.url), { timeout: 120_000 });
  });

  test('a client that does not read makes the server neither work nor use more than a little memory', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const [mute, other] = [await introduced(url), await introduced(url)];
    mute.socket.pause();
    let asked = 0;
    // asks for 45 MB
    for (asked = 0; asked < 1500; asked++)
      mute.say(`${call(asked, 'big', { size: 30_000 })}${' '.repeat(20_000)}`);
    await stuck(mute, other);
    expect(mute.socket.writableLength).toBeGreaterThan(5_000_000);
    mute.socket.resume();
    for (let answers = 0; answers < asked; answers++) expect((await mute.message()).result).toBeDefined();
  });

  test('a client that only pings and does not read is not read either', async () => {
    const { url } = await sockets.serve(fixtureServer());
    const [mute, other] = [await introduced(url), await introduced(url)];
    mute.socket.pause();
    const pings = Buffer.concat(Array(10_000).fill(frame({ opcode: 9, payload: 'x'.repeat(125) })));
    for (let times = 0; times < 40; times++) mute.write(pings);
    await stuck(mute, other);
    expect(mute.socket.writableLength).toBeGreaterThan(10_000_000);
  });

  test('a client that never reads its responses is disconnected, but not one without unread responses', async () => {
    const listener = await sockets.serve(fixtureServer(), { stallTimeout: 50 });
    const quiet = await sockets.open(listener.url);
    const mute = await introduced(listener.url);
    mute.socket.pause();
    for (let id = 0; id < 300; id++) mute.say(call(id, 'big', { size: 100_000 }));
    await vi.waitFor(() => expect(listener.connections).toBe(1), { timeout: 120_000 });
    quiet.say(ping);
    expect(await quiet.message()).toMatchObject({ result: {} });
  });

  /** Resolves when the messages of one client are no longer read. */
  async function stuck(client: RawSocket, other: RawSocket): Promise<void> {
    let before = -1;
    for (
      let unchanged = 0;
      unchanged < 20;
      unchanged = client.socket.writableLength === before ? unchanged + 1 : 0
    ) {
      before = client.socket.writableLength;
      other.say(ping);
      await other.message();
    }
  }
});

describe('with authorization', () => {
  const now = 1_800_000_000;
  const authorizer: Authorizer = {
    authorize: () => ({ principal: 'p', scopes: ['read'], expiresAt: now + 60 }),
    permit: (_identity, requests) => {
      const names = requests.map(({ method, params }) => (method === 'tools/call' ? params.name : ''));
      if (names.includes('crash the authorizer')) throw new Error('a fault of the authorizer');
      if (!names.includes('touch')) return undefined;
      return { status: 403, challenge: 'Bearer scope="write"', message: 'this needs the scope write' };
    },
  };

  test('a request that the identity may not send gets an error, and everything else is served', async () => {
    const stage = new Stage();
    let touched = 0;
    stage.touch = () => {
      touched += 1;
    };
    const { url } = await sockets.serve(fixtureServer(stage), {
      authorizer: { ...authorizer, authorize: () => ({ principal: 'p', scopes: [] }) },
    });
    const client = await introduced(url, '2025-03-26');
    client.say(call(1, 'touch', { uri: 'memo://today' }));
    expect(await client.message()).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32600, message: 'this needs the scope write' },
    });
    const notification = JSON.parse(call(0, 'touch'));
    client.say(JSON.stringify({ ...notification, id: undefined }));
    client.say(`[${call(2, 'echo', { text: 'x' })},${call(3, 'touch', { uri: 'memo://today' })},7]`);
    expect((await client.message()).map(({ id, error }: Message) => [id, error.code])).toEqual([
      [2, -32600],
      [3, -32600],
    ]);
    client.say(`[${call(4, 'echo', { text: 'x' })}]`);
    expect((await client.message())[0].result.content[0].text).toBe('x');
    client.say('{"jsonrpc":');
    expect((await client.message()).error.code).toBe(-32700);
    client.say(call(5, 'echo', { text: 'served' }));
    expect((await client.message()).result.content[0].text).toBe('served');
    expect(touched).toBe(0);
  });

  test('a fault of the server ends the connection with 1011 and is reported, not sent', async () => {
    const stage = new Stage();
    const { url } = await sockets.serve(fixtureServer(stage), { authorizer });
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
    const client = await introduced(url);
    client.say(call(1, 'crash the authorizer'));
    expect(await client.goodbye()).toEqual([1011, 'internal server error']);
    expect(stage.faults).toEqual([new Error('a fault of the authorizer')]);
  });

  test('a token that expires ends the connection before the next message is served', async () => {
    const stage = new Stage();
    const { url } = await sockets.serve(fixtureServer(stage), { authorizer });
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
    const client = await introduced(url);
    client.say(call(1, 'hold', { text: 'held' }));
    client.say(ping);
    await client.message();
    vi.setSystemTime((now + 60) * 1000);
    client.say(call(2, 'echo', { text: 'too late' }));
    expect(await client.goodbye()).toEqual([1008, 'the token has expired; connect with a new one']);
    expect([client.heard.length, stage.aborted]).toEqual([3, ['held']]);
  });

  test('a token that expires ends a quiet connection too', async () => {
    const { url } = await sockets.serve(fixtureServer(), { authorizer });
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date', 'performance', 'setInterval', 'clearInterval'] });
    const client = await introduced(url);
    vi.advanceTimersByTime(61_000);
    expect((await client.goodbye())[0]).toBe(1008);
  });
});
