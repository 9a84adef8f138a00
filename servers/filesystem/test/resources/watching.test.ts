import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RpcError } from '@rootbound/protocol/client';
import { describe, expect, test } from 'vitest';
import {
  Changes,
  call,
  inEveryRevision,
  newest,
  Scene,
  stateless,
  subscribed,
  withHandshake,
} from '../harness.ts';

const scene = new Scene();
const uriOf = (path: string): string => pathToFileURL(path).href;

inEveryRevision((revision) => {
  test('a file is notified after a write, an atomic replace, a deletion and a new creation', async () => {
    const path = scene.put('a.txt', 'one');
    const uri = uriOf(path);
    const { changes } = await subscribed(await scene.client({ revision }), uri);
    await changes.of(() => appendFileSync(path, ' and more'));
    await changes.of(() => {
      writeFileSync(scene.at('new'), 'two');
      renameSync(scene.at('new'), path);
    });
    await changes.of(() => rmSync(path));
    await changes.of(() => writeFileSync(path, 'three'));
    await changes.of(() => appendFileSync(path, ' and four'));
    expect(new Set(changes.seen.map((change) => JSON.stringify(change)))).toEqual(
      new Set([JSON.stringify({ kind: 'resource', uri })]),
    );
  });

  test('a file is notified when this server writes and edits it', async () => {
    scene.put('a.txt', 'one');
    const client = await scene.client({ revision });
    const { changes } = await subscribed(client, uriOf(scene.at('a.txt')));
    await changes.of(() => call(client, 'write_file', { path: 'a.txt', content: 'two' }));
    const edits = [{ oldText: 'two', newText: 'three' }];
    await changes.of(() => call(client, 'edit_file', { path: 'a.txt', edits }));
  });

  test('a directory is notified when an entry is created and deleted', async () => {
    mkdirSync(scene.at('dir'));
    const { changes } = await subscribed(await scene.client({ revision }), uriOf(scene.at('dir')));
    await changes.of(() => scene.put('dir/a.txt'));
    await changes.of(() => rmSync(scene.at('dir/a.txt')));
  });

  test('a missing path is notified when it is created, also below missing folders', async () => {
    const client = await scene.client({ revision });
    const { changes } = await subscribed(client, uriOf(scene.at('none/deeper/a.txt')));
    await changes.of(() => scene.put('none/deeper/a.txt', 'here'));
  });

  test('a new operator root is notified as a change of the resources', async () => {
    const late = join(scene.top, 'late');
    const client = await scene.client({ revision, roots: [{ path: late, readOnly: false }] });
    const changes = new Changes();
    await client.subscribe({ resourcesListChanged: true }, changes.heard);
    expect(await client.listResources()).toEqual([]);
    await changes.of(() => mkdirSync(late));
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual([uriOf(late)]);
  });

  test('nothing is notified after the subscription has ended', async () => {
    const client = await scene.client({ revision });
    const a = await subscribed(client, uriOf(scene.put('a.txt')));
    const b = await subscribed(client, uriOf(scene.put('b.txt')));
    await a.subscription.close();
    // the notification of the other file comes later than one of the first would
    writeFileSync(scene.at('a.txt'), 'changed');
    await b.changes.of(() => writeFileSync(scene.at('b.txt'), 'changed'));
    expect(a.changes.seen).toEqual([]);
  });

  test('the target of links is notified when a link changes to another folder, and at the new target afterwards', async () => {
    scene.put('releases/1/a.txt', 'one');
    scene.put('releases/2/a.txt', 'two');
    symlinkSync('releases/1', scene.at('data'));
    symlinkSync('data/a.txt', scene.at('a.txt'));
    const turn = (to: string): void => {
      symlinkSync(to, scene.at('new'));
      renameSync(scene.at('new'), scene.at('data'));
    };
    for (const name of ['data/a.txt', 'a.txt']) {
      const { changes, subscription } = await subscribed(
        await scene.client({ revision }),
        uriOf(scene.at(name)),
      );
      await changes.of(() => appendFileSync(scene.at('releases/1/a.txt'), ' more'));
      await changes.of(() => turn('releases/2'));
      await changes.of(() => appendFileSync(scene.at('releases/2/a.txt'), ' more'));
      await changes.of(() => turn('../outside'));
      await changes.of(() => turn('releases/1'));
      await changes.of(() => appendFileSync(scene.at('releases/1/a.txt'), ' more'));
      await subscription.close();
    }
    expect(scene.faults).toEqual([]);
  });

  test('a file is notified when its root is deleted, and when both are created again', async () => {
    const path = scene.put('a.txt', 'one');
    const { changes } = await subscribed(await scene.client({ revision }), uriOf(path));
    await changes.of(() => rmSync(scene.root, { recursive: true }));
    await changes.of(() => scene.put('a.txt', 'two'));
    await changes.of(() => appendFileSync(path, ' and more'));
  });

  test('a file or folder that is replaced by a link is notified at the target of the link', async () => {
    scene.put('other/a.txt', 'other');
    for (const [name, become] of [
      ['dir/a.txt', 'dir/a.txt'],
      ['dir/a.txt', 'dir'],
    ] as const) {
      scene.put(name, 'one');
      const { changes, subscription } = await subscribed(
        await scene.client({ revision }),
        uriOf(scene.at(name)),
      );
      await changes.of(() => {
        rmSync(scene.at(become), { recursive: true });
        symlinkSync(scene.at(become === 'dir' ? 'other' : 'other/a.txt'), scene.at(become));
      });
      await changes.of(() => appendFileSync(scene.at('other/a.txt'), ' more'));
      await subscription.close();
      rmSync(scene.at(become));
    }
    expect(scene.faults).toEqual([]);
  });

  test('a path outside the roots cannot be subscribed to', async () => {
    writeFileSync(join(scene.outside, 'a.txt'), 'outside');
    symlinkSync(join(scene.outside, 'a.txt'), scene.at('leak.txt'));
    const client = await scene.client({ revision });
    for (const uri of [
      uriOf(join(scene.outside, 'a.txt')),
      uriOf(scene.at('leak.txt')),
      'memo://a',
      'file:///',
    ]) {
      await expect(
        client.subscribe(uri, () => {}),
        uri,
      ).rejects.toThrow();
    }
  });
});

withHandshake((revision) => {
  test('a subscription to a path outside the roots is refused as not found, with the URI', async () => {
    const client = await scene.client({ revision });
    const uri = uriOf(join(scene.outside, 'a.txt'));
    const refused = await client.request('resources/subscribe', { uri }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RpcError);
    expect(refused).toMatchObject({ code: -32002, data: { uri } });
  });

  test('a URI that is subscribed to twice is notified once', async () => {
    const path = scene.put('a.txt', 'one');
    const updates: string[] = [];
    const client = await scene.client({
      revision,
      onNotification: (method) => method === 'notifications/resources/updated' && updates.push(method),
    });
    await client.request('resources/subscribe', { uri: uriOf(path) });
    const { changes } = await subscribed(client, uriOf(path));
    const other = await subscribed(client, uriOf(scene.put('b.txt')));
    await changes.of(() => renameSync(scene.put('new', 'two'), path));
    await other.changes.of(() => renameSync(scene.put('new', 'two'), scene.at('b.txt')));
    expect(changes.seen.length).toBe(updates.length - other.changes.seen.length);
  });

  test('a change of the client roots is notified as a change of the resources', async () => {
    mkdirSync(scene.at('one'));
    mkdirSync(scene.at('two'));
    let offered = [{ uri: uriOf(scene.at('one')) }];
    const client = await scene.client({ revision, offers: () => offered });
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual([uriOf(scene.at('one'))]);
    const changes = new Changes();
    await client.subscribe({ resourcesListChanged: true }, changes.heard);
    await changes.of(() => {
      offered = [{ uri: uriOf(scene.at('two')) }];
      client.rootsChanged();
    });
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual([uriOf(scene.at('two'))]);
  });

  test('a file that the client roots no longer contain is not notified', async () => {
    scene.put('one/a.txt');
    scene.put('two/b.txt');
    let offered = [{ uri: uriOf(scene.root) }];
    const client = await scene.client({ revision, offers: () => offered });
    const a = await subscribed(client, uriOf(scene.at('one/a.txt')));
    const b = await subscribed(client, uriOf(scene.at('two/b.txt')));
    const lists = new Changes();
    await client.subscribe({ resourcesListChanged: true }, lists.heard);
    await lists.of(() => {
      offered = [{ uri: uriOf(scene.at('two')) }];
      client.rootsChanged();
    });
    // a subscription is answered after the watches have been checked
    await subscribed(client, uriOf(scene.at('two')));
    writeFileSync(scene.at('one/a.txt'), 'changed');
    await b.changes.of(() => writeFileSync(scene.at('two/b.txt'), 'changed'));
    expect(a.changes.seen).toEqual([]);
  });
});

describe(`in ${newest}`, () => {
  test('the acknowledgement comes first and omits paths outside the roots', async () => {
    const inside = uriOf(scene.put('a.txt'));
    const missing = uriOf(scene.at('none.txt'));
    const wire = scene.wire();
    const id = wire.ask('subscriptions/listen', {
      notifications: {
        resourcesListChanged: true,
        toolsListChanged: true,
        resourceSubscriptions: [inside, uriOf(join(scene.outside, 'a.txt')), missing],
      },
      _meta: stateless(),
    });
    const first = await wire.until(() => true);
    expect(first).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: { resourcesListChanged: true, resourceSubscriptions: [inside, missing] },
        _meta: { 'io.modelcontextprotocol/subscriptionId': id },
      },
    });
    writeFileSync(scene.at('a.txt'), 'changed');
    const update = await wire.until(({ method }) => method === 'notifications/resources/updated');
    expect(update.params).toEqual({ uri: inside, _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
  });

  test('a cancelled stream gets no further notification, and the other one continues', async () => {
    const a = uriOf(scene.put('a.txt'));
    const b = uriOf(scene.put('b.txt'));
    const wire = scene.wire();
    const listen = (uri: string) =>
      wire.ask('subscriptions/listen', {
        notifications: { resourceSubscriptions: [uri] },
        _meta: stateless(),
      });
    const acknowledged = (id: number) =>
      wire.until(({ method, params }) => {
        const meta = params?._meta as Record<string, unknown> | undefined;
        return (
          method?.endsWith('acknowledged') === true && meta?.['io.modelcontextprotocol/subscriptionId'] === id
        );
      });
    const [first, second] = [listen(a), listen(b)];
    await acknowledged(first);
    await acknowledged(second);
    wire.say({ method: 'notifications/cancelled', params: { requestId: first } });
    await wire.request('resources/list', { _meta: stateless() });
    const { length } = wire.heard;
    writeFileSync(scene.at('a.txt'), 'changed');
    writeFileSync(scene.at('b.txt'), 'changed');
    await wire.until(({ params }) => params?.uri === b);
    expect(wire.heard.slice(length).filter(({ params }) => params?.uri === a)).toEqual([]);
  });
});
