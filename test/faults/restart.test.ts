import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../extent.ts';
import { Audit } from './audit.ts';
import { Mirror } from './mirror.ts';
import { openSite, type Site } from './site.ts';
import { connectTo, transportOf, type Way, ways } from './ways.ts';

const rounds = full ? 8 : 2;

/** A client with a subscription, and the audit of its calls. */
interface User {
  way: Way;
  client: Client;
  mirror: Mirror;
}

async function use(way: Way, site: Site): Promise<User> {
  const client = await connectTo(transportOf(way, site, undefined), way);
  onTestFinished(() => client.close());
  const mirror = new Mirror(client, site);
  await mirror.follow('a', 'b', 'c');
  return { way, client, mirror };
}

/** Kills the server repeatedly while its users make calls, keep calls open, and mirror every change. */
async function killUnder(users: readonly User[], site: Site, again: () => Promise<void>): Promise<void> {
  const audit = new Audit();
  const callAll = (args: object): Promise<string>[] =>
    users.map(({ client }) => audit.call(client, { ...args }));
  const seen = async (...names: string[]): Promise<void> => {
    for (const { mirror } of users) await mirror.shows(...names);
  };
  for (let round = 0; round < rounds; round++) {
    const held = [...callAll({ hold: true }), ...callAll({ hold: true, steps: 2 })];
    await site.holds(held.length);
    await site.touch('a');
    const answered = callAll({});
    if (round % 2 === 0) await Promise.all(answered);
    await site.kill();
    site.write('b');
    const away = callAll({});
    await again();
    await Promise.all([...held, ...answered, ...away]);
    await seen('a', 'b');
    await Promise.all(callAll({}));
    await site.touch('c');
    await seen('a', 'b', 'c');
  }
  expect(audit.faults(site.ledger())).toEqual([]);
  expect(audit.answered).toBeGreaterThanOrEqual(users.length * rounds);
  for (const { mirror } of users) expect(mirror.faults('a', 'b', 'c')).toEqual([]);
}

describe('a server that is killed and restarted', () => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
    site.write('a', 'b', 'c');
    await site.start();
  });
  afterAll(() => site.close());

  test('answers each call once, and its subscribers miss no change, over all transports at once', async () => {
    const listening = ways.filter(({ kind }) => kind !== 'stdio');
    const users = await Promise.all(listening.map((way) => use(way, site)));
    await killUnder(users, site, () => site.start());
    expect(site.starts).toBe(rounds + 1);
  });
});

describe.each(ways.filter(({ kind }) => kind === 'stdio'))('a process that is killed, over $name', (way) => {
  let site: Site;
  beforeAll(async () => {
    site = await openSite();
    site.write('a', 'b', 'c');
  });
  afterAll(() => site.close());

  test('is restarted; each call ends once, and its subscriber misses no change', async () => {
    const user = await use(way, site);
    await killUnder([user], site, () => site.up());
    expect(site.starts).toBe(rounds + 1);
  });
});
