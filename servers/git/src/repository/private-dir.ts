import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { isInside, makeOwnFolder, removeOwnFolder, type Scope } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import type { Place } from '../run/work-place.ts';
import type { Given } from './given.ts';
import { entryAt } from './links.ts';
import { realOf } from './named.ts';
import type { Repository } from './repository.ts';

/** The parts of a common directory that git reads and writes directly. Git sees no part without a row here. */
const folders = ['logs', 'modules', 'objects', 'refs', 'reftable', 'rr-cache', 'worktrees'];
const files = ['info/attributes', 'info/exclude', 'info/grafts', 'packed-refs', 'shallow'];

/** Besides them, the files in the git dir of the main work tree that git reads to learn which branches are in use. */
const standing = {
  folders: ['rebase-apply', 'rebase-merge', 'sequencer'],
  files: ['BISECT_LOG', 'BISECT_NAMES', 'BISECT_START', 'FETCH_HEAD', 'ORIG_HEAD', 'index'],
};

/** A branch name that git forbids. */
const noHead = 'ref: refs/heads/.none\n';

/** The configuration that replaces the operator's, where it has to. */
const operatorFile = 'operator-config';

/** The name of the server's own folders. */
const ownName = 'rootbound-git';

/**
 * Returns the place for runs of git that only read: a common directory in a folder of this process, whose `config` has
 * the given text and whose other parts are links into the repository. Git sees no other settings of the repository,
 * none of its hooks and none of its includes.
 *
 * @param heads is true where git is to see the branch that the main work tree has checked out. git takes the folder for
 * the main work tree: otherwise the branch of the repository itself would be one that another work tree has.
 */
export function readingPlace(repository: Repository, given: Given, heads = false): Place {
  const name = createHash('sha256')
    .update(`${repository.identity}\0${repository.place.gitDir}\0${repository.commonDir}\0${heads}`)
    .digest('hex');
  const path = join(baseFor(repository.opened.roots), name.slice(0, 24));
  const text = textsOf(repository, given, heads);
  const written = texts.get(path);
  const there = lstatSync(join(path, 'config'), { throwIfNoEntry: false }) !== undefined;
  if (!there || written === undefined || !isSame(written, text)) fill(repository, path, text, heads);
  remember(path, text);
  return placeIn(repository, path, given, heads);
}

interface Texts extends Given {
  readonly head: string;
  /** the parts that are links to outside, of which the folder has none */
  readonly without: string;
}

function textsOf(repository: Repository, given: Given, heads: boolean): Texts {
  return { ...given, head: headOf(repository, heads), without: repository.passedOver.join(' ') };
}

/** The texts in each folder for reading, the least recently requested first: no run uses that one. */
const texts = new Map<string, Texts>();
const mostFolders = 1_000;

function isSame(one: Texts, other: Texts): boolean {
  return (['config', 'operator', 'head', 'without'] as const).every((text) => one[text] === other[text]);
}

function remember(path: string, text: Texts): void {
  texts.delete(path);
  texts.set(path, text);
  const [oldest] = texts.keys();
  if (texts.size <= mostFolders || oldest === undefined) return;
  texts.delete(oldest);
  removeOwnFolder(oldest);
}

/** A common directory for one run of git that writes. */
export interface PrivateDir {
  readonly place: Place;
  /** the settings that git was given */
  readonly before: Texts;
  /** Returns the settings as they are now. */
  read(): Texts;
  /** Removes the list of commits where a shallow clone ends, where git has removed the link to it. */
  carryShallow(): void;
  remove(): void;
}

/**
 * Creates such a directory for one run that writes, so that every change in it is the work of that run alone. @param
 * made names the folders of the common directory that git creates itself, but not behind a link
 */
export function makePrivateDir(
  repository: Repository,
  given: Given,
  { heads, made }: { readonly heads: boolean; readonly made: readonly string[] },
): PrivateDir {
  const path = join(baseFor(repository.opened.roots), randomBytes(12).toString('hex'));
  const before = textsOf(repository, given, heads);
  makeLogs(repository);
  for (const name of made) makeFolder(join(repository.commonDir, name));
  fill(repository, path, before, heads);
  const isThere = (file: string) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  const shallow = join(repository.commonDir, 'shallow');
  const wasShallow = isThere(shallow);
  const textIn = (name: string) => readFileSync(join(path, name), 'latin1');
  return {
    place: placeIn(repository, path, given, heads),
    before,
    read: () => ({ ...before, config: textIn('config'), head: textIn('HEAD') }),
    carryShallow: () => {
      if (wasShallow && !isThere(join(path, 'shallow'))) rmSync(shallow, { force: true });
    },
    remove: () => removeOwnFolder(path),
  };
}

/** Creates the folder of reflogs where git would create it with the first one: git creates no folder behind a link. */
export function makeLogs({ place, commonDir, settings }: Repository): void {
  const set = settings.obeyed.findLast(({ key }) => key === 'core.logallrefupdates')?.value;
  const keeps = place.workTree !== undefined && !/^(?:false|no|off|0|)$/i.test(set ?? 'true');
  if (keeps) makeFolder(join(commonDir, 'logs'));
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch {
    // something else is there, or nothing may be created: git reports the consequence
  }
}

/** Returns the `.git` files of the existing linked work trees. */
export function linksOf(commonDir: string): string[] {
  const folder = join(commonDir, 'worktrees');
  if (entryAt(folder)?.isDirectory() !== true) return [];
  return readdirSync(folder).flatMap((name) => {
    const file = join(folder, name, 'gitdir');
    if (entryAt(file)?.isFile() !== true) return [];
    const link = readFileSync(file, 'utf8').trimEnd();
    return existsSync(link) ? [link] : [];
  });
}

function isMain({ kind }: Repository): boolean {
  return kind !== 'linked-worktree';
}

function headOf(repository: Repository, heads: boolean): string {
  return heads || !isMain(repository) ? readFileSync(join(repository.commonDir, 'HEAD'), 'latin1') : noHead;
}

function placeIn(repository: Repository, path: string, { operator }: Given, heads: boolean): Place {
  const { place, commonDir } = repository;
  const operatorConfig = operator === undefined ? undefined : join(path, operatorFile);
  const visible = { workTree: place.workTree, commonDir: path, operatorConfig };
  if (isMain(repository)) return { ...visible, gitDir: heads ? path : place.gitDir };
  // git recognises a linked work tree as the current one by this path alone
  const known = place.gitDir.startsWith(`${commonDir}${sep}`);
  return { ...visible, gitDir: known ? join(path, place.gitDir.slice(commonDir.length)) : place.gitDir };
}

function fill(repository: Repository, path: string, { config, operator, head }: Texts, heads: boolean): void {
  mkdirSync(join(path, 'info'), { recursive: true, mode: 0o700 });
  const { commonDir, passedOver } = repository;
  for (const name of passedOver) rmSync(join(path, name), { force: true });
  link(commonDir, path, { folders, files: files.filter((name) => !passedOver.includes(name)) });
  if (heads && isMain(repository)) link(repository.place.gitDir, path, standing);
  replace(join(path, 'HEAD'), head);
  if (operator !== undefined) replace(join(path, operatorFile), operator);
  replace(join(path, 'config'), config);
}

function link(from: string, path: string, names: typeof standing): void {
  try {
    for (const name of names.folders) linkOne(join(from, name), join(path, name), 'junction');
    for (const name of names.files) linkOne(join(from, name), join(path, name), 'file');
  } catch (cause) {
    throw new ToolError('the server could not make links in its folder for temporary files', {
      code: 'unsupported',
      hint: 'allow symbolic links (on Windows: Developer Mode), or trust the repository',
      cause,
    });
  }
}

function linkOne(target: string, path: string, type: 'junction' | 'file'): void {
  try {
    symlinkSync(target, path, type);
  } catch (error) {
    // the folder was filled before
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function replace(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, 'latin1');
  renameSync(`${file}.new`, file);
}

/** By the folder that contains it: the folder of this process. */
const bases = new Map<string, string>();

/** Returns the folder of this process, outside of the roots where a place outside of them exists. */
function baseFor({ roots }: Scope): string {
  const parents = [process.env.XDG_RUNTIME_DIR, tmpdir(), join(homedir(), '.cache')];
  const usable = parents.flatMap((parent) => realFolder(parent) ?? []);
  const parent = usable.find((each) => roots.every(({ real }) => !isInside(each, real))) ?? usable[0];
  if (parent === undefined)
    throw new ToolError('there is no folder for temporary files', {
      code: 'unsupported',
      hint: 'set TMPDIR',
    });
  let base = bases.get(parent);
  if (base === undefined || lstatSync(base, { throwIfNoEntry: false }) === undefined) {
    base = makeOwnFolder(ownName, parent);
    const made = base;
    process.once('exit', () => removeOwnFolder(made));
    bases.set(parent, base);
  }
  return base;
}

const reals = new Map<string, string | undefined>();

function realFolder(path: string | undefined): string | undefined {
  if (path === undefined || path === '') return undefined;
  if (!reals.has(path)) reals.set(path, realOf(path));
  return reals.get(path);
}
