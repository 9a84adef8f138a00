import { expect, test } from 'vitest';
import { parseRefs, type Ref, type RefsOptions, refsCommand } from '../../src/porcelain/refs.ts';
import { toOid } from '../../src/run/oid.ts';
import { scratch } from '../scratch.ts';
import { printed } from './printed.ts';

function repository() {
  const made = scratch();
  made.git(made.folder, 'init');
  made.git(made.folder, 'commit', '--allow-empty', '-m', 'base');
  const oid = (revision: string) => toOid(made.git(made.folder, 'rev-parse', revision).toString().trim());
  return { ...made, oid };
}

async function refsOf(folder: string, options: RefsOptions = {}): Promise<Ref[]> {
  return parseRefs(await printed(folder, refsCommand(options)), options);
}

const names = (refs: readonly Ref[]) => refs.map(({ short }) => short);

test('branches, remote ones and tags are told apart, and one is current', async () => {
  const { folder, git, oid } = repository();
  git(folder, 'branch', 'feature/x');
  git(folder, 'tag', 'light');
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  git(folder, 'update-ref', 'refs/notes/commits', 'HEAD');
  const refs = await refsOf(folder);
  expect(refs.map(({ name, kind, short, current }) => [name, kind, short, current])).toEqual([
    ['refs/heads/feature/x', 'branch', 'feature/x', false],
    ['refs/heads/main', 'branch', 'main', true],
    ['refs/notes/commits', 'other', 'refs/notes/commits', false],
    ['refs/remotes/origin/main', 'remote', 'origin/main', false],
    ['refs/tags/light', 'tag', 'light', false],
  ]);
  expect(refs[0]).toEqual({
    name: 'refs/heads/feature/x',
    kind: 'branch',
    short: 'feature/x',
    oid: oid('HEAD'),
    type: 'commit',
    target: undefined,
    symbolic: undefined,
    current: false,
    upstream: undefined,
    subject: undefined,
    time: undefined,
  });
  expect(names(await refsOf(folder, { kinds: ['tag', 'remote'] }))).toEqual(['origin/main', 'light']);
});

test('an annotated tag has its own object and that of its target, a light one only the target', async () => {
  const { folder, git, oid } = repository();
  git(folder, 'tag', 'light');
  git(folder, 'tag', '-a', 'v1', '-m', 'first\nrelease');
  git(folder, 'tag', 'of-tree', 'HEAD^{tree}');
  const [light, tree, annotated] = await refsOf(folder, { kinds: ['tag'], subject: true });
  expect(light).toMatchObject({
    short: 'light',
    oid: oid('HEAD'),
    type: 'commit',
    target: undefined,
    subject: 'base',
  });
  expect(tree).toMatchObject({
    short: 'of-tree',
    type: 'tree',
    target: undefined,
    subject: '',
    time: undefined,
  });
  expect(annotated).toMatchObject({
    short: 'v1',
    oid: oid('v1'),
    type: 'tag',
    target: { oid: oid('HEAD'), type: 'commit' },
    subject: 'first release',
  });
  expect(annotated?.time).toBeGreaterThan(light!.time!);
});

test('a symbolic ref says which one it stands for', async () => {
  const { folder, git } = repository();
  git(folder, 'update-ref', 'refs/remotes/origin/main', 'HEAD');
  git(folder, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  const refs = await refsOf(folder, { kinds: ['remote'] });
  expect(refs.map(({ short, symbolic }) => [short, symbolic])).toEqual([
    ['origin/HEAD', 'refs/remotes/origin/main'],
    ['origin/main', undefined],
  ]);
});

test('an upstream is compared when asked for, and told when it is gone', async () => {
  const { folder, git, oid } = repository();
  git(folder, 'branch', 'up');
  for (const name of ['same', 'ahead', 'behind', 'both', 'gone', 'none']) git(folder, 'branch', name);
  git(folder, 'branch', 'lost');
  for (const name of ['same', 'ahead', 'behind', 'both']) git(folder, 'branch', '--set-upstream-to=up', name);
  git(folder, 'branch', '--set-upstream-to=lost', 'gone');
  git(folder, 'branch', '-D', 'lost');
  const on = (parent: string, ...messages: string[]) =>
    messages.reduce((tip, message) => {
      return git(folder, 'commit-tree', `${tip}^{tree}`, '-p', tip, '-m', message).toString().trim();
    }, parent);
  const up = on(oid('HEAD'), 'up');
  const tips = { up, same: up, ahead: on(up, 'a', 'b'), both: on(oid('HEAD'), 'x', 'y', 'z') };
  for (const [name, tip] of Object.entries(tips)) git(folder, 'branch', '--force', name, tip);
  const refs = await refsOf(folder, { kinds: ['branch'], upstream: true });
  const track = Object.fromEntries(refs.map(({ short, upstream }) => [short, upstream?.track]));
  expect(track).toEqual({
    main: undefined,
    up: undefined,
    none: undefined,
    same: { ahead: 0, behind: 0 },
    ahead: { ahead: 2, behind: 0 },
    behind: { ahead: 0, behind: 1 },
    both: { ahead: 3, behind: 1 },
    gone: 'gone',
  });
  expect(refs.find(({ short }) => short === 'gone')?.upstream?.name).toBe('refs/heads/lost');
  expect((await refsOf(folder)).every(({ upstream }) => upstream === undefined)).toBe(true);
});

test('refs are found by what they contain, where they point, and how they are merged', async () => {
  const { folder, git, oid } = repository();
  git(folder, 'branch', 'old');
  git(folder, 'commit', '--allow-empty', '-m', 'two');
  git(folder, 'branch', 'new');
  const [first, second] = [oid('HEAD~1'), oid('HEAD')];
  const kinds = ['branch'] as const;
  expect(names(await refsOf(folder, { kinds, contains: second }))).toEqual(['main', 'new']);
  expect(names(await refsOf(folder, { kinds, notContaining: second }))).toEqual(['old']);
  expect(names(await refsOf(folder, { kinds, merged: first }))).toEqual(['old']);
  expect(names(await refsOf(folder, { kinds, notMerged: first }))).toEqual(['main', 'new']);
  expect(names(await refsOf(folder, { kinds, pointsAt: first }))).toEqual(['old']);
});

test('refs are sorted by name, by age or as versions, and as many as asked for', async () => {
  const { folder, git } = repository();
  for (const name of ['v10', 'v9', 'v1']) git(folder, 'tag', '-a', name, '-m', name);
  const kinds = ['tag'] as const;
  expect(names(await refsOf(folder, { kinds }))).toEqual(['v1', 'v10', 'v9']);
  expect(names(await refsOf(folder, { kinds, sort: 'version' }))).toEqual(['v1', 'v9', 'v10']);
  expect(names(await refsOf(folder, { kinds, sort: 'newest', limit: 2 }))).toEqual(['v1', 'v9']);
});

test('names and subjects of any bytes are exact or readable', async () => {
  const { folder, git, oid } = repository();
  // `git commit` would make it UTF-8
  const raw = git(folder, 'cat-file', 'commit', 'HEAD').toString().replace('base', 'sch\xf6n');
  const latin1 = { input: Buffer.from(raw, 'latin1') };
  const commit = git(folder, 'hash-object', '-w', '-t', 'commit', '--stdin', latin1).toString().trim();
  const input = Buffer.concat([
    Buffer.from('create refs/heads/caf\xe9\0', 'latin1'),
    Buffer.from(`${commit}\0`),
    Buffer.from(`create refs/heads/größe"\0${oid('HEAD')}\0`),
    Buffer.from(`create refs/heads/"x"\0${oid('HEAD')}\0`),
  ]);
  git(folder, 'update-ref', '-z', '--stdin', { input });
  const refs = await refsOf(folder, { kinds: ['branch'], subject: true });
  expect(refs.map(({ name, short, subject }) => [name, short, subject])).toEqual([
    ['refs/heads/"x"', String.raw`"\"x\""`, 'base'],
    [String.raw`"refs/heads/caf\351"`, String.raw`"caf\351"`, 'schön'],
    ['refs/heads/größe"', 'größe"', 'base'],
    ['refs/heads/main', 'main', 'base'],
  ]);
});

test('a repository without refs has none', async () => {
  const { folder, git } = scratch();
  git(folder, 'init');
  expect(await refsOf(folder, { upstream: true, subject: true })).toEqual([]);
});
