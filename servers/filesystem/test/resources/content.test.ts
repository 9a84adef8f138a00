import { chmodSync, mkdirSync, renameSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { Changes, call, inEveryRevision, Scene, subscribed } from '../harness.ts';

const scene = new Scene();
const uriOf = (path: string): string => pathToFileURL(path).href;

/** Runs `work`, which must not cause a notification, and resolves after one would have arrived. */
async function quietly(client: Client, work: () => unknown): Promise<void> {
  const { changes, subscription } = await subscribed(client, uriOf(scene.at('bell')));
  await work();
  await changes.of(() => writeFileSync(scene.at('bell'), 'rung'));
  await subscription.close();
  rmSync(scene.at('bell'));
}

inEveryRevision((revision) => {
  test('a file is notified when its content changes, not for its times, its mode or a write of the same bytes', async () => {
    const path = scene.put('a.txt', 'one');
    const client = await scene.client({ revision });
    const { changes } = await subscribed(client, uriOf(path));
    await quietly(client, () => utimesSync(path, 1, 1));
    await quietly(client, () => chmodSync(path, 0o600));
    await quietly(client, () => {
      writeFileSync(scene.at('new'), 'one');
      renameSync(scene.at('new'), path);
    });
    await quietly(client, () => {
      renameSync(path, `${path}~`);
      writeFileSync(path, 'one');
      unlinkSync(`${path}~`);
    });
    await quietly(client, () => call(client, 'write_file', { path, content: 'one' }));
    expect(changes.seen).toEqual([]);
    await changes.of(() => call(client, 'write_file', { path, content: 'two' }));
    await changes.of(() => writeFileSync(path, 'six'));
    expect(changes.seen).toHaveLength(2);
  });

  test('a directory is notified when its names change, not for denied names or temporary files', async () => {
    scene.put('dir/a.txt', 'one');
    const client = await scene.client({ revision });
    const { changes } = await subscribed(client, uriOf(scene.at('dir')));
    const root = await subscribed(client, uriOf(scene.root));
    await quietly(client, () => scene.put('dir/a.txt', 'two'));
    await quietly(client, () =>
      call(client, 'write_file', { path: scene.at('dir/a.txt'), content: 'three' }),
    );
    await quietly(client, () => scene.put('dir/id_rsa', 'secret'));
    await quietly(client, () => rmSync(scene.at('dir/id_rsa')));
    await quietly(client, () => scene.put('dir/.env', 'secret'));
    expect(changes.seen).toEqual([]);
    // the bell came and went each time, and the folder of unfinished writes did not count
    expect(root.changes.seen.length).toBeLessThanOrEqual(10);
    await changes.of(() => scene.put('dir/b.txt'));
  });

  test('a denied path cannot be subscribed to, whether it exists or not', async () => {
    scene.put('.env', 'secret');
    scene.put('.git/config', 'secret');
    const client = await scene.client({ revision });
    for (const name of ['.env', '.git/config', '.git/hooks/none', 'id_rsa', 'deep/none/.env']) {
      await expect(
        client.subscribe(uriOf(scene.at(name)), () => {}),
        name,
      ).rejects.toThrow();
    }
  });

  test('a file is notified when its folder is replaced', async () => {
    const path = scene.put('work/a.txt', 'one');
    scene.put('next/a.txt', 'two');
    const { changes } = await subscribed(await scene.client({ revision }), uriOf(path));
    await changes.of(() => {
      renameSync(scene.at('work'), scene.at('old'));
      renameSync(scene.at('next'), scene.at('work'));
    });
    await changes.of(() => writeFileSync(path, 'three'));
  });

  test('a file is notified when its root disappears, reappears, and then changes', async () => {
    const path = scene.put('a.txt', 'one');
    const { changes } = await subscribed(await scene.client({ revision }), uriOf(path));
    for (let n = 0; n < 3; n += 1) {
      await changes.of(() => rmSync(scene.root, { recursive: true }));
      await changes.of(() => {
        mkdirSync(scene.root);
        writeFileSync(path, `plugged ${n}`);
      });
      await changes.of(() => writeFileSync(path, `changed ${n}`));
    }
  });
});

test('of more than 10,000 subscriptions one era omits the rest from the acknowledgement, the other refuses each with one line', async () => {
  const filesystem = scene.filesystem();
  const stateless = await scene.join(filesystem);
  const handshake = await scene.join(filesystem, { revision: '2025-11-25' });
  // what the server watches for its list takes nothing of them
  await handshake.listResources();
  const uris = Array.from({ length: 10_003 }, (_, n) => `${uriOf(scene.root)}/f${n}`);
  const changes = new Changes();
  const subscription = await stateless.subscribe({ resourceSubscriptions: uris }, changes.heard);
  expect(subscription.acknowledged).toEqual({ resourceSubscriptions: uris.slice(0, 10_000) });
  await changes.of(() => writeFileSync(scene.at('f7'), 'here'));
  expect(changes.seen).toEqual([{ kind: 'resource', uri: uris[7] }]);

  const one = { uri: uris[10_000]! };
  await expect(handshake.request('resources/subscribe', one)).rejects.toMatchObject({
    message: expect.stringMatching(/^too many watched paths: 10000 at most; [^\n]+$/),
    data: one,
  });
  await handshake.request('resources/subscribe', { uri: uris[3]! });
  await subscription.close();
  await expect
    .poll(
      () =>
        handshake.request('resources/subscribe', one).then(
          () => 'room',
          () => 'none',
        ),
      { timeout: 120_000 },
    )
    .toBe('room');
});
