import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

afterEach(() => void vi.unstubAllEnvs());

interface Site extends Scratch {
  readonly path: string;
  readonly keys: string;
  readonly client: Client;
  /** Sets a key of the operator's configuration. */
  set(key: string, value: string): void;
  say(...args: string[]): string;
}

/** A repository with a commit, and an operator with SSH keys who signs by them. */
async function site(trust = false): Promise<Site> {
  const made = scratch();
  const { folder, git, write } = made;
  const [path, keys] = [join(folder, 'repository'), join(folder, 'keys')];
  mkdirSync(keys);
  git(folder, 'init', '-q', '--template=', path);
  write('repository/a', 'one\n');
  git(path, 'add', '.');
  git(path, 'commit', '-qm', 'one');
  git(path, 'branch', 'side');
  const key = (name: string, passphrase: string) =>
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', passphrase, '-C', name, '-f', join(keys, name)]);
  key('good', '');
  key('locked', 'secret');
  writeFileSync(join(keys, 'empty'), '');
  writeFileSync(join(keys, 'garbage'), 'no key\n');
  const config = join(folder, 'gitconfig');
  const set = (name: string, value: string) => void git(folder, 'config', '-f', config, name, value);
  for (const [name, value] of [
    ['user.name', 'Ann Example'],
    ['user.email', 'ann@example.org'],
    ['gpg.format', 'ssh'],
    ['gpg.ssh.allowedSignersFile', join(keys, 'allowed')],
  ] as const)
    set(name, value);
  const known = execFileSync('cat', [join(keys, 'good.pub')]).toString();
  writeFileSync(join(keys, 'allowed'), `ann@example.org ${known}`);
  vi.stubEnv('GIT_CONFIG_GLOBAL', config);
  vi.stubEnv('SSH_AUTH_SOCK', '');
  const client = await served.client([path], trust ? { extra: { trust: [path] } } : {});
  const say = (...args: string[]) =>
    git(path, ...args, { environment: { GIT_CONFIG_GLOBAL: config } })
      .toString()
      .trim();
  return { ...made, ...{ path, keys, client, set, say } };
}

const commit = { message: 'x', allow_empty: true, sign: true };
const tag = { tag_name: 'v1', message: 'x', sign: true };

describe.each([false, true])('with an SSH key, in a repository of which trust is %s', (trust) => {
  test.each<[string, (keys: string) => string]>([
    ['the private key', (keys) => join(keys, 'good')],
    ['the public key', (keys) => join(keys, 'good.pub')],
  ])('commits and tags are signed by %s, and git verifies them', async (_, named) => {
    const { client, keys, set, say, path } = await site(trust);
    set('user.signingKey', named(keys));
    const made = await call(client, 'git_commit', commit);
    expect([made.failed, made.facts.signed]).toEqual([false, true]);
    const tagged = await call(client, 'git_tag', tag);
    expect([tagged.failed, tagged.facts.signed]).toEqual([false, true]);
    for (const verify of ['verify-commit', 'verify-tag'])
      expect(say(verify, '--raw', verify === 'verify-tag' ? 'v1' : 'HEAD')).toBe('');
    expect(say('log', '-1', '--format=%G?')).toBe('G');
    set('commit.gpgSign', 'true');
    writeFileSync(join(path, 'b'), 'b\n');
    say('add', 'b');
    expect((await call(client, 'git_commit', { message: 'by configuration' })).facts.signed).toBe(true);
    expect(say('log', '-1', '--format=%G? %s')).toBe('G by configuration');
  });

  const failing: readonly [string, (keys: string) => string, RegExp, RegExp][] = [
    ['is missing', (keys) => join(keys, 'none'), /keys\/none/, /user\.signingKey/],
    ['is empty', (keys) => join(keys, 'empty'), /keys\/empty/, /user\.signingKey/],
    ['is no key', (keys) => join(keys, 'garbage'), /keys\/garbage/, /user\.signingKey/],
    ['is a folder', (keys) => keys, /\/keys\b/, /user\.signingKey/],
    ['is locked', (keys) => join(keys, 'locked'), /keys\/locked/, /ssh-add/],
    ['is the public half of a locked one', (keys) => join(keys, 'locked.pub'), /keys\/locked/, /ssh-add/],
    ['has no private half here', (keys) => join(keys, 'half.pub'), /keys\/half/, /ssh-add/],
    ['may be read by others', (keys) => join(keys, 'open'), /keys\/open/, /chmod 600/],
    ['is written out, and no agent has it', () => 'key::ssh-ed25519 KNOWN', /user\.signingKey/, /ssh-add/],
    ['is not named', () => '', /user\.signingKey/, /user\.signingKey/],
  ];

  test.each(failing)(
    'nothing is made where the key %s, and the file and the way are named',
    async (_, named, file, way) => {
      const { client, keys, set, say } = await site(trust);
      const known = execFileSync('cut', ['-d', ' ', '-f2', join(keys, 'locked.pub')])
        .toString()
        .trim();
      execFileSync('cp', [join(keys, 'locked.pub'), join(keys, 'half.pub')]);
      execFileSync('cp', [join(keys, 'good'), join(keys, 'open')]);
      chmodSync(join(keys, 'open'), 0o644);
      set('user.signingKey', named(keys).replace('KNOWN', known));
      const head = say('rev-parse', 'HEAD');
      const made = await call(client, 'git_commit', commit);
      const tagged = await call(client, 'git_tag', tag);
      for (const { code, text } of [made, tagged]) {
        expect([code, text]).toEqual(['not-signed', expect.stringMatching(file)]);
        expect(text).toMatch(way);
        expect(text).toContain('sign: false');
      }
      expect([say('rev-parse', 'HEAD'), say('tag')]).toEqual([head, '']);
    },
  );

  test('the program that signs is named where it is missing', async () => {
    const { client, keys, set, say } = await site(trust);
    set('user.signingKey', join(keys, 'good'));
    set('gpg.ssh.program', '/nowhere/ssh-keygen');
    for (const [tool, args] of [
      ['git_commit', commit],
      ['git_tag', tag],
    ] as const) {
      const { code, text } = await call(client, tool, args);
      expect([code, text]).toEqual(['not-signed', expect.stringContaining('/nowhere/ssh-keygen')]);
    }
    expect(say('tag')).toBe('');
  });

  test('a tag that was there stays what it was where the new one cannot be signed', async () => {
    const { client, keys, set, say } = await site(trust);
    say('tag', '-a', '-m', 'first', 'v1');
    const before = say('rev-parse', 'v1');
    set('user.signingKey', join(keys, 'none'));
    const { code } = await call(client, 'git_tag', { ...tag, force: true });
    expect([code, say('rev-parse', 'v1')]).toEqual(['not-signed', before]);
  });

  test('a merge, a rebase, a cherry-pick and a revert say the same', async () => {
    for (const [tool, args] of [
      ['git_merge', { revisions: ['side'] }],
      ['git_rebase', { upstream: 'side' }],
      ['git_cherry_pick', { commits: ['side'] }],
      ['git_revert', { commits: ['HEAD'] }],
    ] as const) {
      const { client, keys, set, say, write } = await site(trust);
      say('switch', '-q', 'side');
      write('repository/side', 'side\n');
      say('add', '.');
      say('commit', '-qm', 'side');
      say('switch', '-q', 'main');
      write('repository/main', 'main\n');
      say('add', '.');
      say('commit', '-qm', 'main');
      set('user.signingKey', join(keys, 'locked'));
      set('commit.gpgSign', 'true');
      const { text } = await call(client, tool, args);
      expect([tool, text]).toEqual([tool, expect.stringMatching(/keys\/locked.*ssh-add/s)]);
    }
  });
});

test('a program that signs nothing and says that it did leaves no commit and no tag', async () => {
  const { client, keys, set, say, write } = await site();
  const program = write(
    'signs-nothing',
    '#!/bin/sh\ncat >/dev/null\necho "[GNUPG:] SIG_CREATED " >&2\n',
    0o755,
  );
  set('gpg.format', 'openpgp');
  set('gpg.program', program);
  const head = say('rev-parse', 'HEAD');
  for (const [tool, args] of [
    ['git_commit', commit],
    ['git_tag', tag],
  ] as const)
    expect([tool, (await call(client, tool, args)).failed]).toEqual([tool, true]);
  expect([say('rev-parse', 'HEAD'), say('tag')]).toEqual([head, '']);
  rmSync(keys, { recursive: true });
});
