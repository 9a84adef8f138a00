import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import type { Scratch } from '../scratch.ts';

const sides = ['source', 'head', 'index', 'work'] as const;

/** The entry at a path: text, an executable file, a link, or nothing. */
const usual = ['none', 'one', 'two', 'three', 'executable', 'link'] as const;

/** `intended` is of the index alone, an empty `folder` and a link to a folder with files (`far`) of the work tree. */
export type Version = (typeof usual)[number] | 'intended' | 'folder' | 'far' | 'ignore';

/** A path in the commit before HEAD, in HEAD, in the index and in the work tree. */
export type Path = Readonly<Record<(typeof sides)[number], Version>>;

/** The paths of a repository. */
export type State = Readonly<Record<string, Path>>;

const names = ['a', 'b', 'dir/c', 'dir/d', 'e', 'x.log', 'far/c'] as const;
/** More than an undo names one by one. */
const many = Array.from({ length: 24 }, (_, index) => `many/${String(index).padStart(2, '0')}`);

const version: fc.Arbitrary<Version> = fc.constantFrom('none', 'none', 'one', ...usual);
const changed = fc.oneof(fc.constant(undefined), version);

/** Each side has what the side before it has, or another version. */
const path: fc.Arbitrary<Path> = fc
  .tuple(version, changed, changed, changed)
  .map(([source, head = source, index = head, work = index]) => ({ source, head, index, work }));

/** The sides on which `dir` is a file. */
const filesAt: fc.Arbitrary<readonly (keyof Path)[]> = fc.oneof(
  fc.constant([]),
  fc.subarray([...sides], { minLength: 1 }),
);

/** Versions that are in few places, and of which one has git behave otherwise everywhere. */
const rare = fc.constantFrom('', '', '', 'intended', 'folder', 'far', 'unchanged', 'untracked');

export const states: fc.Arbitrary<State> = fc
  .tuple(
    fc.tuple(...names.map(() => path)),
    path,
    filesAt,
    rare,
    fc.constantFrom(false, false, false, true),
    fc.tuple(path, path),
  )
  .map(([paths, dir, filesOn, rarely, isMany, [first, others]]) => {
    const state: Record<string, Path> = Object.fromEntries(names.map((name, at) => [name, paths[at]!]));
    for (const [at, name] of many.entries()) if (isMany) state[name] = at === 0 ? first : others;
    state.dir = dir;
    for (const side of sides) {
      const isFile = filesOn.includes(side) && dir[side] !== 'none';
      for (const name of ['dir', 'dir/c', 'dir/d'])
        if ((name === 'dir') !== isFile) state[name] = { ...state[name]!, [side]: 'none' };
    }
    return withRare(state, rarely);
  });

function withRare(state: Record<string, Path>, rare: string): State {
  if (rare === 'intended') state.b = { ...state.b!, index: 'intended', work: 'one' };
  if (rare === 'folder') state.b = { ...state.b!, work: 'folder' };
  if (rare === 'far')
    for (const name of ['dir', 'dir/c', 'dir/d'])
      state[name] = { ...state[name]!, work: name === 'dir' ? 'far' : 'none' };
  if (rare === 'unchanged' || rare === 'untracked')
    for (const [name, { source, head }] of Object.entries(state)) {
      const work = rare === 'untracked' && head === 'none' && !name.startsWith('dir') ? source : head;
      state[name] = { source, head, index: head, work };
    }
  return state;
}

/** Makes a repository with a state in a new folder of another. */
export function makeState({ folder, git }: Scratch, name: string, state: State): string {
  const repo = join(folder, name);
  git(folder, 'init', '-q', repo);
  writeFileSync(join(repo, '.git/config'), '[user]\n\tname = Ann\n\temail = ann@example.org\n', {
    flag: 'a',
  });
  git(repo, '-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', { input: commits(state) });
  git(repo, 'update-index', '--add', '--index-info', { input: entries(state) });
  for (const [path, { work }] of [...Object.entries(state), ignoring]) write(join(repo, path), work);
  const intended = Object.keys(state).filter((path) => state[path]!.index === 'intended');
  if (intended.length > 0) git(repo, 'add', '--intent-to-add', '--force', '--', ...intended);
  git(repo, 'update-index', '-q', '--refresh', { okay: [0, 1] });
  return repo;
}

const texts: Readonly<Record<Version, string>> = {
  ...{ none: '', intended: '', folder: '', far: 'far' },
  ...{ one: 'one\n', two: 'two\n', three: 'no end', executable: 'one\n', link: 'nowhere', ignore: '*.log\n' },
};
const ignoring = [
  '.gitignore',
  { source: 'ignore', head: 'ignore', index: 'ignore', work: 'ignore' },
] as const satisfies [string, Path];

/** The two commits, and every text, as `git fast-import` reads them. */
function commits(state: State): string {
  const data = (text: string) => `data ${text.length}\n${text}\n`;
  const commit = (side: 'source' | 'head') => {
    const files = pathsOf(state, side).map(
      ([path, version]) => `M ${modeOf(version)} inline ${path}\n${data(texts[version])}`,
    );
    const whose = `committer Ann <ann@example.org> ${side === 'head' ? 2 : 1} +0000\n`;
    return `commit refs/heads/main\n${whose}${data(side)}deleteall\n${files.join('')}\n`;
  };
  const blobs = [...new Set(Object.values(texts))].map((text) => `blob\n${data(text)}`);
  return [...blobs, commit('source'), commit('head')].join('');
}

function entries(state: State): string {
  const lines = pathsOf(state, 'index').map(([path, version]) => {
    const text = texts[version];
    const oid = createHash('sha1').update(`blob ${text.length}\0${text}`).digest('hex');
    return `${modeOf(version)} ${oid}\t${path}\n`;
  });
  return lines.join('');
}

function pathsOf(state: State, side: keyof Path): [string, Version][] {
  const all = [...Object.entries(state), ignoring].map(([path, of]) => [path, of[side]] as [string, Version]);
  return all.filter(([, version]) => version !== 'none' && version !== 'intended');
}

function modeOf(version: Version): string {
  if (version === 'link') return '120000';
  return version === 'executable' ? '100755' : '100644';
}

function write(place: string, version: Version): void {
  if (version === 'none') return;
  mkdirSync(version === 'folder' ? place : dirname(place), { recursive: true });
  if (version === 'folder') return;
  if (version === 'link' || version === 'far') symlinkSync(texts[version], place);
  else writeFileSync(place, texts[version]);
  if (version === 'executable') chmodSync(place, 0o755);
}
