import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../../src/run/command.ts';
import { pushSpec, refName, toUrl } from '../../src/run/operand.ts';
import { run } from '../../src/run/run.ts';
import { addSettings, settings } from '../../src/run/settings.ts';
import { call, Served } from '../harness.ts';
import { witness } from '../run/fake.ts';
import { cleanGit, placeOf } from '../scratch.ts';
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

const hooks = ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction', 'pre-push'];

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

/** Everything by which a repository could run something where another speaks with it. */
function arm(here: Pair & { near: string }, payload: string): void {
  for (const [key, value] of [
    ['core.fsmonitor', payload],
    ['uploadpack.packObjectsHook', payload],
    ['core.alternateRefsCommand', payload],
    ['core.sshCommand', payload],
    ['gc.auto', '1'],
  ])
    here.git(here.near, 'config', key!, value!);
  writeFileSync(join(here.near, 'objects/info/alternates'), `${here.work}/.git/objects\n`);
}

/** Hooks of one text, and among them one that is for this side. */
function plant(folder: string, lines: string): void {
  mkdirSync(folder, { recursive: true });
  for (const hook of hooks) writeFileSync(join(folder, hook), `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
}

test('nothing that the other repository has set up runs, and a push past its hooks is refused', async () => {
  const here = inside();
  const fired = join(here.root, 'fired');
  // what reads its stdin would wait for ever, as git gives some of them the connection itself
  arm(here, here.write('payload', `#!/bin/sh\ntouch '${fired}'\ncat\n`, 0o755));
  const client = await clientOf(served, here, here.near, { root: here.root });
  const repo_path = here.work;
  here.commitHere('two');
  expect((await call(client, 'git_fetch', { repo_path })).code).toBe(undefined);
  expect((await call(client, 'git_push', { repo_path })).code).toBe(undefined);
  here.commitHere('three');
  const outside = join(here.folder, `hooks-${basename(dirname(here.root))}`);
  for (const folder of [join(here.near, 'hooks'), join(here.near, 'other'), outside]) {
    plant(folder, `touch '${fired}'`);
    here.git(here.near, 'config', 'core.hooksPath', folder);
    const refused = await call(client, 'git_push', { repo_path });
    const named = folder === outside ? 'core.hookspath' : 'hooks/pre-receive';
    expect([refused.code, refused.text], folder).toEqual(['unsupported', expect.stringContaining(named)]);
    expect((await call(client, 'git_fetch', { repo_path })).code).toBe(undefined);
  }
  expect(existsSync(fired)).toBe(false);
});

test.each(['a hook', 'core.alternateRefsCommand'])(
  'the program over there is given the settings that keep %s from running, and ran it without',
  async (what) => {
    const here = inside();
    const fired = join(here.root, 'fired');
    if (what === 'a hook') plant(join(here.near, 'hooks'), `touch '${fired}'`);
    else arm(here, here.write('payload', `#!/bin/sh\ntouch '${fired}'\n`, 0o755));
    const main = refName('refs/heads/main');
    const push = (side: string | undefined, destination: string) =>
      run(
        cleanGit(),
        command('push', {
          options: { '--receive-pack': side },
          names: [toUrl(`file://${here.near}`), pushSpec(main, refName(`refs/heads/${destination}`))],
        }),
        { place: placeOf(here.work), environment: { GIT_ALLOW_PROTOCOL: 'file' } },
      );
    // as it is where somebody plants it after the audit
    const given: Record<string, string> = {};
    addSettings(given, settings);
    const assigned = Object.entries(given).map(([name, value]) => `${name}='${value}' `);
    await push(`${assigned.join('')}git-receive-pack`, 'one');
    expect(existsSync(fired)).toBe(false);
    await push(undefined, 'two');
    expect(existsSync(fired)).toBe(true);
  },
);

test('hooks of a trusted folder run there with what git gives them to read, and on this side none of them', async () => {
  const here = inside();
  const fired = join(here.root, 'fired');
  plant(join(here.near, 'hooks'), `cat >> '${fired}'; echo "$(basename "$0")" >> '${fired}'`);
  const client = await clientOf(served, here, here.near, { root: here.root, extra: { trust: [here.near] } });
  const [one, two] = [here.idOf(here.work, 'HEAD'), here.commitHere('two')];
  expect((await call(client, 'git_push', { repo_path: here.work })).code).toBe(undefined);
  const lines = readFileSync(fired, 'utf8').split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([`${one} ${two} refs/heads/main`, 'pre-receive', 'post-receive', 'update']),
  );
  expect(lines).not.toContain('pre-push');
});

test.each(['is cancelled', 'says nothing for too long'])(
  'a push to a trusted folder whose hook never ends, and that %s, takes the hook with it',
  async (how) => {
    const here = inside();
    const { hello, begun, gone } = witness(here.root);
    mkdirSync(join(here.near, 'hooks'), { recursive: true });
    const lines = `#!/bin/sh\n${hello}\nsh -c 'sleep 1000; :' &\ncat\nsleep 1000\n`;
    writeFileSync(join(here.near, 'hooks/pre-receive'), lines, { mode: 0o755 });
    const client = await clientOf(served, here, here.near, {
      root: here.root,
      extra: { trust: [here.near] },
      ...(how !== 'is cancelled' && { transferLimits: { idle: 1000 } }),
    });
    const [one] = [here.idOf(here.near, 'main'), here.commitHere('two')];
    const cancelling = new AbortController();
    const calling = call(client, 'git_push', { repo_path: here.work }, { signal: cancelling.signal });
    const outcome =
      how === 'is cancelled'
        ? expect(calling).rejects.toThrow()
        : expect(calling).resolves.toMatchObject({ code: 'timeout' });
    await begun;
    if (how === 'is cancelled') cancelling.abort();
    await outcome;
    await gone;
    expect(here.idOf(here.near, 'main')).toBe(one);
  },
);

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
