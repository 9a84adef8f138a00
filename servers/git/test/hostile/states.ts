import { execFileSync } from 'node:child_process';
import type { GitInput, Scratch } from '../scratch.ts';

/** Runs the git of a test in a folder below the root; how it ends does not matter. */
type Plain = (name: string, ...args: string[]) => void;
/** Writes a file by its path from the root. */
type Write = (path: string, content: string) => void;

/** Brings a copy of the usual repository into a state. */
const states: Readonly<Record<string, (name: string, plain: Plain, write: Write) => void>> = {
  normal: () => undefined,
  merging: (name, plain) => plain(name, 'merge', 'side'),
  rebasing: (name, plain) => plain(name, 'rebase', '-i', 'main', 'side'),
  applying: (name, plain) => plain(name, 'rebase', '--apply', 'main', 'side'),
  picking: (name, plain) => plain(name, 'cherry-pick', 'v1..side'),
  reverting: (name, plain) => plain(name, 'revert', '--no-edit', 'v1', 'HEAD'),
  bisecting: (name, plain) => plain(name, 'bisect', 'start', 'main', 'v1~1'),
  split: (name, plain) => plain(name, 'update-index', '--split-index'),
  packed: (name, plain) => plain(name, 'pack-refs', '--all'),
  collected: (name, plain) => plain(name, 'gc', '-q'),
  sparse: (name, plain) => plain(name, 'sparse-checkout', 'set', 'folder'),
  rerere: (name, plain) => {
    plain(name, 'config', 'rerere.enabled', 'true');
    plain(name, 'merge', 'side');
  },
  attributed: (name, _, write) => {
    write(`${name}/.gitattributes`, '* filter=lfs diff=x merge=y\n');
    write(`${name}/.git/info/attributes`, '*.x text\n');
  },
};

/** The folders of `makeStates`, each the top of a work tree or a bare repository. */
export const everyState = [
  ...Object.keys(states),
  'bare',
  'shallow',
  'shared',
  'linked',
  'super',
  'super/sub',
];

/** Makes a repository of each state in the folder `root` of a scratch. */
export function makeStates(
  { folder, git, write: writeIn }: Scratch,
  environment: Readonly<Record<string, string>> = {},
): void {
  const root = `${folder}/root`;
  const ended = { okay: [0, 1, 2, 128, 129], environment } satisfies GitInput;
  const plain: Plain = (name, ...args) => void git(`${root}/${name}`, ...args, ended);
  const write: Write = (path, content) => void writeIn(`root/${path}`, content);
  makeBase('base', plain, write);
  for (const [name, change] of Object.entries(states)) {
    execFileSync('cp', ['-a', `${root}/base`, `${root}/${name}`]);
    change(name, plain, write);
  }
  const base = `${root}/base`;
  plain('.', 'clone', '-q', '--bare', base, 'bare');
  plain('.', 'clone', '-q', '--depth=1', `file://${base}`, 'shallow');
  plain('.', 'clone', '-q', '--shared', base, 'shared');
  plain('normal', 'worktree', 'add', '-q', '../linked', 'spare');
  plain('.', 'clone', '-q', base, 'super');
  plain('super', 'submodule', 'add', '-q', base, 'sub');
  plain('super', 'commit', '-qm', 'sub');
}

/** Two branches that conflict, a tag, a stash, a remote and a file that git does not know. */
function makeBase(name: string, plain: Plain, write: Write): void {
  plain('.', 'init', '-q', name);
  for (const [key, value] of [
    ['user.name', 'Ann Example'],
    ['user.email', 'ann@example.org'],
  ] as const)
    plain(name, 'config', key, value);
  const commit = (file: string, content: string): void => {
    write(`${name}/${file}`, content);
    plain(name, 'add', '.');
    plain(name, 'commit', '-qm', file);
  };
  commit('a', 'one\n');
  commit('folder/b', 'two\n');
  plain(name, 'branch', 'spare');
  plain(name, 'switch', '-qc', 'side');
  commit('a', 'side\n');
  commit('c', 'more\n');
  plain(name, 'switch', '-q', 'main');
  commit('a', 'main\n');
  plain(name, 'tag', '-a', 'v1', '-m', 'v1');
  commit('d', 'most\n');
  plain(name, 'remote', 'add', 'origin', '../bare');
  write(`${name}/a`, 'stashed\n');
  plain(name, 'stash', 'push', '-q');
  write(`${name}/e`, 'untracked\n');
}
