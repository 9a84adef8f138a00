import { existsSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { describe, expect, test, vi } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';
import { hook, type Made, made } from './repository.ts';

interface Facts {
  before?: string;
  after: string;
  undo?: string;
  subject: string;
  files: { path: string; change: string }[];
  total: number;
  left_staged?: number;
  concluded?: string;
  next?: string;
  signed?: boolean;
  signing?: string;
  hooks?: string;
  output?: string;
  message_changed?: boolean;
}

const served = new Served();

const messageAt = ({ git, folder }: Made) => {
  const bytes = git(folder, 'cat-file', 'commit', 'HEAD').toString();
  return bytes.slice(bytes.indexOf('\n\n') + 2);
};

describe.each(allRevisions)('git_commit at %s', (revision) => {
  test('commits what is staged, and only when something is', async () => {
    const { folder, git, write, oid } = made();
    write('a', 'two\n');
    const client = await served.client([folder], { revision });
    const args = { repo_path: folder, message: 'second' };
    const empty = await call(client, 'git_commit', args);
    expect([empty.failed, oid('HEAD^{/first}')]).toEqual([true, oid('HEAD')]);
    git(folder, 'add', 'a');
    const done = await call(client, 'git_commit', args);
    expect([done.failed, done.text]).toEqual([
      false,
      `[main ${oid('HEAD').slice(0, 12)}] second\n1 file changed\nM a`,
    ]);
    expect(git(folder, 'show', 'HEAD:a').toString()).toBe('two\n');
  });
});

test('a message is kept to the byte, with lines that begin with # and what only looks like a newline', async () => {
  const it = made();
  it.git(it.folder, 'config', 'i18n.commitEncoding', 'ISO-8859-1');
  it.git(it.folder, 'config', 'commit.cleanup', 'strip');
  const client = await served.client([it.folder]);
  const message = '  # not a comment  \n\n\n\nbody\\nstays \n# nor this\né\r\n';
  const { facts } = await call<Facts>(client, 'git_commit', { message, allow_empty: true });
  expect([messageAt(it), facts.message_changed]).toEqual([message, undefined]);
  await call(client, 'git_commit', { message: 'no newline', allow_empty: true });
  expect(messageAt(it)).toBe('no newline\n');
  expect((await call(client, 'git_commit', { message: ' \n', allow_empty: true })).code).toBe(
    'invalid-arguments',
  );
  expect((await call(client, 'git_commit', { allow_empty: true })).text).toContain('message is missing');
});

test('trailers go to the end of the message without what the configuration would run for them', async () => {
  const it = made();
  const marker = join(it.folder, 'marker');
  it.git(it.folder, 'config', 'trailer.key.command', `touch ${marker}; echo x`);
  const client = await served.client([it.folder]);
  const commit = (message: string, more = {}) =>
    call(client, 'git_commit', { message, allow_empty: true, trailers: ['Key: a', 'Other-Key: b'], ...more });
  await commit('subject: it');
  expect(messageAt(it)).toBe('subject: it\n\nKey: a\nOther-Key: b\n');
  await commit('subject\n\nRefs: 1\n', { signoff: true });
  expect(messageAt(it)).toBe(
    'subject\n\nRefs: 1\nKey: a\nOther-Key: b\nSigned-off-by: Ann Example <ann@example.org>\n',
  );
  expect((await commit('x', { trailers: ['Key: a\nb'] })).code).toBe('invalid-arguments');
  expect(existsSync(marker)).toBe(false);
});

test('author and date are as given, and what git would guess from is refused', async () => {
  const { folder, say } = made();
  const client = await served.client([folder]);
  const args = { message: 'x', allow_empty: true };
  const author = 'Zoë Ö <zoe@example.org>';
  await call(client, 'git_commit', { ...args, author, date: '2026-01-31T12:00:00+01:00' });
  expect(say('log', '-1', '--format=%an <%ae> %aI %cn')).toBe(
    `${author} 2026-01-31T12:00:00+01:00 Ann Example`,
  );
  for (const bad of [{ author: 'Ann' }, { author: '--amend' }, { date: 'soon' }])
    expect((await call(client, 'git_commit', { ...args, ...bad })).code).toBe('invalid-arguments');
});

test('paths are committed alone, all takes what is tracked, and what else is staged stays so', async () => {
  const { folder, git, write, status } = made();
  write('a', 'two\n');
  write('b', 'b\n');
  write('c', 'c\n');
  git(folder, 'add', 'b');
  const client = await served.client([folder]);
  const { facts } = await call<Facts>(client, 'git_commit', { message: 'a', paths: ['a'] });
  expect([facts.files.map(({ path }) => path), facts.left_staged]).toEqual([['a'], 1]);
  expect(status()).toEqual(['M  b', '?? c']);
  write('a', 'three\n');
  await call(client, 'git_commit', { message: 'all', all: true });
  expect(status()).toEqual(['?? c']);
  expect((await call(client, 'git_commit', { message: 'c', paths: ['c'] })).code).toBe('nothing-to-commit');
});

test('paths that no command line holds are committed alone too, with their message', async () => {
  const it = made();
  const name = Buffer.concat([Buffer.from(`${it.folder}/`), Buffer.from('caf\xe9', 'latin1')]);
  writeFileSync(name, 'x');
  it.git(it.folder, 'add', '.');
  it.write('a', 'two\n');
  it.git(it.folder, 'add', 'a');
  const client = await served.client([it.folder]);
  await call(client, 'git_commit', { message: '# é\n\nbody', paths: ['"caf\\351"'] });
  expect([messageAt(it), it.status()]).toEqual(['# é\n\nbody\n', ['M  a']]);
});

test('a commit is amended and taken back by its undo, and the first one has none', async () => {
  const { folder, write, oid, say, status } = made({ unborn: true });
  write('a', '');
  const client = await served.client([folder]);
  await call(client, 'git_add', { files: ['a'] });
  const first = await call<Facts>(client, 'git_commit', { message: 'first' });
  expect([first.facts.before, first.facts.undo]).toEqual([undefined, undefined]);
  write('a', 'more\n');
  await call(client, 'git_add', { files: ['a'] });
  const { facts } = await call<Facts>(client, 'git_commit', { amend: true });
  expect([facts.subject, say('rev-list', '--count', 'HEAD')]).toEqual(['first', '1']);
  expect(facts.undo).toBe(`git_reset with mode "soft" and revision "${first.facts.after}"`);
  await call(client, 'git_reset', { mode: 'soft', revision: first.facts.after });
  expect([oid('HEAD'), status()]).toEqual([first.facts.after, ['M  a']]);
  await call(client, 'git_commit', { amend: true, message: 'other', trailers: ['Key: a'] });
  expect(say('log', '-1', '--format=%B')).toBe('other\n\nKey: a');
});

test('a stale expected_head, a read-only root and a bare repository commit nothing', async () => {
  const { folder, git, oid } = made();
  const client = await served.client([folder]);
  const args = { message: 'x', allow_empty: true };
  const old = oid('HEAD');
  await call(client, 'git_commit', { ...args, expected_head: old });
  expect((await call(client, 'git_commit', { ...args, expected_head: old })).code).toBe('moved');
  const closed = await served.client([{ path: folder, readOnly: true }]);
  expect((await call(closed, 'git_commit', args)).code).toBe('read-only');
  git(folder, 'clone', '-q', '--bare', '.', 'bare.git');
  const bare = await call(client, 'git_commit', { ...args, repo_path: join(folder, 'bare.git') });
  expect(bare.code).toBe('unsupported');
  expect(git(folder, 'rev-list', '--count', 'HEAD').toString()).toBe('2\n');
});

/** Two branches that changed the same line, and an operation that stopped over it. */
function conflicted(...operation: string[]): Made {
  const it = made();
  it.git(it.folder, 'checkout', '-qb', 'other');
  it.write('a', 'theirs\n');
  it.git(it.folder, 'commit', '-qam', 'theirs', '--author=Bob <bob@example.org>');
  it.git(it.folder, 'checkout', '-q', 'main');
  it.write('a', 'ours\n');
  it.git(it.folder, 'commit', '-qam', 'ours');
  it.git(it.folder, ...operation, { okay: [1] });
  return it;
}

test('a merge is committed with both parents and the message that git proposes, once its conflicts are resolved', async () => {
  const it = conflicted('merge', 'other');
  const client = await served.client([it.folder]);
  expect((await call(client, 'git_commit', { message: 'x', all: true })).code).toBe('conflict');
  it.write('a', 'both\n');
  it.git(it.folder, 'add', 'a');
  expect((await call(client, 'git_commit', { paths: ['a'] })).code).toBe('invalid-arguments');
  const { facts } = await call<Facts>(client, 'git_commit', {});
  expect([facts.concluded, facts.subject]).toEqual(['merge', "Merge branch 'other'"]);
  expect(it.say('log', '-1', '--format=%P%n%b')).toBe(`${it.oid('HEAD^1')} ${it.oid('other')}`);
  expect(existsSync(join(it.folder, '.git', 'MERGE_HEAD'))).toBe(false);
});

test('a cherry-pick keeps its author, and the step of a rebase is left to git_continue', async () => {
  const picked = conflicted('cherry-pick', 'other');
  picked.write('a', 'both\n');
  picked.git(picked.folder, 'add', 'a');
  const client = await served.client([picked.folder]);
  const { facts } = await call<Facts>(client, 'git_commit', { message: 'picked' });
  expect([facts.concluded, picked.say('log', '-1', '--format=%an %s')]).toEqual([
    'cherry-pick',
    'Bob picked',
  ]);
  const rebasing = conflicted('rebase', 'other');
  rebasing.write('a', 'both\n');
  rebasing.git(rebasing.folder, 'add', 'a');
  const refused = await call(await served.client([rebasing.folder]), 'git_commit', { message: 'x' });
  expect([refused.code, refused.text]).toEqual(['in-progress', expect.stringContaining('git_continue')]);
});

test('hooks run only where the repository is trusted, and what they say is told', async () => {
  const it = made();
  hook(it, 'pre-commit', 'echo checking', 'test ! -e refuse');
  hook(it, 'commit-msg', 'echo "by hook" >> "$1"');
  const plain = await served.client([it.folder]);
  const args = { message: 'x', allow_empty: true };
  const untrusted = await call<Facts>(plain, 'git_commit', args);
  expect([untrusted.facts.hooks, untrusted.facts.output]).toEqual([
    'off: not trusted (commit-msg, pre-commit)',
    undefined,
  ]);
  const trusted = await served.client([it.folder], { extra: { trust: [it.folder] } });
  const { facts } = await call<Facts>(trusted, 'git_commit', args);
  expect([facts.hooks, facts.output, facts.message_changed]).toEqual(['on', 'checking', true]);
  expect(messageAt(it)).toBe('x\nby hook\n');
  it.write('refuse', '');
  const before = it.oid('HEAD');
  const refused = await call(trusted, 'git_commit', args);
  expect([refused.code, refused.text]).toEqual(['hook-rejected', expect.stringContaining('checking')]);
  expect(it.oid('HEAD')).toBe(before);
  const skipped = await call<Facts>(trusted, 'git_commit', { ...args, no_verify: true });
  expect(skipped.facts.hooks).toBe('on, but pre-commit and commit-msg were left out');
  expect(messageAt(it)).toBe('x\n');
});

test('signing that is set up and off is told, and asked for it fails loudly without a key', async () => {
  const { folder, git, oid } = made();
  git(folder, 'config', 'commit.gpgSign', 'true');
  git(folder, 'config', 'gpg.format', 'ssh');
  const client = await served.client([folder]);
  const { facts } = await call<Facts>(client, 'git_commit', { message: 'x', allow_empty: true });
  expect([facts.signed, facts.signing]).toEqual([false, expect.stringContaining('untrusted')]);
  const before = oid('HEAD');
  const asked = await call(client, 'git_commit', { message: 'x', allow_empty: true, sign: true });
  expect([asked.code, oid('HEAD')]).toEqual(['not-signed', before]);
});

test('a commit without an identity says what to set', async () => {
  const { folder, git } = made();
  git(folder, 'config', '--unset', 'user.name');
  git(folder, 'config', '--unset', 'user.email');
  git(folder, 'config', 'user.useConfigOnly', 'true');
  vi.stubEnv('GIT_CONFIG_GLOBAL', devNull);
  const client = await served.client([folder]);
  const { code, text } = await call(client, 'git_commit', { message: 'x', allow_empty: true });
  vi.unstubAllEnvs();
  expect([code, text]).toEqual(['no-identity', expect.stringContaining('user.email')]);
});

test('a linked worktree is committed to where its HEAD is detached, with names that are no UTF-8', async () => {
  const { folder, git, oid } = made({ init: ['--object-format=sha256'] });
  git(folder, 'worktree', 'add', '-q', '--detach', 'linked');
  const linked = join(folder, 'linked');
  const blob = git(linked, 'hash-object', '-w', '--stdin', { input: 'x' }).toString().trim();
  const entry = Buffer.concat([Buffer.from(`100644 ${blob}\tcaf`), Buffer.from([0xe9, 0])]);
  git(linked, 'update-index', '-z', '--index-info', { input: entry });
  const main = oid('main');
  const client = await served.client([folder]);
  const { facts, text } = await call<Facts>(client, 'git_commit', { repo_path: linked, message: 'é' });
  expect(facts.files).toEqual([{ path: '"caf\\351"', change: 'added' }]);
  expect(text.startsWith(`[detached HEAD ${facts.after.slice(0, 12)}] é`)).toBe(true);
  expect([oid('main'), git(linked, 'rev-parse', 'HEAD^').toString().trim()]).toEqual([main, main]);
});

test('a commit is cancelled with the hook that it waits for, and two at once follow each other', async () => {
  const it = made();
  const started = join(it.folder, 'started');
  hook(it, 'pre-commit', `test -e go && exit 0`, `touch ${started}`, 'sleep 600');
  const client = await served.client([it.folder], { extra: { trust: [it.folder] } });
  const before = it.oid('HEAD');
  const abort = new AbortController();
  const args = { message: 'x', allow_empty: true };
  const waiting = call(client, 'git_commit', args, { signal: abort.signal });
  await vi.waitUntil(() => existsSync(started), { timeout: 120_000 });
  abort.abort();
  await expect(waiting).rejects.toThrow();
  it.write('go', '');
  const both = await Promise.all([
    call<Facts>(client, 'git_commit', args),
    call<Facts>(client, 'git_commit', args),
  ]);
  expect(both.map(({ failed }) => failed)).toEqual([false, false]);
  expect(it.say('rev-list', '--count', `${before}..HEAD`)).toBe('2');
});

test('the model of the client writes a message that is missing', async () => {
  const { folder, git, write, say } = made();
  write('a', 'two\n');
  git(folder, 'add', 'a');
  const client = await served.client([folder], {
    sampling: () => ({ role: 'assistant', model: 'test', content: { type: 'text', text: 'Say two' } }),
  });
  const { failed } = await call(client, 'git_commit', {});
  expect([failed, say('log', '-1', '--format=%s')]).toEqual([false, 'Say two']);
});

test('the undo of a commit from the work tree leaves the index as it was, and is absent where nothing can', async () => {
  const repository = made();
  const { folder, git, write, status } = repository;
  const client = await served.client([folder]);
  const before = repository.oid('HEAD');
  const commit = async (args: Record<string, unknown>) =>
    (await call<Facts>(client, 'git_commit', { message: 'x', ...args })).facts.undo;
  write('a', 'two\n');
  expect(await commit({ all: true })).toBe(`git_reset with mode "mixed" and revision "${before}"`);
  await call(client, 'git_reset', { mode: 'mixed', revision: before });
  expect(status()).toEqual([' M a']);
  write('c', 'new\n');
  git(folder, 'add', 'c');
  expect(await commit({ paths: ['a'] })).toBe(
    `git_reset with mode "soft" and revision "${before}", then git_reset with paths ["a"]`,
  );
  await call(client, 'git_reset', { mode: 'soft', revision: before });
  await call(client, 'git_reset', { paths: ['a'] });
  expect(status()).toEqual([' M a', 'A  c']);
  git(folder, 'add', 'a');
  write('a', 'three\n');
  expect(await commit({ all: true })).toBeUndefined();
});

test('a subject is told in one line that no terminal obeys', async () => {
  const { folder } = made();
  const client = await served.client([folder]);
  const { text, facts } = await call<Facts>(client, 'git_commit', {
    message: 'x\u001b[31m\u202ey',
    allow_empty: true,
  });
  expect(text.split('\n')[0]).toMatch(/\] x\\u001b\[31m\\u202ey$/);
  expect(facts.subject).toBe('x\u001b[31m\u202ey');
});

test('what a hook says is told without credentials and without what a terminal obeys', async () => {
  const repository = made();
  const { folder, write } = repository;
  const saying = String.raw`printf 'to \033[31mhttps://me:secret@example.org/x\033[0m \a\n' >&2`;
  hook(repository, 'pre-commit', saying, '[ ! -e refuse ]');
  const client = await served.client([folder], { extra: { trust: [folder] } });
  write('a', 'two\n');
  const done = await call<Facts>(client, 'git_commit', { message: 'x', all: true });
  expect(done.facts.output).toBe(String.raw`to https://example.org/x \u0007`);
  write('refuse', '');
  write('a', 'three\n');
  const refused = await call(client, 'git_commit', { message: 'x', all: true });
  expect([refused.code, refused.text]).toEqual([
    'hook-rejected',
    expect.stringMatching(/\nto https:\/\/example\.org\/x \\u0007$/),
  ]);
  expect(refused.text).not.toContain('secret');
});

test('an amend that leaves nothing is reported as such where a hook is trusted', async () => {
  const it = made();
  it.git(it.folder, 'commit', '-q', '--allow-empty', '-m', 'empty');
  hook(it, 'pre-commit', 'true');
  const client = await served.client([it.folder], { extra: { trust: [it.folder] } });
  const { code, text } = await call(client, 'git_commit', { amend: true });
  expect([code, text]).toEqual(['git-failed', expect.stringContaining('would make')]);
});

test('an amended commit that is the same again, as within one second, is no other program at work', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init', '-q');
  write('a', 'one\n');
  git(folder, 'add', '.');
  const client = await served.client([folder]);
  const date = '2026-01-01T00:00:00Z';
  await call(client, 'git_commit', { message: 'one', date });
  for (let turn = 0; turn < 5; turn++) {
    const { failed, text } = await call(client, 'git_commit', { amend: true });
    expect(failed ? text : '').toBe('');
    expect(text).toMatch(/^\[main [0-9a-f]{12}\] one$/m);
  }
});
