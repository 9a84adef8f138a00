import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Scratch, scratch } from '../scratch.ts';
import { random } from './random.ts';

/** Names as byte strings; some are folders of others. */
export const names = [
  ...['a', 'a/inside', 'b', 'two  blanks', '-dash', '--cached', 'dir/a', 'dir/b', 'dir/deep/c', 'other/d'],
  ...[
    'x.log',
    'dir/y.log',
    'build/out',
    'build/deep/out',
    '.gitignore',
    'dir/.gitignore',
    ':(top)',
    'gr\xc3\xb6\xc3\x9fe',
  ],
  ...(process.platform === 'linux'
    ? [
        ' lead',
        'trail ',
        'q"x',
        '"q"',
        'back\\slash',
        'tab\t',
        'new\nline',
        'caf\xe9',
        'dir/\xff\xfe',
        '2 R. x',
        '? x',
        '*',
      ]
    : []),
];
const ignoring = ['*.log\n', 'build/\n', '*.log\n!y.log\nbuild/out\n', 'other\n'];
const MODULE = 'module';

export interface State {
  readonly repository: Scratch;
  /** where a repository lies in the other, if there is one */
  readonly module: string | undefined;
}

/** States that a repository goes through, one after the other; the same ones for a seed. */
export function* randomStates(seed: number, count: number): Generator<State> {
  const next = random(seed);
  const repository = scratch();
  const { folder, git } = repository;
  git(folder, 'init');
  for (let files = 4 + next(16); files > 0; files--) write(folder, pick(next, names), content(next));
  const module = next(3) === 0 ? makeModule(repository) : undefined;
  git(folder, 'add', '--all', '--force');
  if (next(6) > 0) git(folder, 'commit', '--allow-empty', '-m', 'base');
  for (let state = 0; state < count; state++) {
    for (let changes = 2 + next(8); changes > 0; changes--) mutate(repository, next, module);
    yield { repository, module };
  }
}

type Random = (below: number) => number;

function pick<T>(next: Random, all: readonly T[]): T {
  return all[next(all.length)]!;
}

/** A few lines of one of a few texts, so that there are renames and copies of every likeness; sometimes nothing. */
function content(next: Random): string {
  const text = next(5);
  if (text === 0) return next(2) === 0 ? '' : pick(next, ignoring);
  const lines = Array.from({ length: 12 }, (_, index) => `text ${text}, line ${index}\n`);
  for (let count = next(6); count > 0; count--) lines[next(lines.length)] = `${next(100)}\n`;
  return lines.join('');
}

const mutations: readonly ((repository: Scratch, next: Random, name: string) => void)[] = [
  ({ folder }, next, name) => write(folder, name, content(next)),
  ({ folder }, next, name) => write(folder, name, content(next)),
  ({ folder }, _, name) => remove(folder, name),
  ({ folder }, next, name) => move(folder, name, pick(next, names)),
  ({ folder }, next, name) => {
    if (isFile(folder, name)) chmodSync(place(folder, name), next(2) === 0 ? 0o755 : 0o644);
  },
  ({ folder }, _, name) => {
    // to nowhere, so that nothing is found behind it
    makeWay(folder, name);
    symlinkSync('nowhere', place(folder, name));
  },
  (repository, _, name) =>
    updateIndex(repository, ['--add', '--remove', '--replace', '--stdin'], `${name}\0`),
  (repository, _, name) =>
    updateIndex(repository, ['--add', '--remove', '--replace', '--stdin'], `${name}\0`),
  ({ folder, git }) => void git(folder, 'add', '--all'),
  (repository, _, name) => updateIndex(repository, ['--force-remove', '--stdin'], `${name}\0`),
  ({ folder, git }, _, name) => {
    const input = Buffer.from(`${name}\0`, 'latin1');
    const from = ['--pathspec-from-file=-', '--pathspec-file-nul'];
    const environment = { GIT_LITERAL_PATHSPECS: '1' };
    git(folder, 'add', '--intent-to-add', '--force', ...from, { input, environment, okay: [0, 128] });
  },
  (repository, next, name) => {
    const { folder, git } = repository;
    const stages = [1, 2, 3]
      .filter(() => next(3) > 0)
      .map((stage) => {
        const blob = git(folder, 'hash-object', '-w', '--stdin', { input: content(next) })
          .toString()
          .trim();
        return `${pick(next, ['100644', '100644', '100755', '120000'])} ${blob} ${stage}\t${name}\0`;
      });
    updateIndex(
      repository,
      ['--replace', '--index-info'],
      `0 ${'0'.repeat(40)}\t${name}\0${stages.join('')}`,
    );
  },
];

function mutate(repository: Scratch, next: Random, module: string | undefined): void {
  if (module !== undefined && next(8) === 0) mutateModule(repository, next, module);
  else pick(next, mutations)(repository, next, pick(next, names));
}

function updateIndex({ folder, git }: Scratch, args: readonly string[], input: string): void {
  // what git refuses, such as a folder as a file, changes nothing
  git(folder, 'update-index', '-z', ...args, { input: Buffer.from(input, 'latin1'), okay: [0, 128] });
}

function makeModule({ folder, git }: Scratch): string {
  const module = join(folder, MODULE);
  git(folder, 'init', module);
  writeFileSync(join(module, 'file'), 'x');
  git(module, 'add', 'file');
  git(module, 'commit', '-m', 'inner');
  return MODULE;
}

function mutateModule({ folder, git }: Scratch, next: Random, module: string): void {
  const inner = join(folder, module);
  if (next(3) === 0) git(inner, 'commit', '--allow-empty', '-m', 'new');
  else writeFileSync(join(inner, pick(next, ['file', 'untracked'])), content(next));
}

function write(folder: string, name: string, text: string): void {
  makeWay(folder, name);
  writeFileSync(place(folder, name), text);
}

function move(folder: string, from: string, to: string): void {
  if (!isFile(folder, from) || to.startsWith(`${from}/`)) return;
  makeWay(folder, to);
  if (isFile(folder, from)) renameSync(place(folder, from), place(folder, to));
}

/** Nothing at the place, and folders that lead to it. */
function makeWay(folder: string, name: string): void {
  const parts = name.split('/').slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth++) {
    const above = place(folder, parts.slice(0, depth).join('/'));
    if (lstatSync(above, { throwIfNoEntry: false })?.isDirectory() === false) rmSync(above);
  }
  mkdirSync(place(folder, parts.join('/')), { recursive: true });
  rmSync(place(folder, name), { recursive: true, force: true });
}

function remove(folder: string, name: string): void {
  try {
    rmSync(place(folder, name), { recursive: true, force: true });
  } catch (error) {
    // there is nothing below a file
    if ((error as NodeJS.ErrnoException).code !== 'ENOTDIR') throw error;
  }
}

function isFile(folder: string, name: string): boolean {
  return existsSync(place(folder, name)) && lstatSync(place(folder, name)).isFile();
}

function place(folder: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(name, 'latin1')]);
}
