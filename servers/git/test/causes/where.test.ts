import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { type Scratch, scratch } from '../scratch.ts';

const served = new Served();

function born({ git }: Scratch, top: string): string {
  git('/', 'init', '-q', top);
  git(top, 'commit', '-q', '--allow-empty', '-m', 'one');
  return top;
}

test('without repo_path the only repository below the roots is meant, however deep it is', async () => {
  const made = scratch();
  const { folder, git, write } = made;
  const top = born(made, join(folder, 'deep/down/repo'));
  write('other/file', '');
  const client = await served.client([folder]);
  const status = await call(client, 'git_status');
  expect([status.text, (await call(client, 'git_overview')).facts.repository]).toEqual([
    'on main\nnothing to commit, nothing changed',
    top,
  ]);
  write('deep/down/repo/a', 'x\n');
  git(top, 'config', 'user.name', 'Ann');
  git(top, 'config', 'user.email', 'ann@example.org');
  await call(client, 'git_add', { files: ['a'] });
  expect((await call(client, 'git_commit', { message: 'two' })).failed).toBe(false);
  expect(git(top, 'log', '-1', '--format=%s').toString()).toBe('two\n');
});

test('repositories inside of the only one do not count', async () => {
  const made = scratch();
  const top = born(made, join(made.folder, 'repo'));
  born(made, join(top, 'part'));
  const client = await served.client([made.folder]);
  expect((await call(client, 'git_overview')).facts.repository).toBe(top);
});

test('a root among others is meant where it alone is a repository', async () => {
  const [one, plain] = [scratch(), scratch()];
  born(one, one.folder);
  mkdirSync(join(plain.folder, 'sub'));
  const client = await served.client([plain.folder, one.folder]);
  expect((await call(client, 'git_overview')).facts.repository).toBe(one.folder);
});

test.each([
  ['a root', (folder: string) => [folder]],
  ['several roots', (folder: string) => [join(folder, 'a'), join(folder, 'b')]],
])('without repo_path several repositories in %s are named', async (_, roots) => {
  const made = scratch();
  const tops = ['a', 'b'].map((name) => born(made, join(made.folder, name)));
  const client = await served.client(roots(made.folder));
  for (const tool of ['git_status', 'git_fetch']) {
    const { text, code } = await call(client, tool);
    expect([code, text]).toEqual([
      'invalid-arguments',
      `repo_path is missing, and the roots hold more than one repository: ${tops.join(', ')}\ngive one as repo_path; git_repositories lists all`,
    ]);
  }
});

test('without repo_path the only repository is refused with its own reason', async () => {
  const { folder, write } = scratch();
  write('stray/.git', 'gitdir: /nowhere\n');
  const { code, text } = await call(await served.client([folder]), 'git_status');
  expect([code, text]).toEqual(['not-found', expect.stringContaining('stray/.git leads to')]);
});

test('a root inside a repository says how far above it the repository begins, and no more', async () => {
  const made = scratch();
  born(made, made.folder);
  made.write('secret', '');
  mkdirSync(join(made.folder, 'packages/one/src'), { recursive: true });
  const root = join(made.folder, 'packages/one');
  const client = await served.client([root]);
  for (const [args, displayPath] of [
    [{}, root],
    [{ repo_path: 'src' }, 'src'],
    [{ repo_path: join(root, 'src') }, join(root, 'src')],
  ] as const) {
    const { text, code } = await call(client, 'git_status', args);
    expect([code, text]).toEqual([
      'not-a-repository',
      `no git repository here: ${displayPath}: one begins above the root, at ../.. from it\nnothing above a root is read: the operator can make that folder a root`,
    ]);
  }
  expect((await call(client, 'git_repositories')).text).toBe(
    'no repositories in the allowed roots: one begins above the root, at ../.. from it\nnothing above a root is read: the operator can make that folder a root',
  );
});

test('a root in no repository says only that', async () => {
  const { folder } = scratch();
  const { text } = await call(await served.client([folder]), 'git_status');
  expect(text).toBe(
    `no git repository here: ${folder}\nname a folder in a repository whose top level lies inside the allowed roots, or a bare repository itself`,
  );
});

test('a linked work tree of a repository outside names the option that permits it, and not where that is', async () => {
  const [inside, outside] = [scratch(), scratch()];
  born(outside, outside.folder);
  outside.git(outside.folder, 'worktree', 'add', '-q', join(inside.folder, 'linked'));
  const client = await served.client([inside.folder]);
  const refused = [
    await call(client, 'git_status'),
    await call(client, 'git_log', { repo_path: 'linked' }),
    await call(client, 'git_repositories'),
  ];
  for (const { text } of refused) {
    expect(text).toContain('linked/.git leads to what is missing or outside');
    expect(text).toContain('--allow-common-dir <that .git>');
    expect(text).not.toContain(outside.folder);
  }
  const allowed = { extra: { 'allow-common-dir': [join(outside.folder, '.git')] } };
  expect((await call(await served.client([inside.folder], allowed), 'git_status')).text).toMatch(
    /^on linked/,
  );
});

test('a git dir outside of what is no linked work tree does not name that option', async () => {
  const [inside, outside] = [scratch(), scratch()];
  born(outside, outside.folder);
  inside.write('module/.git', `gitdir: ${outside.folder}/.git\n`);
  const { text } = await call(await served.client([inside.folder]), 'git_status', { repo_path: 'module' });
  expect(text).toContain('add a root that holds what it leads to');
});
