import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { carry, isCarried } from '../../src/run/carry.ts';
import { command } from '../../src/run/command.ts';
import { refName, remoteName, toUrl } from '../../src/run/operand.ts';
import { run } from '../../src/run/run.ts';
import { cleanGit, placeOf, scratch } from '../scratch.ts';
import { busyFor, busyUntilDead, fakeGit, witness } from './fake.ts';

const branch = command('branch', { names: [refName('topic')] });
const operator = {
  HOME: '/home/ann',
  SSH_AUTH_SOCK: '/run/agent',
  GIT_DIR: '/evil',
  GIT_EXEC_PATH: '/evil',
  EDITOR: '/evil',
  PAGER: '/evil',
  SECRET_TOKEN: 'secret',
};

test('simple-git starts git with the arguments and the environment of every other run', async () => {
  const git = fakeGit('', operator);
  const { folder } = git;
  const options = {
    place: { gitDir: folder, workTree: undefined },
    config: [['filter.a=b.clean', '']] as const,
    environment: { GIT_AUTHOR_NAME: 'Ann' },
  };
  const tag = command('tag', {
    flags: ['--annotate', '--file=-'],
    names: [refName('v1')],
    input: Buffer.from('x'),
  });
  await run(git, tag, options);
  const [argv, variables] = [git.argv(), git.variables()];
  await carry(git, tag, options);
  expect(git.argv()).toEqual(argv);
  const { GIT_TEST_DISALLOW_ABBREVIATED_OPTIONS: added, ...rest } = git.variables();
  expect(added).toBe('true');
  expect(rest).toEqual(variables);
});

test('what is told over stdin arrives', async () => {
  const git = fakeGit('cat > "$(dirname "$0")/../stdin"');
  const input = Buffer.from('caf\xe9\0\n', 'latin1');
  await carry(git, command('tag', { flags: ['--file=-'], names: [refName('v1')], input }));
  expect(readFileSync(join(git.folder, 'stdin'))).toEqual(input);
});

test.each([
  ['exit 1', 'git branch failed (status 1)', 'git-failed'],
  ['echo "fatal: a branch named \'topic\' already exists" >&2; exit 128', 'already exists', 'exists'],
  ['echo https://ann:secret@example.org >&2; exit 3', 'https://example.org', 'git-failed'],
])('a status that is no success is a failure, with words or without: %s', async (lines, message, code) => {
  const failure = await carry(fakeGit(lines), branch).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'ToolError', code });
  expect((failure as Error).message).toContain(message);
  expect((failure as Error).message).not.toContain('secret');
});

test('words with a status of 0 are no failure', async () => {
  const { status, stderr, stdout } = await carry(fakeGit('echo out; echo "fatal: no" >&2'), branch);
  expect([status, stdout.toString(), stderr]).toEqual([0, 'out\n', 'fatal: no\n']);
});

test('a git that cannot be started, or that a signal ended, has failed', async () => {
  const git = fakeGit('kill -9 $$');
  await expect(carry(git, branch)).rejects.toMatchObject({ code: 'git-failed' });
  chmodSync(git.path, 0o644);
  await expect(carry(git, branch)).rejects.toThrow('did not start');
});

test('a cancel ends git', async () => {
  const { folder } = scratch();
  const { hello, begun, gone } = witness(folder);
  const controller = new AbortController();
  const carried = carry(fakeGit(`${hello}; exec sleep 600`), branch, { signal: controller.signal });
  await begun;
  controller.abort();
  await expect(carried).rejects.toMatchObject({ code: 'cancelled' });
  await gone;
  await expect(carry(fakeGit(''), branch, { signal: controller.signal })).rejects.toMatchObject({
    code: 'cancelled',
  });
});

test('the real git takes what simple-git carries', async () => {
  const { folder, git } = scratch();
  git(folder, 'init', '-q');
  git(folder, 'commit', '-qm', 'one', '--allow-empty');
  await carry(cleanGit(), branch, { place: placeOf(folder) });
  expect(git(folder, 'branch', '--list', 'topic').toString()).toBe('  topic\n');
});

test('what runs a hook, signs, or reaches a network is not for simple-git', () => {
  const off = { gitDir: '/repository/.git', workTree: '/repository' };
  const trusted = { ...off, byHand: '/repository' };
  const signed = command('tag', { flags: ['--sign'], names: [refName('v1')] });
  const names = [remoteName('origin'), toUrl('https://example.org/x')];
  expect(isCarried(branch, off)).toBe(true);
  expect(isCarried(command('remote add', { names }), off)).toBe(true);
  expect(isCarried(branch, trusted)).toBe(false);
  expect(isCarried(signed, off)).toBe(false);
  for (const verb of ['commit', 'fetch', 'push', 'merge', 'stash push', 'log'] as const) {
    expect(isCarried(command(verb), off)).toBe(false);
  }
});

// who is dead and not waited for yet is read from /proc
test.runIf(existsSync('/proc/self/stat'))(
  'why git failed is read, though the server was busy from its end on',
  async () => {
    const { folder } = scratch();
    const { hello, begun } = witness(folder);
    const go = join(folder, 'go');
    const why = "fatal: a branch named 'topic' already exists";
    const failing = fakeGit(
      `echo words >&2\n${hello}\nuntil [ -e '${go}' ]; do sleep 0.01; done\necho "${why}" >&2; exit 128`,
    );
    const failure = carry(failing, branch).catch((error: unknown) => error);
    await begun;
    await new Promise(setImmediate);
    const other = fakeGit('echo');
    const running = run(other, command('version'), {
      // the end of the one that fails is told with that of this one, before its words have come
      onStdout: () => {
        writeFileSync(go, '');
        busyUntilDead(failing);
        setImmediate(busyFor, 120);
      },
    });
    busyUntilDead(other);
    await running;
    expect(await failure).toMatchObject({ code: 'exists' });
  },
);
