import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { oncePerFile, type Scratch, scratch } from '../scratch.ts';
import { makeStates } from './states.ts';

/** A repository of one state in a root of its own, and beside the root what no call may reach. */
export interface HostileSite {
  readonly folder: string;
  readonly root: string;
  /** the top of the work tree, or the bare repository */
  readonly top: string;
  readonly gitDir: string;
  /** the same, but for linked work trees */
  readonly commonDir: string;
  /** a program that leaves the marker, then does as filters do */
  readonly payload: string;
  /** a folder with a file and a repository, each with the token in its content and in a name */
  readonly outside: string;
  /** whatever holds it was read outside */
  readonly token: string;
  /** Begins to look for what calls do: what is there now is what the author of the repository has made. */
  watch(): Watched;
  remove(): void;
}

/** The harm that calls have done, in words; empty where they did none. */
export interface Watched {
  /** what was run */
  ran(): string[];
  /** what was run or changed, or holds what is outside */
  damage(): string[];
}

const patternOf = oncePerFile(makePattern);

/** Makes a site from a copy of the repository of a state. */
export function siteOf(state: string): HostileSite {
  const pattern = patternOf();
  const { folder } = scratch();
  const token = `T${randomUUID().replaceAll('-', '')}`;
  const root = join(folder, 'root');
  mkdirSync(root);
  for (const name of copiedWith(state)) cpSync(join(pattern.folder, 'root', name), join(root, name), copying);
  if (state === 'linked') lead(pattern.folder, folder);
  const payload = join(folder, 'payload');
  const marker = join(folder, 'fired');
  writeFileSync(payload, `#!/bin/sh\necho "$0 $*" >> '${marker}'\ncat 2>/dev/null\nexit 0\n`);
  chmodSync(payload, 0o755);
  const outside = join(folder, 'outside');
  cpSync(join(pattern.folder, 'outside'), outside, copying);
  writeFileSync(join(outside, 'secret'), `${token}\n`);
  writeFileSync(join(outside, token), 'named\n');
  const top = join(root, state);
  // its time is not that of the index and its size is, so that git must read it
  if (state !== 'bare') utimesSync(join(top, 'a'), 1_700_000_000, 1_700_000_000);
  const gitDir = { bare: top, 'super/sub': join(root, 'super/.git/modules/sub') }[state] ?? join(top, '.git');
  const commonDir = state === 'linked' ? join(root, 'normal/.git') : gitDir;
  const ran = () => (existsSync(marker) ? [`ran: ${readFileSync(marker, 'utf8').trim()}`] : []);
  return {
    ...{ folder, root, top, payload, outside, token, commonDir },
    gitDir: state === 'linked' ? join(commonDir, 'worktrees/linked') : gitDir,
    watch: () => {
      rmSync(marker, { force: true });
      const before = digestOf(outside);
      return {
        ran,
        damage: () => [
          ...ran(),
          ...(digestOf(outside) === before ? [] : ['what is outside was changed']),
          ...filesWith(root, token).map((file) => `${file} holds what is outside`),
        ],
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

const copying = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };

/** The other repositories that one of a state needs. */
function copiedWith(state: string): string[] {
  const others: Readonly<Record<string, string[]>> = { linked: ['normal'], shared: ['base'] };
  return ['bare', ...(others[state] ?? []), ...(state === 'bare' ? [] : [state.split('/')[0]!])];
}

/** Has a linked work tree and its repository lead to each other where they are now. */
function lead(from: string, to: string): void {
  for (const file of ['linked/.git', 'normal/.git/worktrees/linked/gitdir']) {
    const path = join(to, 'root', file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(from, to));
  }
}

function makePattern(): Scratch {
  const made = scratch();
  mkdirSync(join(made.folder, 'root'));
  // what git copies into a new one, sample hooks above all, says nothing here and is most of the files
  makeStates(made, { GIT_TEMPLATE_DIR: '' });
  const victim = join(made.folder, 'outside', 'victim');
  made.write('outside/victim/kept', 'kept\n');
  made.git(victim, 'init', '-q', '--template=');
  made.git(victim, 'add', '.');
  made.git(victim, 'commit', '-qm', 'kept');
  return made;
}

/** A sum over what is in a folder: names, kinds, modes, contents. */
function digestOf(folder: string): string {
  const hash = createHash('sha256');
  const visit = (path: string): void => {
    const stat = lstatSync(path);
    hash.update(`${path}\0${stat.mode}\0`);
    if (stat.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else if (stat.isFile()) hash.update(readFileSync(path));
  };
  visit(folder);
  return hash.digest('hex');
}

/** The files below a folder with a text in them or in their names; links are not followed. */
function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesWith(path, text);
    if (entry.name.includes(text)) return [path];
    return entry.isFile() && isReadable(path) && readFileSync(path, 'latin1').includes(text) ? [path] : [];
  });
}

function isReadable(path: string): boolean {
  return lstatSync(path).size < 4 << 20;
}

/** Writes a file of a site with the folders that lead to it, in place of whatever is there. */
export function put(path: string, content: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, content, { mode, encoding: 'latin1' });
}
