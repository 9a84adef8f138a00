import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import { expect, test } from 'vitest';
import { openRepository } from '../../src/repository/open.ts';
import { cleanEnvironment } from '../scratch.ts';
import { full, sampled } from '../seeds.ts';
import { bounded } from './boundary.ts';

const { root, folder, git, scope } = bounded();

/** A folder with one of each kind of repository, in each of which `.git` is at the same place. */
function pattern(): string {
  const path = join(folder, 'pattern');
  git(folder, 'init', '-q', path);
  git(path, 'commit', '-q', '--allow-empty', '-m', 'around');
  const inner = join(path, 'inner');
  git(folder, 'init', '-q', inner);
  git(inner, 'commit', '-q', '--allow-empty', '-m', 'inner');
  git(inner, 'worktree', 'add', '-q', '../linked');
  git(folder, 'init', '-q', '--separate-git-dir', join(path, 'apart'), join(path, 'split'));
  git(join(path, 'split'), 'commit', '-q', '--allow-empty', '-m', 'split');
  return path;
}

const id = 'ab'.repeat(20);
const put = (file: string, content: string | Buffer, mode = 0o644): void => {
  rmSync(file, { recursive: true, force: true });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { mode });
  chmodSync(file, mode);
};
const linked = (file: string, target: string): void => {
  rmSync(file, { recursive: true, force: true });
  symlinkSync(target, file);
};

type Mutation = readonly [name: string, change: (gitDir: string) => void];

const heads: readonly Mutation[] = [
  ...[
    id,
    id.toUpperCase(),
    `${id}x`,
    id.slice(1),
    id + id.slice(0, 24),
    `ref: refs/heads/main`,
    'ref:refs/x',
  ],
  ...['ref:\t \r\n refs/heads/x', 'Ref: refs/heads/x', 'ref: heads/x', 'ref: refs', '', '\n', `\n${id}`],
  ...['ref:\u00a0refs/heads/x', `ref:${' '.repeat(300)}refs/x`, 'ref: refs/\0x', 'ref: /refs/x', 'gitdir: x'],
].map(
  (content): Mutation => [`HEAD ${JSON.stringify(content).slice(0, 40)}`, (at) => put(`${at}/HEAD`, content)],
);
const links: readonly Mutation[] = [
  'refs/heads/main',
  'refs/none',
  'config',
  '../x',
  './refs/heads/main',
].map((target): Mutation => [`HEAD -> ${target}`, (at) => linked(`${at}/HEAD`, target)]);
const parts: readonly Mutation[] = ['objects', 'refs'].flatMap((part): Mutation[] => [
  [`no ${part}`, (at) => rmSync(`${at}/${part}`, { recursive: true, force: true })],
  [`${part} is a file`, (at) => put(`${at}/${part}`, '')],
  [`${part} is an executable file`, (at) => put(`${at}/${part}`, '', 0o755)],
  [`${part} is a link to a file`, (at) => linked(`${at}/${part}`, 'config')],
  [`${part} is a link to nothing`, (at) => linked(`${at}/${part}`, 'nothing')],
  [
    `${part} is an empty folder`,
    (at) => {
      rmSync(`${at}/${part}`, { recursive: true, force: true });
      mkdirSync(`${at}/${part}`);
    },
  ],
]);
const pointers: readonly Mutation[] = [
  '..',
  '../',
  '.',
  '../..',
  './/../',
  '..\n',
  '..\r\n',
  '..\n\n',
  '.. ',
  ' ..',
  '..\t',
]
  .concat('..\0', '..\n\0', '..\0\n', '\0..', '', '\n', '/', 'none', '../../inner/.git', '../HEAD')
  .map((text): Mutation => [`commondir ${JSON.stringify(text)}`, (at) => put(`${at}/commondir`, text)]);
const others: readonly Mutation[] = [
  ['no HEAD', (at) => rmSync(`${at}/HEAD`)],
  [
    'HEAD is a folder',
    (at) => {
      rmSync(`${at}/HEAD`);
      mkdirSync(`${at}/HEAD`);
    },
  ],
  [
    'an empty folder',
    (at) => {
      rmSync(at, { recursive: true });
      mkdirSync(at);
    },
  ],
  ['nothing', () => undefined],
  [
    'a FIFO',
    (at) => {
      rmSync(at, { recursive: true });
      execFileSync('mkfifo', [at]);
    },
  ],
  [
    'a link to the git dir',
    (at) => {
      renameSync(at, `${at}-kept`);
      symlinkSync('.git-kept', at);
    },
  ],
  ['a link to nothing', (at) => linked(at, 'nothing')],
];
const gitfiles: readonly string[] = [
  ...['gitdir: X', 'gitdir: X\n', 'gitdir: X\r\n', 'gitdir: X\n\n', 'gitdir: X \n', 'gitdir: X/', 'gitdir:X'],
  ...[
    'gitdir:  X',
    'Gitdir: X',
    ' gitdir: X',
    'gitdir: X\0',
    'gitdir: X\n\0',
    'gitdir: X\0\n',
    'gitdir: X\nmore',
  ],
  ...[
    'gitdir: ',
    'gitdir: \n',
    'gitdir: \0X',
    '',
    'gitdir: .',
    'gitdir: ..',
    'gitdir: X/../X',
    'gitdir: none',
  ],
  ...['gitdir: ./X', 'gitdir: //X', '\ufeffgitdir: X', 'gitdir: "X"', 'gitdir: ~/X', '# x\ngitdir: X'],
];

interface Case {
  readonly name: string;
  /** below the pattern */
  readonly at: string;
  readonly change: (dotGit: string) => void;
}

const cases: readonly Case[] = [
  ...[...heads, ...links, ...parts, ...pointers, ...others].flatMap(([name, change]): Case[] => [
    { name: `inner: ${name}`, at: 'inner', change },
    ...(name.startsWith('commondir') || name.startsWith('HEAD')
      ? [{ name: `linked: ${name}`, at: 'linked', change: (dotGit: string) => change(realGitDir(dotGit)) }]
      : []),
  ]),
  ...gitfiles.flatMap((text): Case[] =>
    ['../apart', 'ABSOLUTE'].map((target) => ({
      name: `split: ${JSON.stringify(text)} ${target}`,
      at: 'split',
      change: (dotGit) => {
        const path = target === 'ABSOLUTE' ? join(dirname(dirname(dotGit)), 'apart') : target;
        put(dotGit, text.replaceAll('X', path));
        // what a line end in a name leads to
        for (const odd of ['\n', ' ', '\n\n'])
          cpSync(join(dotGit, '../../apart'), join(dotGit, `../../apart${odd}`), { recursive: true });
      },
    })),
  ),
];

const realGitDir = (dotGit: string): string =>
  readFileSync(dotGit, 'utf8').slice('gitdir: '.length).trimEnd();

/** The git dir and common dir that git finds from a folder, undefined where it finds none. */
function gitFinds(cwd: string): readonly string[] | undefined {
  try {
    const env = { ...cleanEnvironment(), GIT_CEILING_DIRECTORIES: dirname(root) };
    const ask = (what: string): string => {
      const args = ['-c', 'safe.bareRepository=explicit', 'rev-parse', what];
      const printed = execFileSync('git', args, {
        cwd,
        env,
        stdio: ['ignore', 'pipe', 'ignore'],
        timeout: 120_000,
      });
      return realpathSync(resolve(cwd, printed.toString().slice(0, -1)));
    };
    return [ask('--absolute-git-dir'), ask('--git-common-dir')];
  } catch (error) {
    if (error instanceof Error && 'status' in error) return undefined;
    throw error;
  }
}

function weFind(path: string): readonly string[] | 'refused' {
  try {
    const { place, commonDir } = openRepository(scope('best-effort'), path, { commonDirs: [] });
    return [place.gitDir, commonDir];
  } catch (error) {
    if (error instanceof ToolError) return 'refused';
    throw error;
  }
}

test('where git finds a repository the server finds that one or refuses, whatever stands in its place', () => {
  const first = pattern();
  const differing: unknown[] = [];
  let same = 0;
  for (const [index, { name, at, change }] of sampled([...cases.entries()])) {
    const copy = join(root, `case-${index}`);
    execFileSync('cp', ['-a', first, copy]);
    repoint(copy, first);
    change(join(copy, at, '.git'));
    const [theirs, ours] = [gitFinds(join(copy, at)), weFind(join(copy, at))];
    if (ours !== 'refused' && theirs !== undefined && ours.join() !== theirs.join())
      differing.push([name, theirs, ours]);
    if (ours !== 'refused' && theirs !== undefined) same++;
    rmSync(copy, { recursive: true });
  }
  expect(differing).toEqual([]);
  expect(same).toBeGreaterThan(full ? 10 : 3);
}, 600_000);

/** Writes anew what names the place of the pattern. */
function repoint(copy: string, first: string): void {
  for (const file of ['linked/.git', 'split/.git', 'inner/.git/worktrees/linked/gitdir', 'apart/config']) {
    const path = join(copy, file);
    if (existsSync(path)) writeFileSync(path, readFileSync(path, 'utf8').replaceAll(first, copy));
  }
}
