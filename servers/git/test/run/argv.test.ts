import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../../src/run/command.ts';
import { type Oid, toOid } from '../../src/run/oid.ts';
import { fetchSpec, pushSpec, range, refName, remoteName, stashEntry, toUrl } from '../../src/run/operand.ts';
import { run } from '../../src/run/run.ts';
import { type Verb, verbs } from '../../src/run/verbs.ts';
import { cleanGit, placeOf, scratch } from '../scratch.ts';
import { fakeGit } from './fake.ts';

const a = toOid('a'.repeat(40));
const b = toOid('b'.repeat(40));
const hostile = [
  '--output=owned',
  '-Otouch owned',
  '--upload-pack=touch owned',
  '--',
  ':(top)',
  ':!x',
  '$(touch owned)',
  '`touch owned`',
  "';touch owned;'",
  'a\nb',
  '|touch owned',
];

test('paths named like options, magic or shell text arrive as they are, after the end of options', async () => {
  const git = fakeGit('exit 0');
  for (const verb of ['diff', 'log', 'add', 'status', 'grep', 'ls-files', 'worktree remove'] as const) {
    await run(git, command(verb, { paths: hostile }), {});
    const argv = git.argv();
    const names = verb === 'worktree remove';
    const expected = names ? hostile : hostile.map((path) => `:(literal)${path}`);
    expect(argv.slice(argv.indexOf('--') + 1)).toEqual(expected);
    // a hook would inherit it, and its own patterns would find nothing
    expect(git.variables().GIT_LITERAL_PATHSPECS).toBe(names ? '1' : undefined);
  }
  expect(readdirSync(git.folder).sort()).toEqual(['argv', 'bin', 'environment']);
});

test('values are glued to their options, and every value of a list has its own', async () => {
  const git = fakeGit('exit 0');
  const options = { '--grep': ['--output=x', '-O'], '-S': '-x', '--max-count': 5 };
  await run(git, command('log', { options, revisions: [range(a, b)] }), {});
  expect(git.argv().slice(-6)).toEqual([
    '--grep=--output=x',
    '--grep=-O',
    '-S-x',
    '--max-count=5',
    `${a}..${b}`,
    '--',
  ]);
});

test('real git takes files named like options for files', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init');
  const names = ['--output=owned', '-p', ':(top)', '*', 'ü', 'ab'];
  for (const name of names) write(name, name);
  const place = placeOf(folder);
  await run(cleanGit(), command('add', { paths: ['--output=owned', '*', ':(top)'] }), { place });
  const { stdout } = await run(cleanGit(), command('ls-files', { flags: ['-z'] }), { place });
  expect(stdout.toString().split('\0').slice(0, -1)).toEqual(['*', '--output=owned', ':(top)']);
  expect(existsSync(join(folder, 'owned'))).toBe(false);
});

test('patterns select, exclude, and stand beside literal paths', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init');
  for (const name of ['a.ts', 'lib/b.ts', 'lib/b.lock', '*', 'c.md']) write(name, name);
  git(folder, 'add', '.');
  const files = command('ls-files', {
    flags: ['-z'],
    paths: ['*'],
    globs: ['**/*.ts', 'lib/*', '!**/*.lock'],
  });
  const { stdout } = await run(cleanGit(), files, { place: placeOf(folder) });
  expect(stdout.toString()).toBe('*\0a.ts\0lib/b.ts\0');
});

test('bytes that are no UTF-8 reach git over stdin, and so do more paths than a command line holds', async () => {
  const { folder, git, write } = scratch();
  git(folder, 'init');
  const odd = Buffer.from('caf\xe9', 'latin1');
  git(folder, 'update-index', '--index-info', {
    input: Buffer.concat([Buffer.from(`100644 ${a}\t`), odd, Buffer.from('\n')]),
  });
  const place = placeOf(folder);
  const many = Array.from({ length: 3000 }, (_, index) => `file ${index}`);
  for (const name of many) write(name, '');
  await run(cleanGit(), command('add', { paths: many }), { place });
  await run(cleanGit(), command('rm', { flags: ['--force'], paths: [odd, 'file 0'] }), { place });
  const { stdout } = await run(cleanGit(), command('ls-files', { flags: ['-z'] }), { place });
  expect(stdout.toString('latin1').split('\0').slice(0, -1).sort()).toEqual(many.slice(1).sort());
});

test('a log and a diff take bytes that are no UTF-8', async () => {
  const { folder, git } = scratch();
  git(folder, 'init');
  const odd = Buffer.from('caf\xe9', 'latin1');
  const blob = git(folder, 'hash-object', '-w', '--stdin', { input: 'x' }).toString().trim();
  git(folder, 'commit', '--allow-empty', '-m', 'empty');
  git(folder, 'update-index', '--index-info', {
    input: Buffer.concat([Buffer.from(`100644 ${blob}\t`), odd, Buffer.from('\n')]),
  });
  git(folder, 'commit', '-m', 'odd');
  const [head, parent] = git(folder, 'rev-list', 'HEAD').toString().split('\n') as [Oid, Oid];
  const place = placeOf(folder);
  const log = command('log', { options: { '--format': '%s' }, revisions: [head], paths: [odd] });
  expect((await run(cleanGit(), log, { place })).stdout.toString()).toBe('odd\n');
  const diff = command('diff', { flags: ['--name-only', '-z'], revisions: [parent, head], paths: [odd] });
  expect((await run(cleanGit(), diff, { place })).stdout).toEqual(Buffer.concat([odd, Buffer.from('\0')]));
  expect(() => command('blame', { paths: [odd] })).toThrow(expect.objectContaining({ code: 'unsupported' }));
});

test.each([
  '-x',
  '--all',
  '',
  '@',
  'a..b',
  'a b',
  'a\nb',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[',
  'a\\',
  '.a',
  'a.',
  'a/.b',
  'a//b',
  '/a',
  'a/',
  'a.lock',
  'a.lock/b',
  'a@{0}',
  '\ud800',
  'a\x7f',
])('%j is the name of no reference and of no remote', (text) => {
  expect(() => refName(text)).toThrow(expect.objectContaining({ code: 'invalid-ref' }));
  expect(() => remoteName(text)).toThrow(expect.objectContaining({ code: 'invalid-remote' }));
});

test('what is a reference for us is one for git', () => {
  const { folder, git } = scratch();
  for (const name of ['main', 'feature/x-y', 'ü/ß', 'a@b', 'v1.0', 'a{b', '#1', "it's", 'a;b', '$x']) {
    expect(refName(name)).toBe(name);
    git(folder, 'check-ref-format', `refs/heads/${name}`);
  }
});

test.each([
  '-oProxyCommand=x',
  'ext::sh -c x',
  'ssh://-oProxyCommand=x/y',
  'ssh://u@-oProxyCommand=x/y',
  '-x:y',
  'ftp://x/y',
  '/etc',
  '../x',
  'a::b',
  'https://a\nb',
  '',
  'u@-oProxyCommand=x:y',
])('%j is no address of a repository', (text) => {
  expect(() => toUrl(text)).toThrow(expect.objectContaining({ code: 'invalid-url' }));
});

test.each([
  'https://example.org/a.git',
  'ssh://git@example.org:22/a',
  'git@example.org:a/b.git',
  'file:///srv/a',
  'https://[::1]:8443/x',
])('%j is an address of a repository', (text) => {
  expect(toUrl(text)).toBe(text);
});

test('a push never forces, and says both ends', () => {
  const main = refName('refs/heads/main');
  expect(pushSpec(a, main)).toBe(`${a}:refs/heads/main`);
  expect(pushSpec(undefined, main)).toBe(':refs/heads/main');
  expect(fetchSpec(main, refName('refs/remotes/o/main'), true)).toBe('+refs/heads/main:refs/remotes/o/main');
  // a plus at the beginning would force
  const plus = refName('+main');
  for (const spec of [() => pushSpec(plus, main), () => pushSpec(main, plus), () => fetchSpec(plus, main)])
    expect(spec).toThrow(TypeError);
  expect(pushSpec(refName('refs/heads/+main'), main)).toBe('refs/heads/+main:refs/heads/main');
  const all = Object.values(verbs).flatMap((rule): readonly string[] => rule.flags);
  expect(verbs.push.flags as readonly string[]).not.toContain('--force');
  expect(all).not.toContain('--mirror-push');
  expect(stashEntry(2)).toBe('stash@{2}');
});

test('flags, options and operands that the table does not name are refused', () => {
  expect(() => command('diff', { flags: ['--no-index' as never] })).toThrow(TypeError);
  expect(() => command('diff', { options: { '--output': 'x' } as never })).toThrow(TypeError);
  expect(() => command('log', { options: { toString: 'x' } as never })).toThrow(TypeError);
  expect(() => command('status', { revisions: [a] })).toThrow(TypeError);
  expect(() => stashEntry(-1)).toThrow(TypeError);
});

test.each<[string, () => unknown]>([
  ['a NUL in a path', () => command('add', { paths: ['a\0b'] })],
  ['an empty path', () => command('add', { paths: [''] })],
  ['half a character in a path', () => command('add', { paths: ['\ud800'] })],
  ['a NUL in a value', () => command('log', { options: { '--grep': 'a\0b' } })],
  ['a second line in an author', () => command('commit', { options: { '--author': 'a <a>\nb' } })],
  ['a count that is none', () => command('log', { options: { '--max-count': -1 } })],
  ['a format that verifies signatures', () => command('log', { options: { '--format': '%H%n%G?' } })],
  ['a padded format that verifies', () => command('log', { options: { '--format': '%<(9)%+GS' } })],
  [
    'a format of references that verifies',
    () => command('for-each-ref', { options: { '--format': '%(*signature:key)' } }),
  ],
  ['a lease without an object', () => command('push', { options: { '--force-with-lease': 'main' } })],
])('%s is refused', (_, make) => {
  expect(make).toThrow(expect.objectContaining({ name: 'ToolError' }));
});

test("the program of the other end is git's own, after variables of git at most", () => {
  const pack = (value: string) => () => command('fetch', { options: { '--upload-pack': value } });
  const assigned = "GIT_COMMON_DIR='/a b'\\''c' GIT_CONFIG_COUNT='1' git-upload-pack";
  expect(pack(assigned).call(undefined).args).toContain(`--upload-pack=${assigned}`);
  for (const value of [
    'touch owned',
    "GIT_CONFIG_COUNT='1' x git-upload-pack",
    'git-upload-pack; touch owned',
    "GIT_DIR='a'; touch owned; GIT_DIR='b' git-upload-pack",
    "PATH='a' git-upload-pack",
    'GIT_DIR=$(touch owned) git-upload-pack',
  ])
    expect(pack(value)).toThrow(expect.objectContaining({ name: 'ToolError' }));
});

test('no verb has an option that names a program, or a file to read or to write', () => {
  const never = [
    ...[
      '-O',
      '--exec',
      '-c',
      '--output',
      '-F',
      '--file',
      '--template',
      '--open-files-in-pager',
      '--ext-diff',
    ],
    ...['--textconv', '--filters', '--contents', '--ignore-revs-file', '--pathspec-from-file', '--no-index'],
    ...['--separate-git-dir', '--reference', '--config', '--run', '--all-programs'],
    ...[
      '--recurse-submodules',
      '--remerge-diff',
      '--diff-merges=remerge',
      '--show-signature',
      '--force-push',
    ],
  ];
  for (const [verb, rule] of Object.entries(verbs)) {
    const named: string[] = [...rule.flags, ...Object.keys(rule.options)];
    const bad = named.filter((name) => never.includes(name));
    // the server carries settings into a file that it has found itself
    const own = verb.startsWith('config --') && verb !== 'config --list' ? ['--file'] : [];
    expect([verb, bad]).toEqual([verb, own]);
  }
});

test.each(Object.keys(verbs) as Verb[])('real git knows all that %s is always given', async (verb) => {
  const { folder, git } = scratch();
  git(folder, 'init');
  const environment = { GIT_ALLOW_PROTOCOL: 'none' };
  const reported = await run(cleanGit(), command(verb), { place: placeOf(folder), environment }).then(
    () => '',
    (error: Error) => error.message,
  );
  expect(reported).not.toMatch(
    /unknown (?:option|switch|subcommand)|is not a git command|unrecognized argument/,
  );
});
