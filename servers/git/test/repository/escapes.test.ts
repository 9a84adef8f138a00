import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { auditOf } from '../../src/repository/audit.ts';
import { givenTo } from '../../src/repository/given.ts';
import { openRepository } from '../../src/repository/open.ts';
import { submodulesOf } from '../../src/repository/submodules.ts';
import { findGit } from '../../src/run/git.ts';
import { type Bounded, bounded, containments, failure } from './boundary.ts';

/** A repository inside the roots that leads outside. */
interface Escape {
  /** Builds on `root/repo`, a repository with one commit, and `outside/secret`, with one commit as well. */
  build(made: Made): void;
  /** what plain git prints there that only the outside knows */
  visible(made: Made): readonly [args: readonly string[], marker: string];
  /** the file that the refusal names, below the root */
  readonly file: string;
}

interface Made extends Bounded {
  readonly repo: string;
  readonly secret: string;
  /** the commit of the secret repository */
  readonly commit: string;
}

const git = (path: string): string => `repo/.git${path}`;
const subject = 'a secret subject';

function make(): Made {
  const made = bounded();
  const repo = join(made.root, 'repo');
  const secret = join(made.outside, 'secret');
  for (const folder of [repo, secret]) made.git(made.folder, 'init', folder);
  made.git(repo, 'commit', '-m', 'inside', '--allow-empty');
  made.write('outside/secret/secret-file.txt', 'secret content');
  made.git(secret, 'add', '.');
  made.git(secret, 'commit', '-m', subject);
  const commit = made.git(secret, 'rev-parse', 'HEAD').toString().trim();
  return { ...made, repo, secret, commit };
}

/** Puts a link to a file or folder of the secret git dir in the place of ours. */
function linkInstead({ repo, secret }: Made, name: string): void {
  rmSync(join(repo, '.git', name), { recursive: true, force: true });
  symlinkSync(join(secret, '.git', name), join(repo, '.git', name));
}

const log = ['log', '--all', '--format=%s'];

const escapes: Readonly<Record<string, Escape>> = {
  'a gitfile that names a git dir outside': {
    build: ({ repo, secret }) => {
      rmSync(join(repo, '.git'), { recursive: true });
      writeFileSync(join(repo, '.git'), `gitdir: ${secret}/.git\n`);
    },
    visible: () => [log, subject],
    file: git(''),
  },
  'a gitfile that names one by going up': {
    build: ({ repo }) => {
      rmSync(join(repo, '.git'), { recursive: true });
      writeFileSync(join(repo, '.git'), 'gitdir: ../../outside/secret/.git\r\n');
    },
    visible: () => [log, subject],
    file: git(''),
  },
  'a .git that is a link to a git dir outside': {
    build: ({ repo, secret }) => {
      rmSync(join(repo, '.git'), { recursive: true });
      symlinkSync(join(secret, '.git'), join(repo, '.git'));
    },
    visible: () => [log, subject],
    file: git(''),
  },
  'a .git that is a link to a gitfile outside': {
    build: ({ repo, write }) => {
      rmSync(join(repo, '.git'), { recursive: true });
      symlinkSync(write('outside/gitfile', 'gitdir: ../../outside/secret/.git'), join(repo, '.git'));
    },
    visible: () => [log, subject],
    file: git(''),
  },
  'core.worktree outside': {
    build: ({ repo, secret, git: run }) => run(repo, 'config', 'core.worktree', secret),
    visible: () => [['ls-files', '--others'], 'secret-file.txt'],
    file: git('/config'),
  },
  'core.worktree outside, written to be overlooked': {
    build: ({ repo, secret }) =>
      appendFileSync(join(repo, '.git', 'config'), `# [\n [CORE] WorkTree=\\\n"${secret}" ; harmless\n`),
    visible: () => [['ls-files', '--others'], 'secret-file.txt'],
    file: git('/config'),
  },
  'core.worktree outside in config.worktree': {
    build: ({ repo, secret, git: run, write }) => {
      run(repo, 'config', 'core.repositoryFormatVersion', '1');
      run(repo, 'config', 'extensions.worktreeConfig', 'true');
      write('root/repo/.git/config.worktree', `[core]\n\tworktree = ${secret}\n`);
    },
    visible: () => [['ls-files', '--others'], 'secret-file.txt'],
    file: git('/config.worktree'),
  },
  'alternates outside': {
    build: ({ write, secret }) => write('root/repo/.git/objects/info/alternates', `${secret}/.git/objects\n`),
    visible: ({ commit }) => [['cat-file', '-p', commit], subject],
    file: git('/objects/info/alternates'),
  },
  'alternates outside in quotes behind a comment': {
    build: ({ write, secret }) =>
      write('root/repo/.git/objects/info/alternates', `# none\n"${secret}/.gi\\164/objects"`),
    visible: ({ commit }) => [['cat-file', '-p', commit], subject],
    file: git('/objects/info/alternates'),
  },
  'alternates outside behind the quotes of another': {
    build: ({ write, secret }) =>
      write('root/repo/.git/objects/info/alternates', `"/none"?${secret}/.git/objects`),
    visible: ({ commit }) => [['cat-file', '-p', commit], subject],
    file: git('/objects/info/alternates'),
  },
  'alternates of alternates outside': {
    build: ({ root, write, secret, git: run }) => {
      for (const name of ['second', 'third']) run(root, 'init', '--bare', name);
      write('root/repo/.git/objects/info/alternates', '../../../second/objects\n');
      write('root/second/objects/info/alternates', `${root}/third/objects\n`);
      write('root/third/objects/info/alternates', `${secret}/.git/objects\n`);
    },
    visible: ({ commit }) => [['cat-file', '-p', commit], subject],
    file: 'third/objects/info/alternates',
  },
  'alternates that go up from where a link inside leads': {
    build: ({ repo, root, write, git: run }) => {
      symlinkSync(root, join(repo, '.git', 'objects', 'top'));
      // by its text the path leads here
      run(root, 'init', '--bare', join(repo, '.git', 'objects', 'outside', 'secret', '.git'));
      write('root/repo/.git/objects/info/alternates', 'top/../outside/secret/.git/objects\n');
    },
    visible: ({ commit }) => [['cat-file', '-p', commit], subject],
    file: git('/objects/info/alternates'),
  },
  'a common dir outside': {
    build: ({ repo, secret }) => {
      writeFileSync(join(repo, '.git', 'commondir'), `${secret}/.git\n`);
    },
    visible: () => [log, subject],
    file: git('/commondir'),
  },
  'a common dir outside, named by a link': {
    build: (made) => {
      const pointer = made.write('outside/pointer', `${made.secret}/.git\n`);
      symlinkSync(pointer, join(made.repo, '.git', 'commondir'));
    },
    visible: () => [log, subject],
    file: git('/commondir'),
  },
  'objects that are a link to outside': {
    build: (made) => linkInstead(made, 'objects'),
    visible: ({ commit }) => [['cat-file', '-p', commit], subject],
    file: git('/objects'),
  },
  'one folder of objects that is a link to outside': {
    build: (made) => linkInstead(made, join('objects', made.commit.slice(0, 2))),
    visible: ({ commit }) => [['cat-file', '-p', commit], subject],
    file: git('/objects/'),
  },
  'packs that are a link to outside': {
    build: (made) => {
      made.git(made.secret, 'repack', '-ad');
      linkInstead(made, join('objects', 'pack'));
    },
    visible: ({ commit }) => [['cat-file', '-p', commit], subject],
    file: git('/objects/pack'),
  },
  'refs that are a link to outside': {
    build: (made) => linkInstead(made, 'refs'),
    visible: ({ commit }) => [['rev-parse', 'main'], commit],
    file: git('/refs'),
  },
  'refs that are a link to a folder inside with a link to outside': {
    build: ({ repo, root, secret }) => {
      renameSync(join(repo, '.git', 'refs'), join(root, 'refs'));
      symlinkSync(join(root, 'refs'), join(repo, '.git', 'refs'));
      symlinkSync(join(secret, '.git', 'refs', 'heads'), join(root, 'refs', 'heads', 'far'));
    },
    visible: ({ commit }) => [['rev-parse', 'refs/heads/far/main'], commit],
    file: 'refs/heads/far',
  },
  'a ref that is a link to outside': {
    build: (made) => linkInstead(made, join('refs', 'heads', 'main')),
    visible: ({ commit }) => [['rev-parse', 'main'], commit],
    file: git('/refs/heads/main'),
  },
  'packed refs that are a link to outside': {
    build: (made) => {
      made.git(made.secret, 'pack-refs', '--all');
      rmSync(join(made.repo, '.git', 'refs', 'heads', 'main'));
      linkInstead(made, 'packed-refs');
    },
    visible: ({ commit }) => [['rev-parse', 'main'], commit],
    file: git('/packed-refs'),
  },
  'a HEAD that is a link to outside': {
    build: (made) => {
      made.git(made.secret, 'checkout', '-b', 'secret-branch');
      rmSync(join(made.repo, '.git', 'HEAD'));
      // git takes no link for a HEAD that does not begin so
      symlinkSync('refs/../../../../outside/secret/.git/HEAD', join(made.repo, '.git', 'HEAD'));
    },
    visible: () => [['symbolic-ref', 'HEAD'], 'secret-branch'],
    file: git('/HEAD'),
  },
  'reflogs that are a link to outside': {
    build: (made) => {
      made.git(made.secret, 'commit', '--allow-empty', '-m', 'second');
      linkInstead(made, join('logs', 'refs', 'heads'));
    },
    visible: ({ commit }) => [['rev-parse', 'main@{1}'], commit],
    file: git('/logs/refs/heads'),
  },
  'an index that is a link to outside': {
    build: (made) => linkInstead(made, 'index'),
    visible: () => [['ls-files'], 'secret-file.txt'],
    file: git('/index'),
  },
  'a configuration that is a link to outside': {
    build: (made) => {
      made.git(made.secret, 'config', 'user.name', 'a secret name');
      linkInstead(made, 'config');
    },
    visible: () => [['config', 'user.name'], 'a secret name'],
    file: git('/config'),
  },
  'a note on a linked worktree that is a link to outside': {
    build: ({ repo, root, git: run, write }) => {
      run(repo, 'worktree', 'add', join(root, 'linked'));
      symlinkSync(
        write('outside/note', 'a secret note'),
        join(repo, '.git', 'worktrees', 'linked', 'locked'),
      );
    },
    visible: () => [['worktree', 'list', '--porcelain'], 'a secret note'],
    file: git('/worktrees/linked/locked'),
  },
  'a folder of a rebase that is a link to outside': {
    build: ({ repo, outside, write }) => {
      write('outside/rebase/head-name', 'refs/heads/a-secret-branch');
      write('outside/rebase/onto', '0123456789');
      symlinkSync(join(outside, 'rebase'), join(repo, '.git', 'rebase-merge'));
    },
    visible: () => [['status'], 'a-secret-branch'],
    file: git('/rebase-merge'),
  },
};

describe.each(containments)('%s', (containment) => {
  test.each(Object.entries(escapes))(
    '%s is refused where plain git follows it',
    (_, { build, visible, file }) => {
      const made = make();
      const before = openRepository(made.scope(containment), made.repo, { commonDirs: [] });
      expect(before.place).toEqual({ gitDir: join(made.repo, '.git'), workTree: made.repo });
      build(made);
      const [args, marker] = visible(made);
      expect(made.git(made.repo, ...args).toString()).toContain(marker);
      const { code, message } = failure(() =>
        openRepository(made.scope(containment), made.repo, { commonDirs: [] }),
      );
      expect(code).toBe('not-found');
      expect(message).toContain(file);
      expect(message).toContain('leads to what is missing or outside');
      expect(message).not.toContain(made.outside);
    },
  );

  test.each([
    ['that is there', 'settings'],
    ['that is missing', 'missing'],
  ])('a file outside %s, which a configuration includes, is passed over', async (_, name) => {
    const { repo, outside, git: run, write, scope } = make();
    write('outside/settings', '[user]\n\tname = a secret name\n');
    write('root/repo/.git/more', `[includeIf "gitdir:**"]\n\tpath = ${outside}/${name}\n`);
    run(repo, 'config', 'include.path', 'more');
    const repository = openRepository(scope(containment), repo, { commonDirs: [] });
    const { given, suppressed } = await auditOf(findGit(), repository);
    expect(given.config).not.toMatch(/include|secret/);
    expect(suppressed.map(({ what }) => what)).toEqual(['include', 'include']);
  });

  test('a core.worktree that an included file sets moves nothing, as with plain git', () => {
    const { repo, secret, git: run, write, scope } = make();
    write('root/repo/.git/more', `[core]\n\tworktree = ${secret}\n`);
    run(repo, 'config', 'include.path', 'more');
    expect(run(repo, 'ls-files', '--others').toString()).toBe('');
    expect(openRepository(scope(containment), repo, { commonDirs: [] }).place.workTree).toBe(repo);
  });

  test('a gitfile that borrows a worktree of a permitted repository is refused: that worktree says it is elsewhere', () => {
    const { folder, root, outside, secret, git: run, scope } = make();
    run(secret, 'worktree', 'add', join(outside, 'linked'));
    const thief = join(root, 'thief');
    mkdirSync(thief);
    writeFileSync(join(thief, '.git'), `gitdir: ${secret}/.git/worktrees/linked\n`);
    expect(run(thief, ...log).toString()).toContain(subject);
    const commonDirs = [join(secret, '.git')];
    const refused = failure(() => openRepository(scope(containment), thief, { commonDirs }));
    expect([refused.code, refused.message.includes(`${folder}/outside`)]).toEqual(['not-found', false]);
    expect(refused.message).toContain('gitdir leads to');
  });

  test('a gitfile that names a permitted common dir itself is refused', () => {
    const { root, secret, git: run, scope } = make();
    const thief = join(root, 'thief');
    mkdirSync(thief);
    writeFileSync(join(thief, '.git'), `gitdir: ${secret}/.git\n`);
    expect(run(thief, ...log).toString()).toContain(subject);
    const commonDirs = [join(secret, '.git')];
    const { code, message } = failure(() => openRepository(scope(containment), thief, { commonDirs }));
    expect([code, message.includes('thief/.git leads to')]).toEqual(['not-found', true]);
  });

  test('a submodule is opened with the rights of its superproject, and with no more', async () => {
    const { repo, secret, outside, git: run, scope, write } = make();
    const commonDirs = [join(secret, '.git')];
    const opened = async () => {
      const repository = openRepository(scope(containment), repo, { commonDirs });
      return submodulesOf(findGit(), repository, givenTo(repository, undefined));
    };
    run(repo, 'submodule', 'add', secret, 'part');
    expect((await opened()).map(({ kind }) => kind)).toEqual(['submodule']);
    for (const target of [`${outside}/none`, `${secret}/.git`]) {
      rmSync(join(repo, 'part', '.git'));
      write('root/repo/part/.git', `gitdir: ${target}\n`);
      await expect(opened()).rejects.toMatchObject({ code: 'not-found' });
    }
    expect(run(join(repo, 'part'), ...log).toString()).toContain(subject);
  });
});
