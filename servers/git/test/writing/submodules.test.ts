import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRevisions } from '@rootbound/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { call, Served, type Setting } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const { folder, git, write } = scratch();
const tool = 'git_update_submodules';
const root = join(folder, 'root');
/** where the submodules come from */
const inner = join(root, 'inner');
const file: Setting = { extra: { 'allow-protocol': ['file'] } };
/** what is recorded of them: the second commit there */
let commit = '';

interface Made {
  /** a clone of a repository with the submodules `one` and `two` */
  readonly top: string;
  /** `git submodule status`, without what it says of branches and tags */
  readonly status: () => string[];
}

const idOf = (path: string, revision: string): string => git(path, 'rev-parse', revision).toString().trim();

/** A clone of its own, in which all submodules are checked out, or none. */
function made(name: string, kind: 'empty' | 'full' = 'empty'): Made {
  const top = join(root, name);
  cpSync(join(root, kind), top, { recursive: true });
  const status = () =>
    git(top, 'submodule', 'status', '--recursive')
      .toString()
      .split('\n')
      .flatMap((line) => (line === '' ? [] : line.replace(/ \(.*\)$/, '')));
  return { top, status };
}

beforeAll(() => {
  const origin = join(root, 'origin');
  for (const each of [inner, origin]) git(folder, 'init', '-q', each);
  write('root/inner/.gitignore', '*.log\n');
  for (const text of ['one\n', 'two\n']) {
    write('root/inner/größe', text);
    git(inner, 'add', '.');
    git(inner, 'commit', '-qm', text);
  }
  commit = idOf(inner, 'main');
  for (const name of ['one', 'two']) git(origin, 'submodule', '--quiet', 'add', '../inner', name);
  git(origin, 'commit', '-qm', 'with submodules');
  git(root, 'clone', '-q', origin, 'empty');
  git(root, 'clone', '-q', '--recurse-submodules', origin, 'full');
});

describe.each(allRevisions)('git_update_submodules at %s', (revision) => {
  test('initialises submodules and checks out what is recorded', async () => {
    const { top, status } = made(`updated-${revision}`);
    const client = await served.client([root], { ...file, revision });
    const args = { repo_path: top, action: 'update', init: true, paths: ['one'] };
    const { text } = await call(client, tool, args);
    expect(text).toBe(`one: new -> ${commit.slice(0, 12)} (file://${inner})`);
    expect(status()).toEqual([` ${commit} one`, `-${commit} two`]);
    expect(readFileSync(join(top, 'one', 'größe'), 'utf8')).toBe('two\n');
  });
});

test('an update leaves what plain git leaves, and deinit and update take each other back', async () => {
  const { top, status } = made('same');
  const plain = join(root, 'plain');
  cpSync(join(root, 'empty'), plain, { recursive: true });
  git(plain, 'submodule', '--quiet', 'update', '--init');
  const client = await served.client([root], file);
  const ask = (args: object) => call(client, tool, { repo_path: top, ...args });
  const begun = await ask({ action: 'init' });
  expect(begun.facts).toMatchObject({
    submodules: ['one', 'two'].map((path) => ({ path, url: inner })),
    undo: 'git_update_submodules with {"action":"deinit","paths":["one","two"]}',
  });
  const { facts } = await ask({ action: 'update' });
  const each = (path: string) => ({ path, url: `file://${inner}`, after: commit });
  expect(facts).toMatchObject({
    submodules: [each('one'), each('two')],
    undo: 'git_update_submodules with {"action":"deinit","paths":["one","two"]}',
  });
  const settings = (path: string) => git(path, 'config', '--list', '--local').toString();
  for (const path of ['.', 'one'])
    expect(settings(join(top, path))).toBe(
      settings(join(plain, path)).replace(`=${inner}\nr`, `=file://${inner}\nr`),
    );
  expect(readFileSync(join(top, 'one', '.git'), 'utf8')).toBe('gitdir: ../.git/modules/one\n');
  for (const path of ['.', 'one']) {
    expect(git(join(top, path), 'status', '--porcelain').toString()).toBe('');
    git(join(top, path), 'symbolic-ref', '-q', 'HEAD', { okay: [path === '.' ? 0 : 1] });
  }
  const left = await ask({ action: 'deinit', paths: ['one'] });
  expect([left.facts.undo, status(), existsSync(join(top, 'one', '.git'))]).toEqual([
    'git_update_submodules with {"action":"update","paths":["one"],"init":true}',
    [`-${commit} one`, ` ${commit} two`],
    false,
  ]);
  await ask({ action: 'update', paths: ['one'], init: true });
  expect([status(), git(join(top, 'one'), 'status', '--porcelain').toString()]).toEqual([
    [` ${commit} one`, ` ${commit} two`],
    '',
  ]);
});

test('a recorded commit that is not here is fetched, and its undo leads back', async () => {
  const { top, status } = made('fetched', 'full');
  const id = git(inner, 'commit-tree', '-p', 'main', '-m', 'three', 'main^{tree}').toString().trim();
  // no branch has it
  git(inner, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  git(top, 'update-index', '--cacheinfo', `160000,${id},one`);
  const client = await served.client([root], file);
  const { facts } = await call(client, tool, { repo_path: top, action: 'update' });
  const repo_path = join(top, 'one');
  expect(facts).toMatchObject({
    submodules: [
      { path: 'one', url: inner, before: commit, after: id },
      { path: 'two', before: commit, after: commit },
    ],
    undo: `git_checkout with ${JSON.stringify({ repo_path, branch_name: commit, detach: true })}`,
  });
  expect(status()).toEqual([` ${id} one`, ` ${commit} two`]);
});

test('changes in a submodule stay in the way until losing them is confirmed', async () => {
  const { top, status } = made('changed', 'full');
  git(join(top, 'one'), 'switch', '-q', '--detach', 'HEAD~1');
  write('root/changed/one/größe', 'mine\n');
  const client = await served.client([root], file);
  const ask = (args: object) => call(client, tool, { repo_path: top, action: 'update', ...args });
  const blocked = await ask({});
  expect([blocked.code, blocked.text]).toEqual(['local-changes', expect.stringMatching(/^one: .*größe/)]);
  const reported = await ask({ force: true, dry_run: true });
  expect(reported.text.split('\n')[0]).toBe('dry run: nothing was changed');
  expect(reported.facts.loses).toEqual(['one/größe']);
  expect((await ask({ force: true })).code).toBe('needs-confirmation');
  expect(readFileSync(join(top, 'one', 'größe'), 'utf8')).toBe('mine\n');
  const { facts } = await ask({ force: true, confirm: true });
  expect([facts.loses, facts.undo, status()]).toEqual([
    ['one/größe'],
    undefined,
    [` ${commit} one`, ` ${commit} two`],
  ]);
});

test('deinit asks for what is changed, untracked or ignored in a submodule', async () => {
  const { top, status } = made('emptied', 'full');
  write('root/emptied/one/x.log', '');
  const asked: string[] = [];
  const elicitation = ({ message }: { message: string }) => {
    asked.push(message);
    if (asked.length === 1) write('root/emptied/one/new', '');
    return { action: 'accept' as const, content: { confirm: true } };
  };
  const client = await served.client([root], { ...file, elicitation });
  const args = { repo_path: top, action: 'deinit', paths: ['one'] };
  const first = await call(client, tool, args);
  expect(asked[0]).toBe('Lose data that is in no commit of submodules: one/x.log?');
  if (first.failed) await call(client, tool, args);
  expect(asked[1]).toBe('Lose data that is in no commit of submodules: one/new, one/x.log?');
  expect(status()).toEqual([`-${commit} one`, ` ${commit} two`]);
});

test('submodules in submodules are updated, and an address in one is held to the same', async () => {
  const { top, status } = made('nested');
  const middle = join(root, 'middle');
  git(root, 'init', '-q', middle);
  git(middle, 'submodule', '--quiet', 'add', '../inner', 'deep');
  git(middle, 'commit', '-qm', 'middle');
  git(top, 'submodule', '--quiet', 'add', '../middle', 'mid');
  git(top, 'submodule', '--quiet', 'deinit', '--force', 'mid');
  const client = await served.client([root], file);
  const args = { repo_path: top, action: 'update', init: true, recursive: true, paths: ['mid'] };
  const { facts } = await call(client, tool, args);
  expect(facts.submodules).toMatchObject([{ path: 'mid' }, { path: 'mid/deep', after: commit }]);
  expect(status()).toContain(` ${commit} mid/deep`);
  git(join(top, 'mid'), 'config', 'submodule.deep.url', 'ext::sh -c "touch fired"');
  rmSync(join(top, '.git', 'modules', 'mid', 'modules'), { recursive: true });
  rmSync(join(top, 'mid', 'deep', '.git'));
  rmSync(join(top, 'mid', 'deep', 'größe'));
  const refused = await call(client, tool, args);
  expect([refused.code, refused.text]).toEqual(['invalid-url', expect.stringMatching(/^mid: deep: /)]);
});

test('sync takes the declared addresses, and tells those that there were', async () => {
  const { top } = made('synced', 'full');
  const moved = join(root, 'moved');
  git(root, 'clone', '-q', '--bare', inner, moved);
  git(top, 'config', '--file', '.gitmodules', 'submodule.one.url', '../moved');
  const client = await served.client([root], file);
  const { facts } = await call(client, tool, { repo_path: top, action: 'sync' });
  expect(facts.submodules).toEqual([
    { path: 'one', url: moved, previous_url: inner },
    { path: 'two', url: inner },
  ]);
  expect(git(join(top, 'one'), 'remote', 'get-url', 'origin').toString()).toBe(`${moved}\n`);
});

describe('nothing is started for a submodule', () => {
  const here = {} as Made;
  beforeAll(() => {
    Object.assign(here, made('refused'));
    git(folder, 'clone', '-q', '--bare', inner, join(folder, 'beyond'));
  });
  const all = ['https', 'ssh', 'http', 'git', 'file'];
  test.each([
    ['by a protocol that is not allowed', () => inner, ['https'], 'protocol-not-allowed'],
    ['by a program', () => `ext::touch% ${root}/fired`, all, 'invalid-url'],
    ['outside the roots', () => join(folder, 'beyond'), all, 'not-found'],
    ['at an option', () => '--upload-pack=touch', all, 'invalid-url'],
    ['at a host like an option', () => 'ssh://-oProxyCommand=x/y', all, 'invalid-url'],
  ])('%s', async (_, url, protocols, code) => {
    const { top, status } = here;
    for (const name of ['one', 'two'])
      git(top, 'config', `submodule.${name}.url`, name === 'one' ? inner : url());
    const before = status();
    const client = await served.client([root], { extra: { 'allow-protocol': protocols } });
    const found = await call(client, tool, { repo_path: top, action: 'update' });
    expect([found.code, status(), existsSync(join(top, '.git', 'modules'))]).toEqual([code, before, false]);
    expect(existsSync(join(root, 'fired'))).toBe(false);
  });
});

test('what a submodule, or the git dir that it keeps, would execute does not run', async () => {
  const { top, status } = made('hostile', 'full');
  const fired = join(root, 'fired');
  const payload = write('root/payload', `#!/bin/sh\ntouch '${fired}'\ncat\n`, 0o755);
  const modules = (name: string) => join(top, '.git', 'modules', name);
  for (const name of ['one', 'two']) {
    for (const [key, value] of [
      ['core.fsmonitor', payload],
      ['core.sshCommand', payload],
      ['remote.origin.uploadpack', payload],
    ])
      git(modules(name), 'config', '--file', 'config', key!, value!);
    write(`root/hostile/.git/modules/${name}/hooks/post-checkout`, `#!/bin/sh\ntouch '${fired}'\n`, 0o755);
  }
  git(top, 'config', 'submodule.two.update', `!${payload}`);
  git(top, '-c', 'core.fsmonitor=false', 'submodule', '--quiet', 'deinit', '--force', 'one');
  rmSync(fired, { force: true });
  git(modules('two'), 'update-ref', '--no-deref', 'HEAD', `${commit}~1`);
  const client = await served.client([root], file);
  const { failed } = await call(client, tool, {
    ...{ repo_path: top, action: 'update', init: true, force: true, confirm: true },
  });
  expect([failed, existsSync(fired)]).toEqual([false, false]);
  expect(status()).toEqual([` ${commit} one`, ` ${commit} two`]);
  // plain git runs it
  expect(existsSync(fired)).toBe(true);
});

test('a filter of the git dir that a submodule keeps does not run, and no file is written without it', async () => {
  const { top, status } = made('filtered', 'full');
  git(top, 'submodule', '--quiet', 'deinit', 'one');
  const fired = join(root, 'filtered-fired');
  git(join(top, '.git', 'modules', 'one'), 'config', 'filter.evil.smudge', `touch '${fired}'; cat`);
  write('root/filtered/.git/modules/one/info/attributes', '* filter=evil\n');
  const client = await served.client([root], file);
  const args = { repo_path: top, action: 'update', init: true, paths: ['one'] };
  expect((await call(client, tool, args)).code).toBe('filter-suppressed');
  expect([status()[0], existsSync(fired)]).toEqual([`-${commit} one`, false]);
});

test('a link on the way to a submodule, and a name that leads elsewhere, are refused', async () => {
  const { top } = made('linked');
  git(top, 'submodule', '--quiet', 'init');
  rmSync(join(top, 'one'), { recursive: true });
  symlinkSync(root, join(top, 'one'));
  const client = await served.client([root], file);
  const update = () => call(client, tool, { repo_path: top, action: 'update', init: true });
  expect((await update()).code).toBe('unsupported');
  rmSync(join(top, 'one'));
  writeFileSync(join(top, '.gitmodules'), '[submodule "../../x"]\npath = one\nurl = ../inner\n');
  expect((await update()).failed).toBe(true);
  expect(existsSync(join(root, 'x'))).toBe(false);
});

test('nothing changes where the root may only be read, or where no submodule is', async () => {
  const { top, status } = made('closed');
  const closed = await served.client([{ path: root, readOnly: true }], file);
  for (const action of ['init', 'update', 'sync', 'deinit'])
    expect((await call(closed, tool, { repo_path: top, action, paths: ['one'] })).code).toBe('read-only');
  const client = await served.client([root], file);
  const elsewhere = await call(client, tool, { repo_path: top, action: 'deinit', paths: ['-f'] });
  expect([elsewhere.code, status()]).toEqual(['unknown-path', [`-${commit} one`, `-${commit} two`]]);
  const skipped = await call(client, tool, { repo_path: top, action: 'update' });
  expect(skipped.text).toBe('one: skipped: not initialised\ntwo: skipped: not initialised');
});

test('it is listed in few bytes', async () => {
  const client = await served.client([folder], { tools: [tool] });
  expect(Buffer.byteLength(JSON.stringify((await client.listTools())[0]))).toBeLessThanOrEqual(900);
});
