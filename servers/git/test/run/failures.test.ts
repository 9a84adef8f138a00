import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Command, command } from '../../src/run/command.ts';
import type { Oid } from '../../src/run/oid.ts';
import { pushSpec, refName, remoteName, toUrl } from '../../src/run/operand.ts';
import { redact } from '../../src/run/redact.ts';
import { type RunOptions, run } from '../../src/run/run.ts';
import { cleanGit, identity, placeOf, scratch } from '../scratch.ts';
import { fakeGit } from './fake.ts';

test('a status of 1 without a word is a failure, and words with a status of 0 are none', async () => {
  await expect(run(fakeGit('exit 1'), command('log'))).rejects.toMatchObject({
    code: 'git-failed',
    message: 'git log failed (status 1)',
  });
  const { status, stderr } = await run(fakeGit('echo "fatal: not at all" >&2'), command('log'));
  expect([status, stderr]).toEqual([0, 'fatal: not at all\n']);
});

test('a status that the caller expects is told, not thrown', async () => {
  expect(await run(fakeGit('exit 1'), command('grep'), { okay: [0, 1] })).toMatchObject({ status: 1 });
  await expect(run(fakeGit('exit 2'), command('grep'), { okay: [0, 1] })).rejects.toThrow('status 2');
});

test('a program that a signal ended has failed', async () => {
  await expect(run(fakeGit('kill -9 $$'), command('log'))).rejects.toThrow('status 137');
});

test('a git that is gone, or a folder that is, is a failure that can be read', async () => {
  const git = { ...fakeGit(''), path: '/nowhere/git' };
  await expect(run(git, command('log'))).rejects.toMatchObject({ code: 'git-failed', name: 'ToolError' });
  const place = { gitDir: '/nowhere/.git', workTree: '/nowhere' };
  await expect(run(fakeGit(''), command('log'), { place })).rejects.toMatchObject({ name: 'ToolError' });
});

test('input that nobody reads is no failure', async () => {
  const input = Buffer.alloc(10_000_000);
  expect(await run(fakeGit('exit 0'), command('apply', { input }))).toMatchObject({ status: 0 });
});

/** A repository with two branches that conflict, and what to ask of it. */
function history() {
  const scene = scratch();
  const { folder, git, write } = scene;
  const here = join(folder, 'here');
  git(folder, 'init', 'here');
  git(folder, 'init', '--bare', 'there');
  write('here/file', 'one\n');
  git(here, 'add', '.');
  git(here, 'commit', '-m', 'one');
  git(here, 'push', '../there', 'main');
  git(here, 'switch', '-c', 'other');
  write('here/file', 'other\n');
  git(here, 'commit', '-am', 'other');
  git(here, 'push', '../there', 'other:main');
  git(here, 'switch', 'main');
  write('here/file', 'two\n');
  git(here, 'commit', '-am', 'two');
  git(here, 'remote', 'add', 'origin', join(folder, 'there'));
  const oid = (revision: string) => git(here, 'rev-parse', revision).toString().trim() as Oid;
  const ask = (asked: Command, options: RunOptions = {}) =>
    run(cleanGit(), asked, {
      place: placeOf(here),
      ...options,
      environment: { ...identity, ...options.environment },
    });
  return { ...scene, here, oid, ask };
}

const local = { environment: { GIT_ALLOW_PROTOCOL: 'file:http' } } as const;

const cases: [code: string, (scene: ReturnType<typeof history>) => Promise<unknown>][] = [
  ['unknown-revision', ({ ask }) => ask(command('log', { revisions: ['1'.repeat(40) as Oid] }))],
  ['unknown-revision', ({ ask }) => ask(command('log', { revisions: [refName('none')] }))],
  ['unknown-path', ({ ask }) => ask(command('add', { paths: ['none'] }))],
  [
    'not-a-repository',
    ({ ask, here }) => ask(command('status'), { place: { gitDir: join(here, 'x'), workTree: here } }),
  ],
  [
    'locked',
    ({ ask, write }) => {
      write('here/.git/index.lock', '');
      return ask(command('add', { paths: ['file'] }));
    },
  ],
  ['conflict', ({ ask, oid }) => ask(command('merge', { flags: ['--no-edit'], revisions: [oid('other')] }))],
  ['conflict', ({ ask, oid }) => ask(command('cherry-pick', { revisions: [oid('other')] }))],
  ['conflict', ({ ask, oid }) => ask(command('rebase', { revisions: [oid('other')] }))],
  [
    'conflict',
    ({ ask }) =>
      ask(command('apply', { input: Buffer.from('--- a/file\n+++ b/file\n@@ -1 +1 @@\n-x\n+y\n') })),
  ],
  ['nothing-to-commit', ({ ask }) => ask(command('commit', { options: { '--message': 'x' } }))],
  [
    'local-changes',
    ({ ask, write }) => {
      write('here/file', 'unsaved\n');
      return ask(command('switch', { names: [refName('other')] }));
    },
  ],
  [
    'hook-rejected',
    ({ ask, write, here }) => {
      write('here/.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n', 0o755);
      const commit = command('commit', { flags: ['--allow-empty'], options: { '--message': 'x' } });
      const place = { gitDir: join(here, '.git'), workTree: here, byHand: here };
      return ask(commit, { place, hooks: ['pre-commit'] });
    },
  ],
  [
    'hook-rejected',
    ({ ask, oid, write }) => {
      write('there/hooks/pre-receive', '#!/bin/sh\necho no; exit 1\n', 0o755);
      const spec = pushSpec(oid('other~0'), refName('refs/heads/new'));
      return ask(command('push', { names: [remoteName('origin'), spec] }), local);
    },
  ],
  [
    'non-fast-forward',
    ({ ask, oid }) => {
      const spec = pushSpec(oid('main'), refName('refs/heads/main'));
      return ask(command('push', { names: [remoteName('origin'), spec] }), local);
    },
  ],
  [
    'non-fast-forward',
    ({ ask, oid }) => ask(command('merge', { flags: ['--ff-only'], revisions: [oid('other')] })),
  ],
  [
    'moved',
    ({ ask, oid }) =>
      ask({ ...command('version'), args: ['update-ref', 'refs/heads/main', oid('main~1'), oid('other')] }),
  ],
  ['unsupported', ({ ask }) => ask(command('ls-remote', { names: [remoteName('origin')] }))],
  ['network', ({ ask }) => ask(command('ls-remote', { names: [toUrl('http://127.0.0.1:1/x')] }), local)],
  [
    'not-a-repository',
    ({ ask, folder }) => ask(command('ls-remote', { names: [toUrl(`file://${folder}/none`)] }), local),
  ],
];

test.each(cases)('git itself is understood: %s', async (code, ask) => {
  const error = await ask(history()).then(
    () => undefined,
    (thrown: Error) => thrown,
  );
  expect(error).toMatchObject({ name: 'ToolError', code });
  expect(error!.message).not.toMatch(/\n|rootbound-git-/);
});

test.each([
  ['auth', "fatal: Authentication failed for 'https://ann:pw@example.org/x/'"],
  ['auth', "fatal: could not read Username for 'https://example.org': terminal prompts disabled"],
  ['auth', 'git@example.org: Permission denied (publickey).\nfatal: Could not read from remote repository.'],
  ['auth', "fatal: unable to access 'https://example.org/x/': The requested URL returned error: 403"],
  ['dubious-ownership', "fatal: detected dubious ownership in repository at '/srv/x'"],
  ['network', "fatal: unable to access 'https://e.x/': Could not resolve host: e.x"],
  ['network', 'fatal: early EOF\nfatal: fetch-pack: invalid index-pack output'],
  ['locked', "fatal: Unable to create '/srv/x/.git/index.lock': File exists."],
  ['unsupported', 'fatal: unknown repository extension found:\n\trefstorage'],
  ['git-failed', 'fatal: something new'],
])('%s is told from what git says: %s', async (code, printed) => {
  const git = fakeGit(`cat >&2 <<'END'\n${printed}\nEND\nexit 128`);
  const error = (await run(git, command('fetch')).catch((thrown: unknown) => thrown)) as Error;
  expect(error).toMatchObject({ code });
  expect(error.message).not.toMatch(/\/srv|ann:|pw@/);
});

test.each([
  ['https://ann:secret@example.org/x', 'https://example.org/x'],
  ['https://ghp_token@example.org/x', 'https://example.org/x'],
  ["'HTTPS://a:b%40c@d@example.org/x'", "'HTTPS://example.org/x'"],
  ['ssh://git:secret@example.org/x', 'ssh://git@example.org/x'],
  [
    '0mhttps://ann:secret@example.org/x 1mssh://git:secret@example.org',
    '0mhttps://example.org/x 1mssh://git@example.org',
  ],
  ['ssh://git@example.org/x git@example.org:x', 'ssh://git@example.org/x git@example.org:x'],
  ['Authorization: Basic YW5uOnB3 \nnext', 'Authorization: ***\nnext'],
  ['http.extraHeader=AUTHORIZATION: bearer abc', 'http.extraHeader=AUTHORIZATION: ***'],
  [
    'https://example.org/x?ref=main&access_token=abc&b=1',
    'https://example.org/x?ref=main&access_token=***&b=1',
  ],
  [`token ghp_${'a'.repeat(36)}.`, 'token ***.'],
  ['ann@example.org wrote https://example.org/a@b', 'ann@example.org wrote https://example.org/a@b'],
])('of %j only what is no secret is told', (text, reported) => {
  expect(redact(text)).toBe(reported);
});

test('credentials leave no run: not in what it returns, not in how it fails', async () => {
  const printed = 'echo "fatal: unable to access \'https://ann:secret@example.org/x\'" >&2';
  expect((await run(fakeGit(printed), command('fetch'))).stderr).not.toContain('secret');
  await expect(run(fakeGit(`${printed}; exit 1`), command('fetch'))).rejects.toThrow(
    "git fetch failed (unable to access 'https://example.org/x')",
  );
});
