import { chmodSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { clientOf, type Pair, pairs } from './pair.ts';

const served = new Served();
const pair = pairs();

/** The served repository moved into the root, beside the other. */
function inside(): Pair & { near: string } {
  const here = pair();
  const near = join(here.root, 'near.git');
  here.git(here.root, 'clone', '-q', '--bare', here.bare, near);
  return { ...here, near };
}

const hooks = ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction'];

test('a folder in the roots is cloned, fetched from and pushed to', async () => {
  const here = inside();
  const client = await clientOf(served, here, '../near.git', { root: here.root });
  const repo_path = here.work;
  const two = here.commitHere('two');
  const pushed = await call(client, 'git_push', { repo_path });
  expect([pushed.code, pushed.facts.verified]).toEqual([undefined, true]);
  expect(here.idOf(here.near, 'main')).toBe(two);
  const path = join(here.root, 'copy');
  const cloned = await call(client, 'git_clone', { url: here.near, path });
  expect(cloned.facts).toEqual({
    repository: path,
    url: `file://${here.near}`,
    branch: 'main',
    commit: two,
    undo: 'delete the folder',
  });
  const three = here.commitHere('three');
  await call(client, 'git_push', { repo_path });
  const fetched = await call(client, 'git_fetch', { repo_path: path });
  expect(fetched.facts.moved).toEqual([{ ref: 'refs/remotes/origin/main', before: two, after: three }]);
});

test('nothing that the other repository has set up runs, and a push past its hooks is refused', async () => {
  const here = inside();
  const fired = join(here.folder, `fired-${here.near.length}`);
  const payload = here.write('payload', `#!/bin/sh\ntouch '${fired}'\n`, 0o755);
  for (const [key, value] of [
    ['core.fsmonitor', payload],
    ['uploadpack.packObjectsHook', payload],
    ['core.alternateRefsCommand', payload],
    ['core.sshCommand', payload],
    ['gc.auto', '1'],
  ])
    here.git(here.near, 'config', key!, value!);
  here.write(
    `${here.near.slice(here.folder.length + 1)}/objects/info/alternates`,
    `${here.work}/.git/objects\n`,
  );
  const client = await clientOf(served, here, here.near, { root: here.root });
  const repo_path = here.work;
  here.commitHere('two');
  expect((await call(client, 'git_fetch', { repo_path })).code).toBe(undefined);
  expect((await call(client, 'git_push', { repo_path })).code).toBe(undefined);
  mkdirSync(join(here.near, 'hooks'), { recursive: true });
  for (const hook of hooks) {
    here.write(`${here.near.slice(here.folder.length + 1)}/hooks/${hook}`, `#!/bin/sh\ntouch '${fired}'\n`);
    chmodSync(join(here.near, 'hooks', hook), 0o755);
  }
  here.commitHere('three');
  const refused = await call(client, 'git_push', { repo_path });
  expect([refused.code, refused.text]).toEqual(['unsupported', expect.stringContaining('hooks/pre-receive')]);
  expect((await call(client, 'git_fetch', { repo_path })).code).toBe(undefined);
  expect(existsSync(fired)).toBe(false);
  // plain git runs them
  here.git(here.work, 'push', '-q', here.near, 'main');
  expect(existsSync(fired)).toBe(true);
});

test('hooks of a trusted folder run', async () => {
  const here = inside();
  const fired = join(here.root, 'fired');
  here.write(
    `${here.near.slice(here.folder.length + 1)}/hooks/post-receive`,
    `#!/bin/sh\ntouch '${fired}'\n`,
    0o755,
  );
  const client = await clientOf(served, here, here.near, { root: here.root, extra: { trust: [here.near] } });
  here.commitHere('two');
  expect((await call(client, 'git_push', { repo_path: here.work })).code).toBe(undefined);
  expect(existsSync(fired)).toBe(true);
});

test('files that somebody works with are not pushed into, whatever their repository says', async () => {
  const here = inside();
  const other = join(here.root, 'other');
  here.git(here.root, 'clone', '-q', here.near, other);
  here.git(other, 'config', 'receive.denyCurrentBranch', 'updateInstead');
  const client = await clientOf(served, here, other, { root: here.root });
  here.commitHere('two');
  const { code, text } = await call(client, 'git_push', { repo_path: here.work });
  expect([code, text]).toEqual(['rejected', expect.stringContaining('branch is currently checked out')]);
});

test('a folder outside, a link to one, and one that is no top are not reached', async () => {
  const here = inside();
  symlinkSync(here.bare, join(here.root, 'link'));
  mkdirSync(join(here.work, 'inner'));
  const client = await clientOf(served, here, here.bare, { root: here.root });
  const repo_path = here.work;
  for (const remote of ['origin', here.bare, `file://${here.bare}`, '../link', './inner', '../gone']) {
    const { failed, code } = await call(client, 'git_fetch', { repo_path, remote });
    expect([failed, ['not-found', 'not-a-repository'].includes(code ?? '')], remote).toEqual([true, true]);
    const path = join(here.root, 'new');
    if (remote !== 'origin')
      expect((await call(client, 'git_clone', { url: remote, path })).failed).toBe(true);
    expect(existsSync(path)).toBe(false);
  }
});

test('a folder that may only be read is fetched from, and not pushed to', async () => {
  const here = inside();
  here.git(here.work, 'remote', 'set-url', 'origin', here.near);
  const client = await served.client([{ path: here.near, readOnly: true }, here.work], {
    extra: { 'allow-protocol': ['file'] },
  });
  here.commitHere('two');
  const repo_path = here.work;
  expect((await call(client, 'git_fetch', { repo_path })).code).toBe(undefined);
  expect((await call(client, 'git_push', { repo_path })).code).toBe('read-only');
  const url = here.work;
  expect((await call(client, 'git_clone', { url, path: join(here.near, 'new') })).code).toBe('read-only');
  expect((await call(client, 'git_fetch', { repo_path: here.near })).code).toBe('read-only');
});
