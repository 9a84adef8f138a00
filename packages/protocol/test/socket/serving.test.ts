import { afterEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../src/client.ts';
import { allRevisions, revisions } from '../../src/protocol/revisions.ts';
import { socket } from '../../src/socket.ts';
import { Tap } from '../client/tap.ts';
import { fixtureServer, Stage } from '../wire/fixture.ts';
import { shakeHands } from '../wire/matrix.ts';
import { holdClock, settle } from './clock.ts';
import { closed, kinds, Places } from './places.ts';

const places = new Places();

afterEach(() => {
  vi.useRealTimers();
});
const me = { name: 'tester', version: '1.0.0' };
const ping = '{"jsonrpc":"2.0","id":"fence","method":"ping"}';
const call = (id: number, name: string, args: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

describe.each(kinds)('over %s', (kind) => {
  describe.each(allRevisions)('%s', (revision) => {
    const { era } = revisions[revision];

    test('a client and a server of this package negotiate and exchange messages, both ways, according to the schema', async () => {
      const listener = await places.serve(fixtureServer(), places.address(kind));
      const tap = new Tap(socket(listener.address), revision);
      const client = await connect(tap, {
        ...me,
        era: era === 'handshake' ? era : { pinned: revision },
        ...(era === 'handshake' && { revision }),
        roots: () => [{ uri: 'file:///tmp' }],
      });
      const { content } = await client.callTool('add', { a: 2, b: 3 });
      const { contents } = await client.readResource('memo://today');
      await client.close();
      expect([client.revision, content[0], contents[0]]).toMatchObject([
        revision,
        { text: '{"sum":5}' },
        { text: 'water the plants' },
      ]);
      expect(tap.faults).toEqual([]);
    });
  });

  test('every connection is its own session', async () => {
    const listener = await places.serve(fixtureServer(), places.address(kind));
    const [first, second] = [
      await places.talk(listener, '2025-11-25'),
      await places.talk(listener, '2025-11-25'),
    ];
    await shakeHands(first, '2025-11-25', {});
    expect((await first.ask(call(1, 'echo', { text: 'one' }))).result.content[0].text).toBe('one');
    expect((await second.ask(call(1, 'echo', { text: 'two' }))).error.code).toBe(-32602);
  });

  test('a message in single bytes is one message', async () => {
    const listener = await places.serve(fixtureServer(), places.address(kind));
    const client = await places.dial(listener);
    const answered = new Promise<string>((resolve) =>
      client.once('data', (bytes) => resolve(bytes.toString())),
    );
    for (const byte of Buffer.from(`${ping}\n`)) {
      await new Promise<void>((resolve) => client.write(Buffer.of(byte), () => resolve()));
    }
    expect(JSON.parse(await answered)).toEqual({ jsonrpc: '2.0', id: 'fence', result: {} });
  });

  test('a message over the limit is refused and the connection continues', async () => {
    const listener = await places.serve(fixtureServer(), places.address(kind), { messageLimit: 10_000 });
    const talk = await places.talk(listener, '2025-11-25');
    expect((await talk.ask(`{"${'x'.repeat(20_000)}"}`)).error.code).toBe(-32600);
    expect(await talk.ask(ping)).toMatchObject({ id: 'fence', result: {} });
  });

  test('requests in progress get responses after the client has closed its side, and then the server closes', async () => {
    const listener = await places.serve(fixtureServer(), places.address(kind));
    const talk = await places.talk(listener, '2025-11-25');
    await shakeHands(talk, '2025-11-25', {});
    talk.say(call(1, 'later', { text: 'slow' }));
    talk.write(call(2, 'echo', { text: 'without a line end' }));
    const heard = await talk.finish();
    expect(
      heard
        .slice(-2)
        .map(({ id }) => id)
        .toSorted((one, other) => one - other),
    ).toEqual([1, 2]);
    await vi.waitFor(() => expect(listener.connections).toBe(0), { timeout: 120_000 });
  });

  test('an endless call is aborted a while after its client has closed its side', async () => {
    const stage = new Stage();
    const listener = await places.serve(fixtureServer(stage), places.address(kind));
    const talk = await places.talk(listener, '2025-11-25');
    await shakeHands(talk, '2025-11-25', {});
    talk.say(call(1, 'hold', { text: 'held' }));
    await talk.ask(ping);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const over = talk.finish();
      while (vi.getTimerCount() === 0) await new Promise(setImmediate);
      expect(stage.aborted).toEqual([]);
      vi.advanceTimersByTime(1500);
      await over;
    } finally {
      vi.useRealTimers();
    }
    expect(stage.aborted).toEqual(['held']);
  });

  test('the calls of a client that is cut off are aborted at once', async () => {
    const stage = new Stage();
    const listener = await places.serve(fixtureServer(stage), places.address(kind));
    const client = await places.dial(listener);
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me };
    const answered = new Promise((resolve) => client.once('data', resolve));
    client.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: hello })}\n`);
    await answered;
    // unread data makes the end of the connection a reset
    client.write(`${call(1, 'hold', { text: 'held' })}\n${call(2, 'big', { size: 5_000_000 })}\n`);
    await new Promise((resolve) => client.once('data', resolve));
    if (kind === 'tcp') client.resetAndDestroy();
    else client.destroy();
    await vi.waitFor(() => expect([stage.aborted, listener.connections]).toEqual([['held'], 0]), {
      timeout: 120_000,
    });
  });

  test('closing finishes requests in progress, completes listen streams, and accepts no more clients', async () => {
    const stage = new Stage();
    const listener = await places.serve(fixtureServer(stage), places.address(kind));
    const client = await connect(socket(listener.address), { ...me, era: { pinned: '2026-07-28' } });
    const subscription = await client.subscribe({ toolsListChanged: true }, () => {});
    const held = client.callTool('hold', { text: 'finished' });
    await client.callTool('echo', { text: 'fence' });
    const closing = listener.close();
    await expect(connect(socket(listener.address), me)).rejects.toThrow('cannot connect');
    stage.release();
    expect((await held).content[0]).toMatchObject({ text: 'finished' });
    await subscription.ended;
    await closing;
    expect(listener.connections).toBe(0);
  });

  test('closing cuts what does not end within the grace', async () => {
    const stage = new Stage();
    const listener = await places.serve(fixtureServer(stage), places.address(kind));
    const talk = await places.talk(listener, '2025-11-25');
    await shakeHands(talk, '2025-11-25', {});
    talk.say(call(1, 'hold', { text: 'held' }));
    await talk.ask(ping);
    await listener.close(20);
    await talk.over();
    expect([stage.aborted, listener.connections]).toEqual([['held'], 0]);
  });

  test('a failed connection is one line with the address', async () => {
    const listener = await places.serve(fixtureServer(), places.address(kind));
    await listener.close();
    const { address } = listener;
    const name = 'path' in address ? address.path : `${address.host}:${address.port}`;
    await expect(connect(socket(address), me)).rejects.toThrow(`cannot connect to ${name}: `);
  });

  test('a client is notified when the server disconnects', async () => {
    const listener = await places.serve(fixtureServer(), places.address(kind));
    const client = await connect(socket(listener.address), me);
    const call = client.callTool('hold', { text: 'held' });
    call.catch(() => {
      // checked below
    });
    await client.callTool('echo', { text: 'fence' });
    await listener.close(0);
    await expect(call).rejects.toThrow('the server');
  });

  test('a client that does not read makes the server neither work nor use more than a little memory', async () => {
    const stage = new Stage();
    let sent = 0;
    const server = fixtureServer(stage);
    const listener = await places.serve(server, places.address(kind));
    const [reader, fence] = [
      await places.talk(listener, '2025-11-25'),
      await places.talk(listener, '2025-11-25'),
    ];
    await shakeHands(reader, '2025-11-25', {});
    const mute = await places.dial(listener);
    mute.pause();
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me };
    mute.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'init', method: 'initialize', params: hello })}\n`);
    // asks for 45 MB
    for (sent = 0; sent < 1500; sent++)
      mute.write(`${call(sent, 'big', { size: 30_000 })}${' '.repeat(20_000)}\n`);
    // the server has stopped reading when the client's data is no longer sent
    let before = -1;
    for (let unchanged = 0; unchanged < 20; unchanged = mute.writableLength === before ? unchanged + 1 : 0) {
      before = mute.writableLength;
      await fence.ask(ping);
    }
    expect(mute.writableLength).toBeGreaterThan(5_000_000);
    expect((await reader.ask(call(1, 'echo', { text: 'others are served' }))).id).toBe(1);
    // all of it gets responses once the client reads
    let newlines = 0;
    await new Promise<void>((resolve) => {
      mute.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) newlines += 1;
        if (newlines === sent + 1) resolve();
      });
      mute.resume();
    });
  });

  test('a client that never reads its responses is disconnected, but not one without unread responses', async () => {
    const listener = await places.serve(fixtureServer(), places.address(kind), { stallTimeout: 50 });
    const quiet = await places.talk(listener, '2025-11-25');
    const mute = await places.dial(listener);
    mute.pause();
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: me };
    mute.write(`${JSON.stringify({ jsonrpc: '2.0', id: 'init', method: 'initialize', params: hello })}\n`);
    for (let id = 0; id < 300; id++) mute.write(`${call(id, 'big', { size: 100_000 })}\n`);
    await vi.waitFor(() => expect(listener.connections).toBe(1), { timeout: 120_000 });
    expect(await quiet.ask(ping)).toMatchObject({ result: {} });
  });
});

describe('limits', () => {
  test('one connection over the cap gets an error and is closed, and its slot is free when another closes', async () => {
    const listener = await places.serve(fixtureServer(), { port: 0 }, { connectionCap: 2 });
    const [first] = [await places.dial(listener), await places.talk(listener, '2025-11-25')];
    const third = await places.talk(listener, '2025-11-25');
    expect((await third.next()).error.message).toContain('reached its limit of connections');
    await third.over();
    first.end();
    await closed(first);
    await vi.waitFor(() => expect(listener.connections).toBe(1), { timeout: 120_000 });
    const fourth = await places.talk(listener, '2025-11-25');
    expect(await fourth.ask(ping)).toMatchObject({ result: {} });
  });

  test('a connection without a first message is closed', async () => {
    const listener = await places.serve(fixtureServer(), { path: places.path() }, { startTimeout: 40 });
    await closed(await places.dial(listener));
    await vi.waitFor(() => expect(listener.connections).toBe(0), { timeout: 120_000 });
  });

  test('an idle connection is closed, but not one that waits for a response or for changes', async () => {
    holdClock();
    const stage = new Stage();
    const at = { path: places.path() };
    const listener = await places.serve(fixtureServer(stage), at, { idleTimeout: 1000 });
    const [waiting, subscribed] = [
      await connect(socket(at), { ...me, era: 'handshake' }),
      await connect(socket(at), { ...me, era: 'handshake' }),
    ];
    const answer = waiting.callTool('hold', { text: 'patience' });
    const notified = new Promise<void>((resolve) => {
      void subscribed.subscribe('memo://today', () => resolve());
    });
    await subscribed.callTool('echo', { text: 'fence' });
    const idle = await places.talk(listener, '2025-11-25');
    await idle.ask(ping);
    // the first check sees the message, the next that nothing came since
    vi.advanceTimersByTime(2000);
    await idle.over();
    await settle();
    vi.advanceTimersByTime(5000);
    expect(listener.connections).toBe(2);
    stage.release();
    stage.touch('memo://today');
    expect((await answer).content[0]).toMatchObject({ text: 'patience' });
    await notified;
  });
});
