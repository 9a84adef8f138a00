import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client } from '@rootbound/protocol/client';
import { expect, test } from 'vitest';
import { Changes, inEveryRevision, newest, Scene, stateless, subscribed } from '../harness.ts';

const scene = new Scene();
const uriOf = (path: string): string => pathToFileURL(path).href;
const namesOf = async (client: Client): Promise<string[]> =>
  (await client.listResources()).map(({ name }) => name);

/** The list notifications of a client, and a way to show that there was none. */
async function listening(client: Client) {
  const changes = new Changes();
  await client.subscribe({ resourcesListChanged: true }, changes.heard);
  return changes;
}

/** Resolves after all notifications of earlier changes. */
async function settled(client: Client): Promise<void> {
  const { changes, subscription } = await subscribed(client, uriOf(join(scene.root, '.bell')));
  await changes.of(() => scene.put('.bell', 'rung'));
  await subscription.close();
  rmSync(scene.at('.bell'));
}

inEveryRevision((revision) => {
  test('each root is listed with its direct entries, in order, with type, size and time', async () => {
    const time = new Date('2026-01-02T03:04:05.000Z');
    scene.put('b.md', '# four');
    scene.put('a b#c.unknown', 'xyz');
    scene.put('deep/inner.txt');
    for (const name of ['b.md', 'a b#c.unknown', 'deep', '']) utimesSync(scene.at(name), time, time);
    const kept = join(scene.top, 'kept');
    mkdirSync(kept);
    writeFileSync(join(kept, 'k.json'), '{}');
    const client = await scene.client({
      revision,
      roots: [
        { path: scene.root, readOnly: false },
        { path: kept, readOnly: true },
      ],
    });
    const listed = await client.listResources();
    const modified = revision < '2025-06-18' ? {} : { lastModified: time.toISOString() };
    expect(listed.map(({ name }) => name)).toEqual([
      'root',
      'a b#c.unknown',
      'b.md',
      'deep',
      'kept',
      'k.json',
    ]);
    expect(listed[0]).toMatchObject({ uri: uriOf(scene.root), mimeType: 'inode/directory' });
    expect(listed[0]?.annotations).toMatchObject({ priority: 0.8, ...modified });
    expect(listed.slice(1, 4)).toEqual([
      { uri: uriOf(scene.at('a b#c.unknown')), name: 'a b#c.unknown', size: 3, annotations: modified },
      {
        uri: uriOf(scene.at('b.md')),
        name: 'b.md',
        mimeType: 'text/markdown',
        size: 6,
        annotations: modified,
      },
      { uri: uriOf(scene.at('deep')), name: 'deep', mimeType: 'inode/directory', annotations: modified },
    ]);
    for (const { uri } of listed) expect((await client.readResource(uri)).contents, uri).toHaveLength(1);
  });

  test('hidden, denied, outside and special files are not listed', async () => {
    scene.put('shown');
    for (const name of ['.hidden', 'id_rsa', 'server.key', 'mine.secret']) scene.put(name);
    scene.put('.git/config');
    writeFileSync(join(scene.outside, 'far'), '');
    symlinkSync(join(scene.outside, 'far'), scene.at('leak'));
    symlinkSync(scene.at('none'), scene.at('broken'));
    symlinkSync(scene.at('id_rsa'), scene.at('key'));
    symlinkSync(scene.at('shown'), scene.at('link'));
    const client = await scene.client({ revision, extra: { deny: ['*.secret'] } });
    expect(await namesOf(client)).toEqual(['root', 'link', 'shown']);
  });

  test('a nested root is listed once', async () => {
    mkdirSync(scene.at('own'));
    const roots = [scene.root, scene.at('own')].map((path) => ({ path, readOnly: false }));
    const client = await scene.client({ revision, roots });
    expect(await namesOf(client)).toEqual(['root', 'own']);
  });

  test('after a list the client is notified when an entry is created, deleted or renamed', async () => {
    scene.put('a');
    const client = await scene.client({ revision });
    const changes = await listening(client);
    expect(await namesOf(client)).toEqual(['root', 'a']);
    await changes.of(() => scene.put('b'));
    expect(await namesOf(client)).toEqual(['root', 'a', 'b']);
    await changes.of(() => renameSync(scene.at('b'), scene.at('c')));
    expect(await namesOf(client)).toEqual(['root', 'a', 'c']);
    await changes.of(() => rmSync(scene.at('c')));
    expect(await namesOf(client)).toEqual(['root', 'a']);
  });

  test('after a list the client is notified when its root is deleted and when it is created again', async () => {
    scene.put('a');
    const client = await scene.client({ revision });
    const changes = await listening(client);
    expect(await namesOf(client)).toEqual(['root', 'a']);
    await changes.of(() => renameSync(scene.root, join(scene.top, 'away')));
    expect(await namesOf(client)).toEqual([]);
    await changes.of(() => renameSync(join(scene.top, 'away'), scene.root));
    expect(await namesOf(client)).toEqual(['root', 'a']);
    await changes.of(() => scene.put('b'));
  });
});

test('a client is notified even if another client lists the change before the server checks', async () => {
  const filesystem = scene.filesystem();
  const [client, other] = [await scene.join(filesystem), await scene.join(filesystem)];
  const changes = await listening(client);
  await client.listResources();
  await changes.of(async () => {
    scene.put('b');
    expect(await namesOf(other)).toEqual(['root', 'b']);
  });
  expect(await namesOf(client)).toEqual(['root', 'b']);
});

test('changes of contents, hidden and denied entries and entries of subfolders are not notified', async () => {
  scene.put('a', 'one');
  scene.put('deep/inner');
  const client = await scene.client();
  const changes = await listening(client);
  await client.listResources();
  scene.put('a', 'two');
  scene.put('deep/other');
  scene.put('.hidden');
  scene.put('id_rsa');
  await settled(client);
  await changes.of(() => scene.put('b'));
  expect(changes.seen).toHaveLength(1);
});

test('a root that no client has listed causes no notification', async () => {
  const client = await scene.client();
  const changes = await listening(client);
  scene.put('a');
  await settled(client);
  expect(changes.seen).toEqual([]);
});

test('many entries that are created together cause few notifications', async () => {
  const client = await scene.client();
  const changes = await listening(client);
  await client.listResources();
  await changes.of(() => {
    for (let n = 0; n < 500; n += 1) scene.put(`f${n}`);
  });
  expect(await namesOf(client)).toHaveLength(501);
  await settled(client);
  expect(changes.seen.length).toBeLessThanOrEqual(2);
});

test('a long list has pages, and at most 1,000 entries per root', async () => {
  for (let n = 0; n < 1100; n += 1) scene.put(`f${String(n).padStart(4, '0')}`);
  const wire = scene.wire();
  const names: string[] = [];
  const pages: number[] = [];
  let cursor: string | undefined;
  do {
    const params = { ...(cursor !== undefined && { cursor }), _meta: stateless() };
    const { result } = await wire.request('resources/list', params);
    const page = result!.resources as { name: string }[];
    pages.push(page.length);
    names.push(...page.map(({ name }) => name));
    cursor = result!.nextCursor as string | undefined;
  } while (cursor !== undefined);
  expect(pages).toEqual([250, 250, 250, 250, 1]);
  expect(names.slice(1)).toEqual(Array.from({ length: 1000 }, (_, n) => `f${String(n).padStart(4, '0')}`));
});

test('a root that is a file is listed with its type and size', async () => {
  const path = scene.put('notes.md', '12345');
  const client = await scene.client({ revision: newest, roots: [{ path, readOnly: true }] });
  expect(await client.listResources()).toMatchObject([
    { uri: uriOf(path), mimeType: 'text/markdown', size: 5, description: 'a read-only file' },
  ]);
});
