import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tenth } from '../../../../test/extent.ts';
import { find, resolve, type Wanted } from '../../src/repository/revisions.ts';
import { random } from '../porcelain/random.ts';
import { namesakes, openObjects, repository } from './open-objects.ts';

const { folder, git, write, blob, commit } = repository();
git(folder, 'init', '-q', '--bare', join(folder, 'far'));
write('file', 'one');
write('two words', 'two');
write('dir/file', 'three');
write('dir/a:b', 'four');
write('ünï', 'five');
write('{odd}', 'six');
git(folder, 'add', 'file', 'two words', 'dir', 'ünï', '{odd}');
git(folder, 'update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
const second = commit('second');
git(folder, 'switch', '-q', '-c', 'side/one', 'HEAD^');
const third = commit('third');
git(folder, 'switch', '-q', 'main');
git(folder, 'merge', '-q', '--no-ff', '-m', 'merged', 'side/one');
git(folder, 'remote', 'add', 'origin', join(folder, 'far'));
git(folder, 'push', '-q', '-u', 'origin', 'main');
git(folder, 'fetch', '-q', 'origin');
git(folder, 'tag', '-a', '-m', 'tagged', 'v1', second);
git(folder, 'tag', '-a', '-m', 'twice', 'nested', 'v1');
git(folder, 'tag', 'of-tree', 'HEAD^{tree}');
git(folder, 'tag', 'of-blob', 'HEAD:file');
git(folder, 'tag', 'main', second);
git(folder, 'branch', 'abcd', third);
git(folder, 'branch', 'größe', third);
write('file', 'changed');
git(folder, 'stash', '-q');
git(folder, 'reset', '-q', '--soft', 'HEAD');
const objects = openObjects(folder);

const bases = [
  ...[
    'HEAD',
    '@',
    'main',
    'side/one',
    'v1',
    'nested',
    'of-tree',
    'of-blob',
    'abcd',
    'größe',
    'stash',
    'origin',
  ],
  ...['refs/heads/main', 'heads/main', 'tags/v1', 'origin/main', 'ORIG_HEAD', 'FETCH_HEAD', 'MERGE_HEAD'],
  ...[second, second.slice(0, 12), second.slice(0, 7).toUpperCase(), `v1-1-g${third.slice(0, 10)}`],
  ...['2'.repeat(40), 'deadbeef', 'ghost', 'head s', ' HEAD', 'HEAD ', '^HEAD', 'HEAD..main', 'HEAD...main'],
  ...[
    '@{u}',
    'main@{upstream}',
    'heads/main@{push}',
    'side/one@{u}',
    '@{-1}',
    '@{-9}',
    'HEAD@{1}',
    'main@{99}',
  ],
  ...['HEAD@{yesterday}', 'stash@{0}', 'stash@{5}', ':/second', ':/nowhere', ':file', ':0:file', ':2:file'],
  ...[':nothing', ':', 'HEAD^{/third}', 'HEAD^{/no:where}', '@{', 'a@{1}b'],
];
const suffixes = [
  ...['^', '^^', '~2', '^2', '^3', '^0', '~0', '~99', '^{}', '^{commit}', '^{tree}', '^{blob}', '^{tag}'],
  ...['^{object}', '^{/second}', '^{nonsense}', '^{', '~x', '^@', '^!', '^-', '@{0}'],
];
const paths = [
  ...[
    ':',
    ':file',
    ':dir',
    ':dir/',
    ':dir/file',
    ':two words',
    ':nothing',
    ':./file',
    ':dir/../file',
    ':../x',
  ],
  ...[':/file', ':dir//file', ':ünï', ':sub', ':dir/a:b', ':{odd}', ':file/x', ':.', ':file ', ':File'],
];

/** Returns git's resolution, undefined when no such object exists. */
function parsed(revision: string, wanted: Wanted): string | undefined {
  const peeled = wanted === 'any' ? revision : `${revision}^{${wanted}}`;
  const parse = (text: string) => {
    try {
      return git(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', text).toString().trim();
    } catch {
      // its status says that it is none, whatever it printed
      return '';
    }
  };
  // at the end of a date or a path, git would take the peeling for a part of it
  const name = /:|@\{/.test(revision) ? parse(revision) : parse(peeled);
  if (!/^[0-9a-f]{40}$/.test(name)) return undefined;
  const type = git(folder, 'cat-file', '--batch-check=%(objecttype)', { input: name }).toString().trim();
  if (type.endsWith('missing')) return undefined;
  return wanted === 'any' || type === wanted ? name : parse(`${name}^{${wanted}}`) || undefined;
}

async function resolved(revision: string, wanted: Wanted): Promise<string | undefined> {
  return resolve(objects, revision, wanted).catch((error) => {
    expect(['unknown-revision', 'not-found'], `${revision}: ${error}`).toContain(error.code);
    return undefined;
  });
}

test('any expression stands for the object that git finds', async () => {
  const next = random(11);
  const one = (list: readonly string[]) => list[next(list.length)]!;
  const some = Array.from({ length: tenth(200) }, () => {
    const tail = Array.from({ length: next(3) }, () => one(suffixes)).join('');
    return one(bases) + tail + (next(3) === 0 ? one(paths) : '');
  });
  // git takes all from the first brace to the last one for a date or a type, and the path with it
  const swallowsPath = (revision: string) => /[@^]\{.*:.*\}$/.test(revision);
  const all = [
    ...bases,
    ...suffixes.map((suffix) => `HEAD${suffix}`),
    ...paths.map((path) => `HEAD${path}`),
    ...some.filter((revision) => !swallowsPath(revision)),
  ];
  const wanted: readonly Wanted[] = ['any', 'commit', 'tree', 'blob'];
  const found: unknown[] = [];
  const expected: unknown[] = [];
  for (const revision of all) {
    const type = wanted[next(4)]!;
    found.push([revision, type, await resolved(revision, type)]);
    expected.push([revision, type, parsed(revision, type)]);
  }
  expect(found).toEqual(expected);
});

test('an upstream, the index and the reflog are seen as they are now', async () => {
  git(folder, 'branch', 'moving', third);
  await expect(resolve(objects, 'moving@{u}')).rejects.toMatchObject({ code: 'unknown-revision' });
  git(folder, 'branch', '-u', 'heads/main', 'moving');
  expect(await resolve(objects, 'moving@{u}')).toBe(parsed('heads/main', 'any'));
  expect(await resolve(objects, ':file')).toBe(blob('one'));
  write('file', 'staged');
  git(folder, 'add', 'file');
  expect(await resolve(objects, ':file')).toBe(blob('staged'));
  git(folder, 'branch', '-f', 'moving', second);
  expect(await resolve(objects, 'moving@{1}')).toBe(third);
});

test('a path that no line can hold is found as this server writes it', async () => {
  const names = ['new\nline', 'end\r', 'caf\xe9', '"quoted"'];
  const entries = names.map((name) => Buffer.from(`100644 blob ${blob(name)}\t${name}\0`, 'latin1'));
  const inner = git(folder, 'mktree', '-z', { input: Buffer.concat(entries) })
    .toString()
    .trim();
  const outer = git(folder, 'mktree', '-z', { input: `040000 tree ${inner}\tdir\nx\0` })
    .toString()
    .trim();
  const written = [String.raw`"dir\nx/new\nline"`, String.raw`"dir\nx/end\r"`, String.raw`"dir\nx/caf\351"`];
  for (const [index, path] of written.entries())
    expect(await find(objects, `${outer}:${path}`)).toMatchObject({ oid: blob(names[index]!), type: 'blob' });
  expect(await resolve(objects, String.raw`${inner}:"\"quoted\""`)).toBe(blob('"quoted"'));
  for (const path of ['"quoted"', '"../x"', '"./file"'])
    await expect(resolve(objects, `${inner}:${path}`)).rejects.toMatchObject({ code: 'not-found' });
});

test.each(['', '-', '--output=x', '-x', 'HEAD\n', 'HEAD\ninfo HEAD', 'HEAD\0', 'x'.repeat(10_000), '\ud800'])(
  'the revision %j is refused before git sees it',
  async (revision) => {
    await expect(resolve(objects, revision)).rejects.toMatchObject({ code: 'invalid-revision' });
  },
);

test('an unknown revision is told with the names that are like it', async () => {
  const reported = async (revision: string) =>
    resolve(objects, revision).catch((error) => [error.code, error.hint]);
  expect(await reported('side/on')).toEqual(['unknown-revision', 'did you mean side/one?']);
  expect(await reported('origin/mian~2')).toEqual(['unknown-revision', 'did you mean origin/main?']);
  expect(await reported('nothing-like-it')).toEqual(['unknown-revision', expect.stringContaining('HEAD~2')]);
  const empty = repository();
  git(empty.folder, 'checkout', '-q', '--orphan', 'new');
  git(empty.folder, 'branch', '-D', 'main');
  await expect(resolve(empty.objects, 'HEAD')).rejects.toMatchObject({
    message: 'no commit yet: HEAD is at new, which has none',
  });
});

test('an ambiguous name is told with the objects that it may be', async () => {
  const [one, other] = namesakes();
  const oids = [blob(one), blob(other)];
  const short = oids[0]!.slice(0, 4);
  for (const revision of [short, `${short}^{blob}`, `${short}:path`]) {
    await expect(resolve(objects, revision)).rejects.toMatchObject({
      code: 'ambiguous',
      hint: expect.stringMatching(new RegExp(`(?=.*blob ${oids[0]})(?=.*blob ${oids[1]})`)),
    });
  }
});

test('a path that is not there, a submodule and an object of another type are told as such', async () => {
  await expect(resolve(objects, 'HEAD:no/file')).rejects.toThrow('no/file does not exist in HEAD');
  await expect(resolve(objects, 'HEAD:sub')).rejects.toThrow(
    `sub is a submodule at commit ${'1'.repeat(40)}`,
  );
  await expect(resolve(objects, 'of-blob', 'commit')).rejects.toThrow('of-blob is a blob, not a commit');
  await expect(resolve(objects, 'HEAD:dir', 'blob')).rejects.toThrow('HEAD:dir is a tree, not a blob');
  await expect(resolve(objects, 'ghost:file')).rejects.toMatchObject({ code: 'unknown-revision' });
});
