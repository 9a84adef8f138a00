import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Scope } from '@rootbound/kit/boundary';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openRepository } from '../../src/repository/open.ts';
import type { Repository } from '../../src/repository/repository.ts';
import { type Bounded, bounded, containments, failure } from './boundary.ts';

const none = { commonDirs: [] };

afterEach(() => vi.restoreAllMocks());

/** As if all that is there had not been changed for an hour: what was seen of it may be remembered. */
function anHourLater(): void {
  const later = Date.now() + 3_600_000;
  vi.spyOn(Date, 'now').mockReturnValue(later);
}

/** The members of a repository that a test compares. */
function facts({ kind, place, commonDir }: Repository) {
  return { kind, ...place, commonDir };
}

function normal(top: string) {
  const gitDir = join(top, '.git');
  return { kind: 'normal', gitDir, workTree: top, commonDir: gitDir };
}

/** A repository with one commit in `root/repo`. */
function withRepository(): Bounded & { readonly repo: string } {
  const made = bounded();
  const repo = join(made.root, 'repo');
  made.git(made.folder, 'init', repo);
  made.git(repo, 'commit', '--allow-empty', '-m', 'one');
  return { ...made, repo };
}

describe.each(containments)('%s', (containment) => {
  test('a repository is found from its top level, a folder in it, a file in it and its git dir', () => {
    const { repo, scope, write } = withRepository();
    const file = write('root/repo/deep/down/file.txt', '');
    for (const path of [
      repo,
      join(repo, 'deep', 'down'),
      file,
      join(repo, '.git'),
      join(repo, '.git', 'refs'),
    ])
      expect([path, facts(openRepository(scope(containment), path, none))]).toEqual([path, normal(repo)]);
    const relative = openRepository(scope(containment), 'repo/deep', none);
    expect([facts(relative), relative.root.name, relative.readOnly]).toEqual([normal(repo), 'root', false]);
  });

  test('one without a commit is a repository', () => {
    const { root, git, scope } = bounded();
    git(root, 'init', '.');
    expect(facts(openRepository(scope(containment), '.', none))).toEqual(normal(root));
  });

  test('one whose refs are a table is a repository: its HEAD names no branch', () => {
    const { repo, scope, write } = withRepository();
    write('root/repo/.git/HEAD', 'ref: refs/heads/.invalid\n');
    write('root/repo/.git/reftable/tables.list', '');
    expect(facts(openRepository(scope(containment), repo, none))).toEqual(normal(repo));
  });

  test('a folder in no repository is told apart from what is missing or outside', () => {
    const { root, outside, folder, git, scope } = bounded();
    git(folder, 'init', outside);
    mkdirSync(join(root, 'plain'));
    expect(failure(() => openRepository(scope(containment), 'plain', none))).toEqual({
      code: 'not-a-repository',
      message: 'no git repository here: plain',
      hint: 'name a folder in a repository whose top level lies inside the allowed roots, or a bare repository itself',
    });
    const [missing, beyond] = [join(root, 'none'), outside].map((path) =>
      failure(() => openRepository(scope(containment), path, none)),
    );
    expect([missing!.code, missing!.message.replace(join(root, 'none'), outside)]).toEqual([
      'not-found',
      beyond!.message,
    ]);
  });

  test('nothing above the roots is found, though git finds it', () => {
    const { folder, root, git, scope } = bounded();
    git(folder, 'init', '.');
    expect(git(root, 'rev-parse', '--show-toplevel').toString().trim()).toBe(folder);
    expect(failure(() => openRepository(scope(containment), root, none)).code).toBe('not-a-repository');
  });

  test('a root in a root does not hide the repository around it', () => {
    const { repo, scope } = withRepository();
    mkdirSync(join(repo, 'inner'));
    const found = openRepository(scope(containment, 'root', 'root/repo/inner'), join(repo, 'inner'), none);
    expect(facts(found)).toEqual(normal(repo));
  });

  test('a git dir without HEAD is passed over as git does, and named where nothing else is found', () => {
    const { root, repo, git, scope } = withRepository();
    const inner = join(repo, 'inner');
    git(root, 'init', inner);
    rmSync(join(inner, '.git', 'HEAD'));
    expect(git(inner, 'rev-parse', '--show-toplevel').toString().trim()).toBe(repo);
    expect(facts(openRepository(scope(containment), inner, none))).toEqual(normal(repo));
    rmSync(join(repo, '.git', 'HEAD'));
    const { code, message } = failure(() => openRepository(scope(containment), inner, none));
    expect([code, message.includes('no HEAD')]).toEqual(['not-a-repository', true]);
  });

  test('a repository in a repository is its own', () => {
    const { root, repo, git, scope } = withRepository();
    const inner = join(repo, 'inner');
    git(root, 'init', inner);
    expect(facts(openRepository(scope(containment), inner, none))).toEqual(normal(inner));
    expect(facts(openRepository(scope(containment), repo, none))).toEqual(normal(repo));
  });

  test('a submodule has its git dir in that of its superproject', () => {
    const { root, repo, git, scope } = withRepository();
    git(root, 'init', 'part');
    git(join(root, 'part'), 'commit', '--allow-empty', '-m', 'part');
    git(repo, '-c', 'protocol.file.allow=always', 'submodule', 'add', join(root, 'part'), 'sub/part');
    const workTree = join(repo, 'sub', 'part');
    const gitDir = join(repo, '.git', 'modules', 'sub', 'part');
    const expected = { kind: 'submodule', gitDir, workTree, commonDir: gitDir };
    expect(facts(openRepository(scope(containment), workTree, none))).toEqual(expected);
    expect(facts(openRepository(scope(containment), gitDir, none))).toEqual(expected);
    // with the submodule alone as a root its git dir is outside
    const refused = failure(() => openRepository(scope(containment, 'root/repo/sub/part'), workTree, none));
    expect(refused.code).toBe('not-found');
    expect(refused.message).toContain('.git leads to');
  });

  test('a linked worktree shares the git dir of its repository', () => {
    const { root, repo, git, scope } = withRepository();
    const workTree = join(root, 'linked');
    git(repo, 'worktree', 'add', workTree);
    const [linked, main] = [workTree, repo].map((path) => openRepository(scope(containment), path, none));
    const commonDir = join(repo, '.git');
    const gitDir = join(commonDir, 'worktrees', 'linked');
    expect(facts(linked!)).toEqual({ kind: 'linked-worktree', gitDir, workTree, commonDir });
    // a path in the git dir belongs to the main work tree
    expect(facts(openRepository(scope(containment), gitDir, none))).toEqual(normal(repo));
    expect(linked!.commonIdentity).toBe(main!.commonIdentity);
    expect(linked!.identity).not.toBe(main!.identity);
  });

  test('a linked worktree of a repository outside needs permission for its common dir', () => {
    const { folder, root, outside, git, scope } = bounded();
    git(folder, 'init', outside);
    git(outside, 'commit', '--allow-empty', '-m', 'one');
    const workTree = join(root, 'linked');
    git(outside, 'worktree', 'add', workTree);
    const commonDir = join(outside, '.git');
    const refused = failure(() => openRepository(scope(containment), workTree, none));
    expect([refused.code, refused.message.includes(outside)]).toEqual(['not-found', false]);
    const linked = openRepository(scope(containment), workTree, { commonDirs: [commonDir] });
    expect(facts(linked)).toEqual({
      kind: 'linked-worktree',
      gitDir: join(commonDir, 'worktrees', 'linked'),
      workTree,
      commonDir,
    });
    // the permission is for that worktree, not for what lies there
    for (const path of [outside, commonDir])
      expect(failure(() => openRepository(scope(containment), path, { commonDirs: [commonDir] })).code).toBe(
        'not-found',
      );
  });

  test('a permitted common dir may not lead further outside', () => {
    const { folder, root, outside, git, write, scope } = bounded();
    const main = join(outside, 'main');
    for (const name of ['main', 'secret']) {
      git(folder, 'init', join(outside, name));
      git(join(outside, name), 'commit', '--allow-empty', '-m', name);
    }
    const linked = join(root, 'linked');
    git(main, 'worktree', 'add', linked);
    write('outside/main/.git/objects/info/alternates', `${outside}/secret/.git/objects\n`);
    const secret = git(join(outside, 'secret'), 'rev-parse', 'HEAD').toString().trim();
    expect(git(linked, 'cat-file', '-p', secret).toString()).toContain('secret');
    const refused = failure(() =>
      openRepository(scope(containment), linked, { commonDirs: [join(main, '.git')] }),
    );
    expect(refused.message).toContain('objects/info/alternates leads to');
  });

  test('a worktree that was moved by hand is refused until git has repaired it', () => {
    const { root, repo, git, scope } = withRepository();
    git(repo, 'worktree', 'add', join(root, 'linked'));
    renameSync(join(root, 'linked'), join(root, 'moved'));
    expect(failure(() => openRepository(scope(containment), 'moved', none)).message).toContain(
      'worktrees/linked/gitdir leads to',
    );
    git(repo, 'worktree', 'repair', join(root, 'moved'));
    expect(openRepository(scope(containment), 'moved', none).kind).toBe('linked-worktree');
  });

  test('a bare repository is opened by its own path and never from inside', () => {
    const { root, repo, git, scope } = withRepository();
    const bare = join(root, 'bare.git');
    git(root, 'init', '--bare', bare);
    const expected = { kind: 'bare', gitDir: bare, workTree: undefined, commonDir: bare };
    expect(facts(openRepository(scope(containment), bare, none))).toEqual(expected);
    expect(failure(() => openRepository(scope(containment), join(bare, 'refs'), none)).code).toBe(
      'not-a-repository',
    );
    // one that came with the files of a repository: git would take its settings
    const embedded = join(repo, 'fixtures', 'embedded');
    git(root, 'init', '--bare', embedded);
    git(embedded, 'config', 'user.name', 'of the embedded one');
    expect(git(join(embedded, 'refs'), 'config', 'user.name').toString().trim()).toBe('of the embedded one');
    expect(facts(openRepository(scope(containment), join(embedded, 'refs'), none))).toEqual(normal(repo));
    expect(openRepository(scope(containment), embedded, none).kind).toBe('bare');
  });

  test('a folder whose gitfile names a bare repository beside it has no work tree, and its worktrees have one', () => {
    const { root, repo, git, scope } = withRepository();
    const project = join(root, 'project');
    git(root, 'clone', '--bare', repo, join(project, '.bare'));
    writeFileSync(join(project, '.git'), 'gitdir: ./.bare\n');
    git(project, 'worktree', 'add', join(project, 'main'), 'main');
    expect(openRepository(scope(containment), project, none)).toMatchObject({
      kind: 'bare',
      place: { gitDir: join(project, '.bare'), workTree: undefined },
    });
    expect(openRepository(scope(containment), join(project, 'main'), none)).toMatchObject({
      kind: 'linked-worktree',
      place: { workTree: join(project, 'main') },
    });
  });

  test('links and core.worktree that stay inside are followed', () => {
    const { root, repo, git, scope } = withRepository();
    const gitDir = join(root, 'elsewhere');
    renameSync(join(repo, '.git'), gitDir);
    symlinkSync(gitDir, join(repo, '.git'));
    renameSync(join(gitDir, 'objects'), join(root, 'objects'));
    symlinkSync('../objects', join(gitDir, 'objects'));
    const workTree = join(root, 'other');
    mkdirSync(workTree);
    git(repo, 'config', 'core.worktree', '../other');
    expect(git(repo, 'rev-parse', '--show-toplevel').toString().trim()).toBe(workTree);
    expect(openRepository(scope(containment), repo, none).place).toEqual({ gitDir, workTree });
  });

  test('what a root lost, or a narrower scope, is refused at the next call', () => {
    const { root, repo, git, scope } = withRepository();
    const shared = join(root, 'shared');
    git(root, 'clone', '--shared', repo, shared);
    anHourLater();
    const wide = scope(containment);
    for (let call = 0; call < 3; call++) expect(openRepository(wide, shared, none).kind).toBe('normal');
    const narrow = scope(containment, 'root/shared');
    const { code, message } = failure(() => openRepository(narrow, shared, none));
    expect([code, message.includes('objects/info/alternates leads to')]).toEqual(['not-found', true]);
    expect(openRepository(wide, shared, none).kind).toBe('normal');
    const revoked = new Scope({ roots: [], reason: 'none is left', containment });
    expect(failure(() => openRepository(revoked, shared, none)).code).toBe('no-roots');
  });

  test('a permission that was withdrawn is refused at the next call', () => {
    const { folder, root, outside, git, scope } = bounded();
    git(folder, 'init', outside);
    git(outside, 'commit', '--allow-empty', '-m', 'one');
    git(outside, 'worktree', 'add', join(root, 'linked'));
    const roots = scope(containment);
    const commonDirs = [join(outside, '.git')];
    expect(openRepository(roots, 'linked', { commonDirs }).kind).toBe('linked-worktree');
    expect(failure(() => openRepository(roots, 'linked', none)).code).toBe('not-found');
  });

  test('a repository that replaced another at the same path has another identity', () => {
    const { root, repo, git, scope } = withRepository();
    const roots = scope(containment);
    const [before, again] = [openRepository(roots, repo, none), openRepository(roots, repo, none)];
    expect(again.identity).toBe(before.identity);
    rmSync(join(repo, '.git'), { recursive: true });
    git(root, 'init', repo);
    const after = openRepository(roots, repo, none);
    expect(after.place).toEqual(before.place);
    expect([after.identity, after.commonIdentity]).not.toContain(before.identity);
    expect(after.commonIdentity).not.toBe(before.commonIdentity);
  });

  test('a link that replaced a folder which was looked at before is seen', () => {
    const { repo, outside, scope } = withRepository();
    const roots = scope(containment);
    anHourLater();
    for (let call = 0; call < 2; call++) openRepository(roots, repo, none);
    rmSync(join(repo, '.git', 'refs', 'tags'), { recursive: true });
    symlinkSync(outside, join(repo, '.git', 'refs', 'tags'));
    expect(failure(() => openRepository(roots, repo, none)).message).toContain('refs/tags leads to');
  });

  test('a link inside that now leads outside is seen, though its folder did not change', () => {
    const { root, repo, outside, scope } = withRepository();
    symlinkSync(join(root, 'tags'), join(repo, '.git', 'refs', 'more'));
    mkdirSync(join(root, 'tags'));
    const roots = scope(containment);
    anHourLater();
    for (let call = 0; call < 2; call++) expect(openRepository(roots, repo, none).kind).toBe('normal');
    rmSync(join(root, 'tags'), { recursive: true });
    symlinkSync(outside, join(root, 'tags'));
    expect(failure(() => openRepository(roots, repo, none)).message).toContain('refs/more leads to');
  });

  test('what the operator denies in a git dir is refused, since git would read it', () => {
    const { repo, outside, scope } = withRepository();
    const { roots, reason } = scope(containment);
    const denying = (name: string) => new Scope({ roots, reason, containment, deny: [name] });
    const printed = (name: string) => failure(() => openRepository(denying(name), repo, none)).message;
    expect(printed('config')).toContain('repo/.git/config leads to');
    mkdirSync(join(repo, '.git', 'refs', 'heads', 'a.key'));
    symlinkSync(outside, join(repo, '.git', 'refs', 'heads', 'a.key', 'far'));
    expect(printed('*.key')).toContain('refs/heads/a.key leads to');
  });

  test('names that are not ASCII are names', () => {
    const { root, git, scope } = bounded();
    const top = join(root, 'Grüße 日本 "quoted"');
    git(root, 'init', top);
    expect(facts(openRepository(scope(containment), top, none))).toEqual(normal(top));
  });

  test.runIf(process.platform === 'linux')(
    'a folder whose name is not UTF-8 is a folder of its repository',
    () => {
      const { root, repo, git, scope } = withRepository();
      const odd = Buffer.concat([Buffer.from(`${repo}/caf`), Buffer.of(0xe9)]);
      mkdirSync(odd);
      expect(facts(openRepository(scope(containment), `${repo}/caf\udce9`, none))).toEqual(normal(repo));
      renameSync(join(repo, '.git'), Buffer.concat([odd, Buffer.from('/.git')]));
      const { code, message } = failure(() => openRepository(scope(containment), `${repo}/caf\udce9`, none));
      expect([code, message.includes('its path is not UTF-8')]).toEqual(['unsupported', true]);
      git(root, 'init', '.');
      expect(facts(openRepository(scope(containment), repo, none))).toEqual(normal(root));
    },
  );

  test('a gitfile that is none, and a configuration that git does not read, are named', () => {
    const { root, repo, scope, write } = withRepository();
    const printed = (): string => failure(() => openRepository(scope(containment), repo, none)).message;
    write('root/repo/.git/config', '[core\n');
    expect(printed()).toContain('repo/.git/config is not a configuration that git reads');
    renameSync(join(repo, '.git'), join(root, 'kept'));
    write('root/repo/.git', 'something else\n');
    expect(printed()).toContain('repo/.git is a file that names no git dir');
  });

  test('a part in a read-only root makes the repository read-only', () => {
    const { root, repo, git, scope } = withRepository();
    git(repo, 'worktree', 'add', join(root, 'linked'));
    const { roots, reason } = scope(containment, 'root/repo', 'root/linked');
    const [first, second] = [{ ...roots[0]!, readOnly: true }, roots[1]!];
    const mixed = new Scope({ roots: [first, second], reason, containment });
    expect(openRepository(mixed, join(root, 'linked'), none)).toMatchObject({ readOnly: true, root: second });
  });
});
