import { mkdirSync, rmSync } from 'node:fs';
import type { Client } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import { full } from '../extent.ts';
import { Crowd } from './crowd.ts';
import { call, World } from './world.ts';

const ROUNDS = full ? 12 : 3;
const seed = Number(process.env.ROOTBOUND_SEED ?? Date.now() % 1000);

describe('a hundred concurrent calls on the same ten files', () => {
  const world = new World();

  async function rounds(clients: readonly Client[], alone = true): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      rmSync(world.root, { recursive: true });
      mkdirSync(world.root);
      const faults = await new Crowd(world.root, seed + round, alone).run(clients);
      expect({ seed: seed + round, faults }).toEqual({ seed: seed + round, faults: [] });
    }
    expect(await call(clients[0]!, 'list_directory', { path: '.' })).toMatchObject({ code: 'done' });
  }

  test('from one client over stdio: each is applied completely or fails', async () => {
    const client = await world.start();
    await rounds([client, client, client]);
  });

  test('from three clients over HTTP: each is applied completely or fails', async () => {
    const url = await world.serve();
    await rounds(await Promise.all([1, 2, 3].map(() => world.join(url))));
  });

  test('from clients of two servers: all files are complete, no change is applied twice, and no temporary file stays', async () => {
    const url = await world.serve();
    await rounds(await Promise.all([world.join(url), world.start(), world.join(url)]), false);
  });
});
