import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, newest, Served } from '../harness.ts';
import { clientOf, pairs } from './pair.ts';
import { daemon, httpRemote } from './serving.ts';

const served = new Served();
const pair = pairs();

// one of each era
describe.each(['2025-11-25', newest] as const)('git_fetch at %s', (revision) => {
  test('brings a new commit over http and tells where the ref was and is', async () => {
    const here = pair();
    const { address } = await httpRemote(here.shared);
    const client = await clientOf(served, here, `${address}/bare.git`, { revision });
    const { text, failed } = await call(client, 'git_fetch');
    const one = here.idOf(here.bare, 'main');
    expect([failed, text.split('\n')]).toEqual([
      false,
      [
        `from ${address}/bare.git`,
        `refs/remotes/origin/main: new at ${one.slice(0, 12)}`,
        `refs/remotes/origin/side: new at ${one.slice(0, 12)}`,
      ],
    ]);
  });
});

test('over git:// what moved, was rewritten and is gone is told by both ids', async () => {
  const here = pair();
  const address = `${await daemon(here.shared)}/bare.git`;
  const client = await clientOf(served, here, address);
  await call(client, 'git_fetch');
  const one = here.idOf(here.bare, 'main');
  const two = here.commitThere('two');
  here.git(here.bare, 'branch', '-D', 'side');
  here.git(here.bare, 'tag', '-a', 'v1', '-m', 'v1', 'main');
  const dry = await call(client, 'git_fetch', { prune: true, dry_run: true });
  expect(dry.text.split('\n')[0]).toBe(`from ${address} (dry run: nothing was fetched)`);
  expect(dry.facts.moved).toEqual([
    { ref: 'origin/side' },
    { ref: 'origin/main', before: one, after: two },
    { ref: 'v1' },
  ]);
  const { facts } = await call(client, 'git_fetch', { prune: true });
  expect(facts).toMatchObject({ remote: 'origin', url: address });
  expect(facts.moved).toEqual([
    { ref: 'refs/remotes/origin/main', before: one, after: two },
    { ref: 'refs/remotes/origin/side', before: one },
    { ref: 'refs/tags/v1', after: here.idOf(here.bare, 'v1') },
  ]);
  here.git(here.bare, 'update-ref', 'refs/heads/main', one);
  here.git(here.bare, 'tag', '-f', 'v1', one);
  const other = here.commitThere('other');
  const forced = await call(client, 'git_fetch');
  expect(forced.facts.moved).toEqual([
    { ref: 'refs/remotes/origin/main', before: two, after: other, forced: true },
  ]);
  // a tag that is here stays, and the others moved all the same
  here.commitThere('more');
  const clobbering = await call(client, 'git_fetch', { refs: ['refs/heads/main', 'refs/tags/v1'] });
  expect([clobbering.code, clobbering.text]).toEqual([
    'non-fast-forward',
    expect.stringContaining('what did move: refs/remotes/origin/main'),
  ]);
});

test('of a trusted repository whose settings shorten ids and names, a fetch and a push tell both whole', async () => {
  const here = pair();
  const client = await clientOf(served, here, `${await daemon(here.shared)}/bare.git`, {
    extra: { trust: [here.work] },
  });
  const { git, work, bare } = here;
  git(work, 'config', 'fetch.output', 'compact');
  git(work, 'config', 'core.abbrev', '4');
  const [one, two] = [here.idOf(bare, 'main'), here.commitThere('two')];
  await call(client, 'git_fetch');
  git(bare, 'update-ref', 'refs/heads/main', one);
  const other = here.commitThere('other');
  expect((await call(client, 'git_fetch')).facts.moved).toEqual([
    { ref: 'refs/remotes/origin/main', before: two, after: other, forced: true },
  ]);
  git(work, 'reset', '-q', '--hard', 'origin/main');
  const mine = here.commitHere('mine');
  expect((await call(client, 'git_push')).facts.refs).toEqual([
    { ref: 'refs/heads/main', result: 'moved', before: other, after: mine },
  ]);
  git(work, 'reset', '-q', '--hard', two);
  const lease = { refs: ['main'], force_with_lease: [mine] };
  expect((await call(client, 'git_push', lease)).facts.refs).toEqual([
    { ref: 'refs/heads/main', result: 'forced', before: mine, after: two },
  ]);
});

test('a shallow history is fetched, deepened and made whole', async () => {
  const here = pair();
  for (const message of ['two', 'three', 'four']) here.commitThere(message);
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const id = here.idOf;
  const path = `${here.work}/shallow`;
  await call(client, 'git_clone', { url: `${address}/bare.git`, path, depth: 1 });
  const count = () => here.git(path, 'rev-list', '--count', 'HEAD').toString().trim();
  expect(count()).toBe('1');
  const from = `from ${address}/bare.git`;
  const dry = await call(client, 'git_fetch', { repo_path: path, deepen: 1, dry_run: true });
  expect([dry.code, dry.text, count()]).toEqual([
    'invalid-arguments',
    'git changes the depth of a history in a dry run, too\nleave out dry_run, or depth, deepen and unshallow',
    '1',
  ]);
  const deeper = await call(client, 'git_fetch', { repo_path: path, deepen: 1 });
  expect([count(), deeper.text.split('\n')]).toEqual([
    '2',
    [
      from,
      `the history is deeper: 1 commit more than before, and it ends at ${id(path, 'HEAD~1').slice(0, 12)}`,
    ],
  ]);
  expect(deeper.facts).toMatchObject({ moved: [], depth: { commits: 1, ends: [id(path, 'HEAD~1')] } });
  const same = await call(client, 'git_fetch', { repo_path: path, depth: 2 });
  expect(same.text.split('\n')).toEqual([from, 'nothing is new']);
  const complete = await call(client, 'git_fetch', { repo_path: path, unshallow: true });
  expect([count(), complete.text.split('\n')]).toEqual([
    '4',
    [from, 'the history is complete now: 2 commits more than before'],
  ]);
  expect(complete.facts).toMatchObject({ depth: { commits: 2, ends: [] } });
});

test('a fetch that makes a complete history shallow says so beside what moved', async () => {
  const here = pair();
  for (const message of ['two', 'three']) here.commitThere(message);
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const id = here.idOf;
  const path = `${here.work}/whole`;
  await call(client, 'git_clone', { url: `${address}/bare.git`, path });
  const four = here.commitThere('four');
  const { text, facts } = await call(client, 'git_fetch', { repo_path: path, depth: 1, refs: ['main'] });
  expect(text).toContain(
    `refs/remotes/origin/main: ${id(path, 'HEAD').slice(0, 12)} -> ${four.slice(0, 12)}`,
  );
  expect(text).toMatch(/\nthe history is shallow now: 1 commit more than before, and it ends at /);
  expect(facts.depth).toMatchObject({ ends: expect.arrayContaining([four]) });
});

test('what a partial clone has left out is not fetched to be read, and named', async () => {
  const here = pair();
  here.git(here.bare, 'config', 'uploadpack.allowFilter', 'true');
  here.git(here.bare, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  const blob = here.git(here.bare, 'hash-object', '-w', '--stdin', { input: 'two\n' }).toString().trim();
  const tree = here
    .git(here.bare, 'mktree', { input: `100644 blob ${blob}\tfile.txt\n` })
    .toString()
    .trim();
  const two = here.git(here.bare, 'commit-tree', '-p', 'main', '-m', 'two', tree).toString().trim();
  here.git(here.bare, 'update-ref', 'refs/heads/main', two);
  const { address, asked } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const repo_path = `${here.work}/partial`;
  const url = `${address}/bare.git`;
  const cloned = await call(client, 'git_clone', { url, path: repo_path, filter: 'blob:none' });
  expect(cloned.facts.commit).toBe(two);
  expect(readFileSync(`${repo_path}/file.txt`, 'utf8')).toBe('two\n');
  asked.length = 0;
  const { failed, text } = await call(client, 'git_read_file', {
    repo_path,
    path: 'file.txt',
    revision: 'HEAD~1',
  });
  expect([failed, text, asked]).toEqual([
    true,
    expect.stringContaining(here.idOf(here.bare, 'main~1:file.txt')),
    [],
  ]);
});

test('an address is fetched from, too, and named without a secret', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, 'https://host.invalid/other.git');
  const url = `${address}/bare.git`;
  const { facts } = await call(client, 'git_fetch', { remote: url, refs: ['main'] });
  expect(facts).toEqual({ url, moved: [] });
  expect(here.idOf(here.work, 'FETCH_HEAD')).toBe(here.idOf(here.bare, 'main'));
  const secret = url.replace('http://', 'http://ann:hunter2@');
  const refused = await call(client, 'git_fetch', { remote: secret });
  expect([refused.code, refused.text.includes('hunter2')]).toEqual(['invalid-url', false]);
});

test('a ref or a remote that git would take for more than a name is refused', async () => {
  const here = pair();
  const { address, asked } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  for (const name of ['--upload-pack=x', '-x', 'ext::sh -c id', 'main:refs/heads/side', 'a b']) {
    const codes = [
      (await call(client, 'git_fetch', { refs: [name] })).code,
      (await call(client, 'git_fetch', { remote: name })).failed,
    ];
    expect(codes, name).toEqual(['invalid-ref', true]);
  }
  expect(asked).toEqual([]);
  expect((await call(client, 'git_fetch', { refs: ['+main'] })).code).toBe('unknown-revision');
});

test('of many refs with long names, each that was rewritten is told as such', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const names = Array.from({ length: 200 }, (_, at) => `refs/heads/${'long'.repeat(60)}-${at}`);
  const lead = (to: string) =>
    here.git(here.bare, 'update-ref', '--stdin', {
      input: names.map((name) => `update ${name} ${to}\n`).join(''),
    });
  lead(here.commitThere('two', 'side'));
  await call(client, 'git_fetch');
  here.git(here.bare, 'update-ref', 'refs/heads/side', 'main');
  lead(here.commitThere('other', 'side'));
  const { facts } = await call<{ moved: { forced?: true }[]; more_moved: number }>(client, 'git_fetch');
  expect([facts.moved.filter(({ forced }) => forced).length, facts.more_moved]).toEqual([200, 1]);
});

test('a remote is its own and no group, and the word of a branch for it is no address', async () => {
  const here = pair();
  const { address, asked } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  here.git(here.work, 'config', 'remotes.both', 'origin other');
  expect((await call(client, 'git_fetch', { remote: 'both' })).code).toBe('unknown-remote');
  here.git(here.work, 'config', 'remotes.origin', 'origin other');
  expect((await call(client, 'git_fetch', { remote: 'origin' })).code).toBe('unsupported');
  here.git(here.work, 'config', '--unset', 'remotes.origin');
  here.git(here.work, 'config', 'branch.main.remote', `${address}/bare.git`);
  expect((await call(client, 'git_fetch')).code).toBe('unknown-remote');
  expect(asked).toEqual([]);
});

test('the repository does not lead an address of the caller elsewhere', async () => {
  const here = pair();
  const { address, asked } = await httpRemote(here.shared);
  const client = await clientOf(served, here, 'https://host.invalid/x.git');
  here.git(here.work, 'config', `url.${address}/.insteadOf`, 'https://host.invalid/');
  const remote = 'https://host.invalid/bare.git';
  for (const tool of ['git_fetch', 'git_push'])
    expect((await call(client, tool, { remote })).code, tool).toBe('unsupported');
  here.git(here.work, 'config', `remote.${address}/bare.git.url`, 'https://host.invalid/bare.git');
  expect((await call(client, 'git_fetch', { remote: `${address}/bare.git` })).failed).toBe(true);
  expect(asked).toEqual([]);
  // its own remote it may lead where it likes, and that is told
  here.git(here.work, 'remote', 'set-url', 'origin', remote);
  expect((await call(client, 'git_fetch')).facts.url).toBe(`${address}/bare.git`);
});

test('the client is told of each stage', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const reported: string[] = [];
  const onProgress = ({ message }: { message?: string }): void => void reported.push(message ?? '');
  await call(client, 'git_clone', { url: `${address}/bare.git`, path: `${here.work}/new` }, { onProgress });
  expect(reported[0]).toMatch(/^remote: Enumerating objects: \d+/);
});

test('a pull moves the branch and its files forward to what the upstream has', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const [one, two] = [here.idOf(here.work, 'HEAD'), here.commitThere('two')];
  const { text, failed } = await call(client, 'git_pull');
  expect([failed, text.split('\n').at(-1)]).toEqual([
    false,
    `fast-forwarded: main: ${one.slice(0, 12)} -> ${two.slice(0, 12)}`,
  ]);
  expect(here.idOf(here.work, 'HEAD')).toBe(two);
});

test('what has diverged is fetched and left, until a strategy is named', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const theirs = here.commitThere('theirs');
  const ours = here.commitHere('ours');
  const left = await call(client, 'git_pull');
  expect([left.code, left.text]).toEqual(['non-fast-forward', expect.stringContaining('it is fetched')]);
  expect([here.idOf(here.work, 'HEAD'), here.idOf(here.work, 'origin/main')]).toEqual([ours, theirs]);
  const stale = await call(client, 'git_pull', { expected_head: 'HEAD~1', strategy: 'merge' });
  expect(stale.code).toBe('moved');
  const merged = await call(client, 'git_pull', { strategy: 'merge' });
  expect(merged.facts).toMatchObject({ state: 'done', before: ours, fetched: theirs, remote: 'origin' });
  expect(here.git(here.work, 'log', '-1', '--format=%s %P').toString()).toBe(
    `Merge remote-tracking branch 'origin/main' ${ours} ${theirs}\n`,
  );
  here.git(here.work, 'reset', '-q', '--hard', ours);
  const rebased = await call(client, 'git_pull', { strategy: 'rebase' });
  expect(rebased.facts).toMatchObject({ state: 'done', before: ours });
  expect(here.idOf(here.work, 'HEAD~1')).toBe(theirs);
});

test('files with changes of their own stay, and nothing moves', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  const blob = here.git(here.bare, 'hash-object', '-w', '--stdin', { input: 'two\n' }).toString().trim();
  const tree = here
    .git(here.bare, 'mktree', { input: `100644 blob ${blob}\tfile.txt\n` })
    .toString()
    .trim();
  const two = here.git(here.bare, 'commit-tree', '-p', 'main', '-m', 'two', tree).toString().trim();
  here.git(here.bare, 'update-ref', 'refs/heads/main', two);
  here.write(`${here.work.slice(here.folder.length + 1)}/file.txt`, 'mine\n');
  const one = here.idOf(here.work, 'HEAD');
  expect((await call(client, 'git_pull')).code).toBe('local-changes');
  expect([here.idOf(here.work, 'HEAD'), readFileSync(join(here.work, 'file.txt'), 'utf8')]).toEqual([
    one,
    'mine\n',
  ]);
});

test('a branch without upstream, and no branch, have nothing to pull', async () => {
  const here = pair();
  const { address } = await httpRemote(here.shared);
  const client = await clientOf(served, here, `${address}/bare.git`);
  here.git(here.work, 'switch', '-qc', 'topic');
  expect((await call(client, 'git_pull')).code).toBe('no-upstream');
  here.git(here.work, 'switch', '-q', '--detach');
  expect((await call(client, 'git_pull')).code).toBe('no-upstream');
  const two = here.commitThere('two');
  expect((await call(client, 'git_pull', { remote: 'origin', branch: 'main' })).facts.after).toBe(two);
});
