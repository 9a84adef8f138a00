import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { vi } from 'vitest';
import { type GitInput, scratch } from '../../scratch.ts';
import { type Behaviour, Recorder, type Started } from './recorder.ts';

/** The hooks of githooks(5) that git itself starts by their name. */
export const hooks = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit'],
  ...['prepare-commit-msg', 'commit-msg', 'post-commit', 'pre-rebase', 'post-checkout', 'post-merge'],
  ...['pre-push', 'pre-receive', 'update', 'proc-receive', 'post-receive', 'post-update'],
  ...['reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'post-rewrite', 'post-index-change'],
] as const;

/** The settings of the repository that always name a program. */
const programs: readonly (readonly [key: string, behaviour: Behaviour, args?: string])[] = [
  ['filter.plain.clean', 'filter', ' %f'],
  ['filter.plain.smudge', 'filter', ' %f'],
  ['filter.staying.process', 'process'],
  ['filter.smudged.smudge', 'filter', ' %f'],
  ['merge.own.driver', 'driver', ' %O %A %B %L %P'],
  ['core.editor', 'editor'],
  ['sequence.editor', 'editor'],
  ['gpg.program', 'gpg'],
  ['credential.helper', 'credential'],
  ['core.sshCommand', 'ssh'],
];

const attributes = [
  ...['*.plain filter=plain', '*.staying filter=staying', '*.smudged filter=smudged'],
  ...['*.own merge=own', '*.diff diff=own', ''],
].join('\n');

/** The operator's environment, beside what the tests have of their own. */
const operator = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_DATE: '1767225600 +0000',
  GIT_COMMITTER_DATE: '1767225600 +0000',
  LANG: 'C.UTF-8',
  EDITOR: 'editor-of-the-operator',
  PAGER: 'pager-of-the-operator',
  OWN_VARIABLE: 'some value = of the operator',
};

/** The operator's own, who has a repository of another user for safe. */
const settingsOf = (safe: string): string =>
  `[user]\n\tname = Ann\n\temail = ann@example.org\n[safe]\n\tdirectory = ${safe}\n`;

/** Seconds: when the files of the pattern were written, those of a case, and those that git wrote for it. */
const [first, changed, checkedOut] = [1_700_000_000, 1_700_001_000, 1_700_002_000];

/** A command line of git, and what it reads. */
export type HandCommand = readonly (string | { readonly input: string })[];

/**
 * Repositories with a recorder at each place where git starts a program: one with a linked work tree, a bare one, one to
 * fetch from. They are always at the same paths, so that what two runs record can be compared.
 */
export class Site {
  readonly recorder: Recorder;
  /** holds all that a run may change */
  readonly folder: string;
  /** holds what a server may use */
  readonly root: string;
  readonly main: string;
  readonly linked: string;
  readonly bare: string;
  readonly shared: string;
  readonly origin: string;
  readonly #home: string;
  readonly #git: (cwd: string, ...args: readonly (string | GitInput)[]) => Buffer;
  #isMade = false;

  constructor() {
    const { folder, git } = scratch();
    this.recorder = new Recorder(folder);
    this.folder = join(folder, 'site');
    this.root = join(this.folder, 'root');
    this.main = join(this.root, 'main');
    this.linked = join(this.root, 'linked');
    this.bare = join(this.root, 'bare.git');
    this.shared = join(this.folder, 'shared');
    this.origin = join(this.shared, 'origin.git');
    this.#home = join(folder, 'home');
    mkdirSync(this.#home);
    writeFileSync(join(this.#home, '.gitconfig'), settingsOf(this.main));
    this.#git = git;
  }

  /** Puts the repositories of the pattern there, and gives this process the environment of the operator. */
  begin(): void {
    for (const [key, value] of Object.entries({ ...operator, HOME: this.#home })) vi.stubEnv(key, value);
    for (const key of ['GIT_EDITOR', 'XDG_CONFIG_HOME']) vi.stubEnv(key, undefined);
    if (this.#isMade) this.#copy('pattern', 'site');
    else this.#make();
    this.#isMade = true;
  }

  /** Runs git without hooks. */
  git(cwd: string, ...args: readonly string[]): string {
    return this.#git(cwd, '-c', 'core.hooksPath=/dev/null', ...args).toString();
  }

  /** Has git begin what stops half-way. */
  stop(cwd: string, ...args: readonly string[]): void {
    this.#git(cwd, '-c', 'core.hooksPath=/dev/null', ...args, { okay: [1, 128] });
  }

  set(cwd: string, key: string, value: string): void {
    this.git(cwd, 'config', key, value);
  }

  /** Has git take the files of a copy for those that the index knows. */
  settleCopies(top: string): void {
    this.set(top, 'core.trustctime', 'false');
    this.set(top, 'core.checkStat', 'minimal');
  }

  /** Has a setting name a recorder. */
  record(cwd: string, key: string, behaviour: Behaviour, args = ''): void {
    this.set(cwd, key, this.recorder.program(key, behaviour) + args);
  }

  write(path: string, content: string, mode = 0o644): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content, { mode });
    utimesSync(path, changed, changed);
  }

  /** Makes files older than the index: by their time alone git then knows whether they are changed. */
  settle(top: string, files = top, time = checkedOut, recent = Date.now() - 86_400_000): void {
    for (const entry of readdirSync(files, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      if (path.includes('/.git') || !entry.isFile()) continue;
      if (statSync(path).mtimeMs > recent) utimesSync(path, time, time);
    }
    this.#git(top, 'update-index', '-q', '--refresh', { okay: [0, 1] });
  }

  /** Keeps all as it is now, with the files that are worked with. */
  keep(top: string, files: string): void {
    if (top !== this.bare) this.settle(top, files);
    this.#copy('site', 'kept');
  }

  /** Puts all back as it was kept; once. */
  restore(): void {
    rmSync(this.folder, { recursive: true });
    renameSync(join(dirname(this.folder), 'kept'), this.folder);
    this.recorder.clear();
  }

  /** Runs git as somebody does in a shell, without a terminal: what it started. */
  async byHand(cwd: string, commands: readonly HandCommand[]): Promise<Started[]> {
    this.recorder.clear();
    for (const command of commands) {
      const args = command.filter((part) => typeof part === 'string');
      const given = command.find((part) => typeof part !== 'string');
      const child = spawn('git', args, {
        cwd,
        env: { ...process.env, PWD: cwd },
        stdio: [given === undefined ? 'ignore' : 'pipe', 'ignore', 'ignore'],
      });
      child.stdin?.end(given?.input);
      await once(child, 'close');
    }
    return this.recorder.take();
  }

  /** Where all references are. */
  refs(cwd: string): string {
    return this.git(cwd, '-c', 'safe.directory=*', 'show-ref', '--head');
  }

  #copy(from: string, to: string): void {
    const [source, target] = [from, to].map((name) => join(dirname(this.folder), name)) as [string, string];
    rmSync(target, { recursive: true, force: true });
    cpSync(source, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
  }

  #make(): void {
    const { main, linked, bare, origin } = this;
    const commit = (message: string, files: Readonly<Record<string, string>>): void => {
      for (const [name, content] of Object.entries(files)) this.write(join(main, name), content);
      this.git(main, 'add', '.');
      this.git(main, 'commit', '-qm', message);
    };
    mkdirSync(main, { recursive: true });
    this.git(main, 'init', '-q', '--template=');
    this.settleCopies(main);
    commit('first', {
      '.gitattributes': attributes,
      ...{ 'file.txt': 'one\ntwo\nthree\n', 'other.txt': 'other\n', 'sub/inner.txt': 'inner\n' },
      ...{ 'a.plain': 'plain\n', 'a.staying': 'staying\n', 'a.smudged': 'smudged\n' },
      ...{ 'a.own': 'own\n', 'a.diff': 'diff\n' },
    });
    this.git(main, 'switch', '-qc', 'side');
    commit('side', { 'a.own': 'side\n', 'side.txt': 'side\n', 'a.smudged': 'side\n' });
    this.git(main, 'switch', '-qc', 'filtered', 'main');
    commit('filtered', { 'a.own': 'filtered\n', 'a.plain': 'filtered\n', 'a.staying': 'filtered\n' });
    this.git(main, 'switch', '-qc', 'clash', 'main');
    commit('clash', { 'file.txt': 'one\nclash\nthree\n' });
    this.git(main, 'switch', '-q', 'main');
    commit('second', { 'a.own': 'main\n', 'file.txt': 'one\nmain\nthree\n' });
    this.git(main, 'tag', 'v1');
    for (const path of [origin, bare]) this.git(main, 'clone', '-q', '--bare', '--template=', main, path);
    this.git(main, 'remote', 'add', 'origin', origin);
    this.git(main, 'fetch', '-q', 'origin');
    this.git(main, 'branch', '-q', '--set-upstream-to=origin/main');
    this.git(main, 'worktree', 'add', '-qb', 'linked', linked);
    this.git(main, 'branch', '-q', '--set-upstream-to=origin/main', 'linked');
    const tree = this.git(origin, 'rev-parse', 'side^{tree}').trim();
    const theirs = this.git(origin, 'commit-tree', '-p', 'main', '-m', 'theirs', tree).trim();
    this.git(origin, 'update-ref', 'refs/heads/main', theirs);
    for (const [key, behaviour, args] of programs) this.record(main, key, behaviour, args);
    for (const gitDir of [join(main, '.git'), bare]) {
      for (const hook of hooks)
        this.write(join(gitDir, 'hooks', hook), this.recorder.script(`hooks/${hook}`), 0o755);
    }
    // a few files are copied sooner than many
    for (const repository of [main, origin, bare]) this.git(repository, 'gc', '-q');
    for (const top of [main, linked]) this.settle(top, top, first, 0);
    this.#copy('site', 'pattern');
  }
}
