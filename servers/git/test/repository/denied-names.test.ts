import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { call, Served } from '../harness.ts';
import { scratch } from '../scratch.ts';

const served = new Served();
const allowed = { 'allow-protocol': ['file'] };

/** A root with a repository in `main`, which is in the middle of a merge that has a conflict in these paths. */
function conflicted(...paths: string[]) {
  const { folder, git, write } = scratch();
  const top = join(folder, 'main');
  const commit = (text: string) => {
    for (const path of paths) write(join('main', path), `${text}\n`);
    git(top, 'add', '-Af', '.');
    git(top, 'commit', '-qm', text);
  };
  git(folder, 'init', '-q', 'main');
  commit('base');
  git(top, 'checkout', '-qb', 'side');
  commit('needle');
  git(top, 'checkout', '-q', 'main');
  commit('mine');
  git(top, 'merge', 'side', { okay: [1] });
  return { folder, top, git, write };
}

describe('a file of the work tree with a denied name', () => {
  test('is not written by the content of git_resolve, nor read for its parts', async () => {
    const { top } = conflicted('.env', 'open.txt');
    const client = await served.client([top]);
    const before = readFileSync(join(top, '.env'), 'utf8');
    const written = await call(client, 'git_resolve', { paths: ['.env'], content: 'x\n' });
    expect([written.failed, written.code]).toEqual([true, 'permission']);
    expect(readFileSync(join(top, '.env'), 'utf8')).toBe(before);
    const { facts } = await call<{ conflicts: { path: string; regions?: unknown[] }[] }>(
      client,
      'git_conflicts',
      { paths: ['.env', 'open.txt'] },
    );
    const parts = facts.conflicts.map(({ path, regions }) => [path, regions?.length]);
    expect(parts).toEqual([
      ['.env', undefined],
      ['open.txt', 1],
    ]);
    const open = await call(client, 'git_resolve', { paths: ['open.txt'], content: 'x\n' });
    expect([open.failed, readFileSync(join(top, 'open.txt'), 'utf8')]).toEqual([false, 'x\n']);
  });

  test('is written where --deny lifts it', async () => {
    const { top } = conflicted('.env');
    const client = await served.client([top], { extra: { deny: ['!.env'] } });
    const { failed, text } = await call(client, 'git_resolve', { paths: ['.env'], content: 'x\n' });
    expect([failed, text]).toEqual([false, expect.any(String)]);
    expect(readFileSync(join(top, '.env'), 'utf8')).toBe('x\n');
  });
});

describe('a repository', () => {
  test.each(['.git/modules/new', '.ssh/new', '.ssh', '.aws', 'link/new', '.SSH/new', 'own/new'])(
    'is neither cloned, begun nor given a work tree at %s',
    async (path) => {
      const { folder, git } = scratch();
      const top = join(folder, 'main');
      git(folder, 'init', '-q', 'main');
      git(top, 'commit', '-qm', 'one', '--allow-empty');
      mkdirSync(join(folder, '.ssh'));
      mkdirSync(join(folder, '.git/modules'), { recursive: true });
      mkdirSync(join(folder, 'own'));
      symlinkSync('.ssh', join(folder, 'link'));
      const client = await served.client([folder], { extra: { ...allowed, deny: ['own'] } });
      const calls = [
        ['git_clone', { url: top, path: join(folder, path) }],
        ['git_init', { repo_path: join(folder, path) }],
        ['git_worktree', { repo_path: top, action: 'add', path: join(folder, path), detach: true }],
      ] as const;
      for (const [tool, args] of calls) {
        const { failed, code, text } = await call(client, tool, args);
        expect([tool, failed, code, text]).toEqual([
          tool,
          true,
          expect.stringMatching(/^(?:permission|not-found)$/),
          expect.any(String),
        ]);
      }
      expect(existsSync(join(folder, '.ssh/new'))).toBe(false);
      expect(existsSync(join(folder, 'own/new'))).toBe(false);
      expect(existsSync(join(folder, '.git/modules/new'))).toBe(false);
      expect(git(top, 'worktree', 'list').toString().trim().split('\n')).toHaveLength(1);
    },
  );

  test('in a denied folder is neither listed nor opened, by any way to it', async () => {
    const { folder, git } = scratch();
    for (const name of ['open', 'vendor/lib', '.ssh']) git(folder, 'init', '-q', name);
    git(folder, 'init', '-q', '--bare', 'vendor/bare.git');
    symlinkSync('vendor/lib', join(folder, 'link'));
    git(join(folder, 'open'), 'commit', '-qm', 'one', '--allow-empty');
    git(join(folder, 'vendor/lib'), 'commit', '-qm', 'one', '--allow-empty');
    const client = await served.client([folder], { extra: { ...allowed, deny: ['vendor'] } });
    const { text } = await call(client, 'git_repositories', {});
    expect(text).toContain('open');
    expect(text).not.toMatch(/vendor|lib|ssh/);
    for (const path of ['vendor/lib', 'vendor/lib/.git', 'vendor/bare.git', 'link', '.ssh', '.ssh/.git'])
      expect([path, (await call(client, 'git_status', { repo_path: join(folder, path) })).code]).toEqual([
        path,
        'not-found',
      ]);
    const cloned = await call(client, 'git_clone', {
      url: join(folder, 'vendor/lib'),
      path: join(folder, 'copy'),
    });
    expect([cloned.code, existsSync(join(folder, 'copy'))]).toEqual(['not-found', false]);
    expect((await call(client, 'git_status', { repo_path: join(folder, 'open') })).failed).toBe(false);
    expect((await call(client, 'git_status', { repo_path: join(folder, 'open/.git') })).failed).toBe(false);
  });

  test('that is a root is served although its name is denied, and so is one whose git dir is a root', async () => {
    const { folder, git } = scratch();
    git(folder, 'init', '-q', '.ssh');
    git(join(folder, '.ssh'), 'commit', '-qm', 'one', '--allow-empty');
    for (const root of ['.ssh', '.ssh/.git']) {
      const client = await served.client([join(folder, root)]);
      expect([root, (await call(client, 'git_log', {})).failed]).toEqual([root, false]);
    }
  });

  test('in a denied folder is opened with --no-default-deny', async () => {
    const { folder, git } = scratch();
    git(folder, 'init', '-q', '.ssh');
    const client = await served.client([folder], { extra: { 'no-default-deny': true } });
    expect((await call(client, 'git_status', { repo_path: join(folder, '.ssh') })).failed).toBe(false);
  });
});
