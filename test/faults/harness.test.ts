import { connect, type Socket } from 'node:net';
import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { Audit } from './audit.ts';
import { Mirror } from './mirror.ts';
import type { FaultProxy } from './proxy.ts';
import { openSite, type Site } from './site.ts';
import { toys } from './toys.ts';
import { connectTo, proxyFor, transportOf, wayNamed } from './ways.ts';

let site: Site;
beforeAll(async () => {
  site = await openSite();
  await site.start();
});
afterAll(() => site.close());

/** Creates a client with one fault, or none, behind its own proxy. */
async function use(
  name: string,
  toy: keyof typeof toys | 'sound',
): Promise<{ client: Client; proxy: FaultProxy }> {
  const way = wayNamed(name);
  const { proxy, at } = await proxyFor(way, site);
  const transport = transportOf(way, site, at);
  const client = await connectTo(toy === 'sound' ? transport : toys[toy](transport), way);
  onTestFinished(async () => {
    await Promise.all([client.close(), proxy.close()]);
  });
  return { client, proxy };
}

const resetAt = (proxy: FaultProxy, marker: string, after: number): void =>
  void proxy.arm({ way: 'down', after, ending: 'reset', marker });

describe('an audit', () => {
  test.each([
    ['eager', [' ran 2 times']],
    ['sound', []],
  ] as const)('detects a call that was made twice (client: %s)', async (toy, faults) => {
    const { client, proxy } = await use('stateless HTTP', toy);
    const audit = new Audit();
    const id = audit.begin();
    resetAt(proxy, id, 20);
    await audit.follow(id, client);
    expect(audit.faults(site.ledger())).toEqual(faults.map((fault) => id + fault));
  });

  test.each([
    ['deaf', [' has not ended']],
    ['sound', []],
  ] as const)('detects a call that does not end (client: %s)', async (toy, faults) => {
    const { client, proxy } = await use('Unix socket, handshake', toy);
    const { client: other } = await use('Unix socket, handshake', 'sound');
    const audit = new Audit();
    const id = audit.begin();
    resetAt(proxy, id, 20);
    void audit.follow(id, client);
    while (proxy.connections.size > 0) await new Promise(setImmediate);
    await audit.call(other);
    expect(audit.faults(site.ledger())).toEqual(faults.map((fault) => id + fault));
  });

  test.each([
    ['crossed', true],
    ['sound', false],
  ] as const)('detects calls with the answers of others (client: %s)', async (toy, wrong) => {
    const { client } = await use('Unix socket, stateless', toy);
    const audit = new Audit();
    const [first, second] = await Promise.all([audit.call(client), audit.call(client)]);
    const faults = [`${first} was answered with ${second}:`, `${second} was answered with ${first}:`];
    expect(audit.faults(site.ledger())).toEqual(wrong ? faults : []);
  });

  test.each([
    ['echoing', [' heard its steps as 1 1 2 2']],
    ['sound', []],
  ] as const)('detects a message that was delivered twice (client: %s)', async (toy, faults) => {
    const { client } = await use('Unix socket, handshake', toy);
    const audit = new Audit();
    const id = await audit.call(client, { steps: 2 });
    expect(audit.faults(site.ledger())).toEqual(faults.map((fault) => id + fault));
  });

  test('detects an executed call that was never made', async () => {
    const { client } = await use('Unix socket, handshake', 'sound');
    const audit = new Audit();
    const id = audit.begin();
    await client.callTool('act', { id: `${id}x` });
    void audit.follow(id, client);
    expect(audit.faults(site.ledger())).toEqual([`${id} has not ended`, `act ${id}x was never called`]);
  });
});

test.each([
  ['careless', ['a is 2, and 1 is shown']],
  ['sound', []],
] as const)('a mirror detects a missed change (client: %s)', async (toy, faults) => {
  const { client } = await use('HTTP sessions of 2025-11-25', toy);
  const { client: other } = await use('HTTP sessions of 2025-11-25', 'sound');
  site.write('a');
  const [mirror, sound] = [new Mirror(client, site), new Mirror(other, site)];
  await Promise.all([mirror.follow('a'), sound.follow('a')]);
  await site.kill();
  site.write('a');
  await site.start();
  // both clients detect by themselves that the server has lost their sessions
  await sound.shows('a');
  if (toy === 'sound') await mirror.shows('a');
  await client.listTools();
  expect(mirror.faults('a')).toEqual(faults);
});

test('a fault for a last text hits the newest connection that sent it', async () => {
  const { proxy, at } = await proxyFor(wayNamed('Unix socket, stateless'), site);
  onTestFinished(() => proxy.close());
  const say = async (): Promise<Socket> => {
    const one = connect(at);
    const count = proxy.connections.size + 1;
    one.write('not a message\n');
    const isHeard = (): boolean =>
      proxy.connections.size === count && [...proxy.connections].at(-1)?.last !== '';
    await vi.waitUntil(isHeard, 120_000);
    return one;
  };
  const older = await say();
  const newer = await say();
  const armed = proxy.arm({ way: 'up', after: 0, ending: 'end', last: 'not a message' });
  newer.write('more\n');
  await new Promise<void>((resolve) => newer.resume().once('close', () => resolve()));
  expect([armed.struck, older.readable]).toEqual([true, true]);
  older.destroy();
});
