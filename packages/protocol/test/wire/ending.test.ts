import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import type { Revision } from '../../src/protocol/revisions.ts';
import { Conversation } from './conversation.ts';
import { Processes, type Started, shakeHands } from './matrix.ts';
import type { Message } from './message.ts';

const processes = new Processes();
beforeAll(() => processes.build());
afterEach(() => processes.stopAll());
afterAll(() => processes.remove());

const call = (id: string | number, name: string, args: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

/** The maximum memory of a server in megabytes while a client does not read, far below the size of its responses. */
const MEMORY_BOUND = 100;

const revision: Revision = '2025-11-25';

async function session(): Promise<Started & { talk: Conversation }> {
  const started = processes.start();
  const talk = new Conversation(started.pair, revision);
  await shakeHands(talk, revision, {});
  return { ...started, talk };
}

describe('a server process', () => {
  test('exits when its input ends, after the responses in progress', async () => {
    const { talk, ended } = await session();
    for (let id = 0; id < 100; id++) talk.say(call(id, 'later', { text: `n${id}` }));
    const heard = await talk.finish();
    expect(
      heard
        .slice(1)
        .map((message) => message.id)
        .toSorted((a, b) => a - b),
    ).toEqual(Array.from({ length: 100 }, (_, id) => id));
    expect(await ended).toBe(0);
  });

  test('exits when its input ends although a call never ends', async () => {
    const { talk, ended } = await session();
    talk.say(call(1, 'hold'));
    const heard = await talk.finish();
    expect(heard.filter((message: Message) => message.id === 1)).toEqual([]);
    expect(await ended).toBe(0);
  });

  test('exits when its input ends without a message', async () => {
    const { pair, ended } = processes.start();
    pair.output.end();
    pair.input.resume();
    expect(await ended).toBe(0);
  });

  test('writes all responses before it exits, to a client that reads only then', async () => {
    const { pair, ended } = processes.start();
    const talk = new Conversation(pair, revision, false);
    const facts =
      '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';
    for (let id = 0; id < 30; id++)
      talk.write(`${call(id, 'big', { size: 300_000 }).replace('"params":{', `"params":{${facts},`)}\n`);
    pair.output.end();
    await once(pair.input, 'readable');
    talk.revision = '2026-07-28';
    talk.listen();
    await talk.over();
    expect(talk.heard.map((message) => message.id)).toEqual(Array.from({ length: 30 }, (_, id) => id));
    expect(await ended).toBe(0);
  });

  test('exits when nobody reads its output', async () => {
    const { talk, child, pair, ended } = await session();
    talk.say(call(1, 'hold'));
    pair.input.destroy();
    talk.say(call(2, 'echo', { text: 'to nobody' }));
    expect(typeof (await ended)).toBe('number');
    expect(child.signalCode).toBeNull();
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    'exits at %s with complete responses of finished work',
    async (signal) => {
      const started = processes.start();
      const { child, pair, ended } = started;
      const talk = new Conversation(pair, revision, false);
      const size = 600_000;
      talk.say(call(1, 'nothing').replace('tools/call', 'ping'));
      talk.say(
        `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"${revision}","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
      );
      talk.say(call(2, 'big', { size }));
      talk.say(call(3, 'hold'));
      await once(pair.input, 'readable');
      await quiet(started);
      child.kill(signal);
      talk.listen();
      await talk.over();
      expect(talk.heard.map((message) => message.id)).toEqual([1, 'i', 2]);
      expect(talk.heard[2].result.content[0].text).toHaveLength(size);
      expect(await ended).toBe(0);
    },
  );

  test('ends its listen streams with their results at SIGTERM', async () => {
    const started = processes.start();
    const { child, pair, ended } = started;
    const talk = new Conversation(pair, '2026-07-28');
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { notifications: { toolsListChanged: true }, _meta: meta };
    await talk.ask(JSON.stringify({ jsonrpc: '2.0', id: 'L', method: 'subscriptions/listen', params }));
    child.kill('SIGTERM');
    expect((await talk.answer('L')).result.resultType).toBe('complete');
    expect(await ended).toBe(0);
  });

  test('treats the second signal as the first', async () => {
    const { talk, child, ended } = await session();
    talk.say(call(1, 'hold'));
    await talk.ask(call(2, 'echo', { text: 'fence' }));
    child.kill('SIGTERM');
    child.kill('SIGTERM');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  test('stops accepting calls from a client that does not read, uses little memory, and then responds to every one once', async () => {
    const started = processes.start();
    const { child, pair, ended } = started;
    const { talk, count, size } = await flood(started);
    expect(anonymousMegabytes(child.pid!)).toBeLessThan(MEMORY_BOUND);
    const answered = new Uint8Array(count);
    talk.listen();
    for (let left = count; left > 0; left--) {
      const { id, result } = await talk.next();
      expect(result.content[0].text).toHaveLength(size);
      answered[id]! += 1;
    }
    expect(answered.every((times) => times === 1)).toBe(true);
    pair.output.end();
    expect(await ended).toBe(0);
  });

  test('exceeds that limit without its backpressure, so the test above can fail', async () => {
    const source = readFileSync(processes.path, 'utf8');
    const broken = source.replace(/(\bHIGH_WATER = )[^;]+;/, '$1Infinity;');
    expect(broken).not.toBe(source);
    // under its own name, because the other modules of the bundle import it
    const folder = mkdtempSync(join(tmpdir(), 'rootbound-broken-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(dirname(processes.path), folder, { recursive: true });
    const path = join(folder, basename(processes.path));
    writeFileSync(path, broken);
    const started = processes.start({ path });
    await flood(started);
    expect(anonymousMegabytes(started.child.pid!)).toBeGreaterThan(MEMORY_BOUND);
  });

  test('serves a thousand calls that were sent at once, before anything was loaded', async () => {
    const { pair } = processes.start();
    const talk = new Conversation(pair, '2026-07-28');
    const count = 1000;
    for (let id = 0; id < count; id++) talk.say(statelessCall(id, 'echo', { text: `n${id}` }));
    const texts = new Map<number, string>();
    while (texts.size < count) {
      const { id, result, error } = await talk.next();
      texts.set(id, result?.content[0].text ?? error.message);
    }
    expect([...texts].filter(([id, text]) => text !== `n${id}`).slice(0, 3)).toEqual([]);
  });

  test('drops messages that may be lost, and nothing else, for a client that does not read', async () => {
    const started = processes.start();
    const { pair } = started;
    const talk = new Conversation(pair, '2026-07-28', false);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/logLevel': 'debug',
    };
    const line = (id: string | number, method: string, params: object): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } });
    talk.say(line('L', 'subscriptions/listen', { notifications: { toolsListChanged: true } }));
    talk.say(line('B', 'tools/call', { name: 'big', arguments: { size: 2_000_000 } }));
    for (let id = 0; id < 2000; id++)
      talk.say(line(id, 'tools/call', { name: 'announce', arguments: { list: 'tools' } }));
    await once(pair.input, 'readable');
    await quiet(started);
    talk.listen();
    const seen: number[] = [];
    let changes = 0;
    while (seen.length < 2000) {
      const message = await talk.next();
      if (message.method === 'notifications/tools/list_changed') changes += 1;
      else if (typeof message.id === 'number') seen.push(message.id);
    }
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2000 }, (_, id) => id));
    expect(changes).toBeGreaterThan(0);
  });
});

/** Sends requests for 250 MB to a server without reading, and resolves when the server stops working. */
async function flood(started: Started): Promise<{ talk: Conversation; count: number; size: number }> {
  const [count, size] = [full ? 2500 : 1500, 100_000];
  const talk = new Conversation(started.pair, '2026-07-28', false);
  talk.say(statelessCall(0, 'big', { size }));
  await once(started.pair.input, 'readable');
  for (let id = 1; id < count; id++) talk.say(statelessCall(id, 'big', { size }));
  await quiet(started);
  return { talk, count, size };
}

function statelessCall(id: number, name: string, args: object): string {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: args, _meta: meta },
  });
}

/** Resolves when a process is idle: all its threads sleep and it reads nothing, in several checks. */
async function quiet({ child, pair }: Started): Promise<void> {
  const tasks = `/proc/${child.pid}/task`;
  let left = -1;
  for (let looks = 0; looks < 300; ) {
    const asleep = readdirSync(tasks).every((task) =>
      isAsleep(readFileSync(`${tasks}/${task}/stat`, 'utf8')),
    );
    looks = asleep && pair.output.writableLength === left ? looks + 1 : 0;
    left = pair.output.writableLength;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Returns true if the state, which follows the name in brackets, is S. */
function isAsleep(stat: string): boolean {
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('S');
}

function anonymousMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
