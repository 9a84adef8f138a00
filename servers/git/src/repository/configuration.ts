import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { type ConfigEntry, configList, parseConfigList } from '../porcelain/config-list.ts';
import type { Git } from '../run/git.ts';
import { run } from '../run/run.ts';
import { parseConfig } from './config-text.ts';
import { executingOf } from './executing.ts';
import { contentOf } from './pointers.ts';
import type { Repository } from './repository.ts';
import { Kept, realOf, witness } from './witness.ts';

/** One setting, in byte strings, and whose it is. */
export interface Found extends ConfigEntry {
  /** whether whoever writes the repository may have written it; otherwise it is the operator's */
  readonly foreign: boolean;
}

export interface Configuration {
  /** all that take part, or would on another branch */
  readonly settings: readonly Found[];
}

/** As deep as git follows includes. */
const mostIncludes = 10;
const known = new Kept<Configuration>(64);

/** Every setting of a repository, of its operator, and of what they include. Nothing of it is executed. */
export async function configurationOf(
  git: Git,
  repository: Repository,
  signal?: AbortSignal,
): Promise<Configuration> {
  const before = known.find(repository.identity);
  if (before !== undefined) return before;
  const begun = Date.now();
  const { stdout } = await run(git, configList(), { place: repository.place, signal });
  const whose = ownership(git, repository);
  const listed = parseConfigList(stdout)
    .filter(({ scope }) => scope !== 'command')
    .map((entry) => ({ ...entry, foreign: whose.isForeign(entry) }));
  const files = new Set([...whose.standard, ...whose.ofRepository]);
  for (const { file } of listed) if (file !== undefined) files.add(file);
  const settings = [...listed];
  for (const setting of listed) settings.push(...includedBy(repository, whose, setting, files, 1));
  // whether a file that a setting names is one of the repository is judged by where it is now
  const top = toBytes(repository.place.workTree ?? repository.place.gitDir);
  for (const { key, value, foreign } of settings)
    if (foreign && value !== undefined && executingOf(key)?.setting.path === true)
      files.add(resolve(top, value));
  return known.keep(repository.identity, witness(files, begun), { settings });
}

/**
 * What a file that the repository includes would say, whether or not its condition holds now: a switch of branches
 * makes another one hold in the middle of a command.
 */
function includedBy(
  repository: Repository,
  whose: Ownership,
  { key, value, file, scope }: Found,
  files: Set<string>,
  depth: number,
): Found[] {
  if (value === undefined || file === undefined || depth > mostIncludes || !isInclude(key, depth)) return [];
  const path = whose.resolve(file, value);
  files.add(path);
  if (!whose.isInside(realOf(path))) return [];
  const look = { scope: repository.reach, shown: '.git/config' };
  const text = contentOf(look, Buffer.from(path, 'latin1').toString())?.toString('latin1');
  const found: Found[] = [];
  for (const [inner, said] of parseConfig(text ?? '') ?? []) {
    const setting = { scope, file: path, key: inner, value: said, foreign: true };
    found.push(setting, ...includedBy(repository, whose, setting, files, depth + 1));
  }
  return found;
}

/** git itself has listed what an include without condition says, at the top. */
function isInclude(key: string, depth: number): boolean {
  return (key.startsWith('includeif.') && key.endsWith('.path')) || (depth > 1 && key === 'include.path');
}

interface Ownership {
  /** files of the operator that count whether or not they are there yet */
  readonly standard: readonly string[];
  readonly ofRepository: readonly string[];
  isForeign(entry: ConfigEntry): boolean;
  isInside(real: string): boolean;
  resolve(file: string, written: string): string;
}

function ownership(git: Git, { place, commonDir }: Repository): Ownership {
  const home = toBytes(git.environment.HOME ?? homedir());
  const standard = standardFiles(git, home);
  const folders = [place.workTree, place.gitDir, commonDir].filter((each) => each !== undefined).map(toBytes);
  const isInside = (real: string): boolean =>
    folders.some((folder) => real === folder || real.startsWith(folder + sep));
  return {
    standard,
    ofRepository: [join(toBytes(commonDir), 'config'), join(toBytes(place.gitDir), 'config.worktree')],
    isInside,
    isForeign: ({ scope, file }) => {
      if (scope !== 'system' && scope !== 'global') return true;
      // what the operator's files include may lie in the repository
      return file !== undefined && !standard.includes(file) && isInside(realOf(file));
    },
    resolve: (file, written) =>
      written.startsWith('~/') ? join(home, written.slice(2)) : resolve(dirname(file), written),
  };
}

function standardFiles({ environment }: Git, home: string): string[] {
  const global = environment.GIT_CONFIG_GLOBAL;
  const all =
    global === undefined
      ? [`${home}/.gitconfig`, xdgFile(environment.XDG_CONFIG_HOME, home)]
      : [toBytes(global)];
  if (environment.GIT_CONFIG_SYSTEM !== undefined) all.push(toBytes(environment.GIT_CONFIG_SYSTEM));
  return all;
}

function xdgFile(folder: string | undefined, home: string): string {
  return `${folder === undefined || folder === '' ? `${home}/.config` : toBytes(folder)}/git/config`;
}

function toBytes(path: string): string {
  return Buffer.from(path).toString('latin1');
}
