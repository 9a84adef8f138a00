import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { toGitUri } from '../../src/call/git-uri.ts';
import { Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { inBothEras, Notified, repository, subscribed } from './notified.ts';

const served = new Served();
const head = { kind: 'ref', name: 'HEAD' } as const;

inBothEras((revision) => {
  test('a repository is told when it is removed, made again and committed to, and when a link leads to another', async () => {
    const { folder, top, run, commit, git } = repository();
    symlinkSync('repo', join(folder, 'link'));
    const client = await served.client([folder], { revision });
    const reported = await subscribed(client, top, head);
    const linked = await subscribed(client, join(folder, 'link'), head);
    await reported.of(() => rmSync(top, { recursive: true }));
    await reported.of(() => git(folder, 'init', '-q', 'repo'));
    await reported.of(commit);
    run('branch', '-m', 'trunk');
    git(folder, 'init', '-q', 'other');
    git(join(folder, 'other'), 'commit', '-q', '--allow-empty', '-m', 'in the other');
    await linked.of(() => {
      symlinkSync('other', join(folder, 'new'));
      renameSync(join(folder, 'new'), join(folder, 'link'));
    });
    await linked.of(() => git(join(folder, 'other'), 'switch', '-q', '-c', 'third'));
    expect(served.faults).toEqual([]);
  });

  test('what is outside, or leads outside, cannot be subscribed to', async () => {
    const { folder, top } = repository();
    const inside = join(folder, 'inside');
    mkdirSync(join(inside, 'leads'), { recursive: true });
    writeFileSync(join(inside, 'leads', '.git'), `gitdir: ${join(top, '.git')}\n`);
    const client = await served.client([inside], { revision });
    for (const uri of [
      toGitUri(top, head),
      toGitUri(join(inside, 'leads'), head),
      'git://?refs',
      'memo://a',
    ]) {
      await expect(
        client.subscribe(uri, () => {}),
        uri,
      ).rejects.toThrow();
    }
  });

  test('the list of resources is told after a repository came or went, not for another folder', async () => {
    const { folder, git } = repository();
    const client = await served.client([folder], { revision });
    const lists = new Notified();
    await client.subscribe({ resourcesListChanged: true }, lists.heard);
    await client.listResources();
    await lists.nothingOf(
      () => mkdirSync(join(folder, 'plain')),
      () => git(folder, 'init', '-q', 'second'),
    );
    await lists.of(() => rmSync(join(folder, 'second'), { recursive: true }));
    expect(served.faults).toEqual([]);
  });
});

inBothEras((revision) => {
  test('the list of resources is told after a listed ref came or went, not after commits, pack-refs and gc', async () => {
    const { folder, run, commit } = repository();
    run('branch', 'deep/er');
    const client = await served.client([folder], { revision });
    const lists = new Notified();
    await client.subscribe({ resourcesListChanged: true }, lists.heard);
    await client.listResources();
    await lists.of(() => run('branch', 'new'));
    await lists.of(() => run('tag', 'v1'));
    await lists.nothingOf(commit, () => run('branch', '-d', 'new'));
    await lists.nothingOf(
      () => run('pack-refs', '--all', '--prune'),
      () => run('tag', 'v2'),
    );
    await lists.nothingOf(
      () => run('gc', '-q'),
      () => run('branch', '-D', 'deep/er'),
    );
    // HEAD moves, and the list stays
    await lists.nothingOf(
      () => run('checkout', '-q', '--detach'),
      () => run('tag', '-d', 'v1'),
    );
    expect(served.faults).toEqual([]);
  });
});

test('where not all refs are listed, another one of them that gets listed is told', async () => {
  const { folder, run, git, top } = repository();
  const lines = Array.from({ length: 101 }, (_, index) => `create refs/heads/a${1000 + index} HEAD\n`);
  git(top, 'update-ref', '--stdin', { input: lines.join('') });
  const client = await served.client([folder]);
  const lists = new Notified();
  await client.subscribe({ resourcesListChanged: true }, lists.heard);
  await client.listResources();
  // main is listed for HEAD alone, and z not at all
  await lists.nothingOf(
    () => run('branch', 'z'),
    () => run('symbolic-ref', 'HEAD', 'refs/heads/z'),
  );
  await lists.of(() => run('branch', '-D', 'a1000'));
  expect(served.faults).toEqual([]);
});

if (full)
  test('no more than 500 things are watched', async () => {
    const { folder, top, commit } = repository();
    const client = await served.client([folder]);
    const uris = Array.from({ length: 500 }, (_, index) =>
      toGitUri(top, { kind: 'ref', name: `refs/heads/${index}` }),
    );
    const all = await client.subscribe({ resourceSubscriptions: uris }, () => {});
    await expect(subscribed(client, top, head)).rejects.toThrow();
    await all.close();
    const last = await subscribed(client, top, head);
    await last.of(commit);
  });

test('nothing more is told of a repository that the client roots no longer hold', async () => {
  const { folder, top, commit, git } = repository();
  git(folder, 'init', '-q', 'other');
  const uriOf = (path: string) => ({ uri: pathToFileURL(path).href });
  let offered = [uriOf(folder)];
  const client = await served.client([folder], { revision: '2025-11-25', offers: () => offered });
  const reported = await subscribed(client, top, head);
  const kept = await subscribed(client, join(folder, 'other'), head);
  const lists = new Notified();
  await client.subscribe({ resourcesListChanged: true }, lists.heard);
  await lists.of(() => {
    offered = [uriOf(join(folder, 'other'))];
    client.rootsChanged();
  });
  // a subscription is answered after the others have been looked at again
  await subscribed(client, join(folder, 'other'), { kind: 'refs' });
  commit();
  await kept.of(() => git(join(folder, 'other'), 'commit', '-q', '--allow-empty', '-m', 'first'));
  expect(reported.seen).toEqual([]);
});

test('a status of more files than are watched is told all the same', async () => {
  const { folder, write } = scratch();
  const { git } = scratch();
  git(folder, 'init', '-q', 'large');
  for (let index = 0; index < 51; index++)
    for (let file = 0; file < 100; file++) write(`large/${index}/${file}`, '');
  const client = await served.client([folder]);
  const status = await subscribed(client, join(folder, 'large'), { kind: 'status' });
  await status.of(() => write('large/last', 'new'));
  expect(served.faults).toEqual([]);
});
