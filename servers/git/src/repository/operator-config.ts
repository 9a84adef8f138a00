import { homedir } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { type ConfigEntry, configList, parseConfigList } from '../porcelain/config-list.ts';
import type { Git } from '../run/git.ts';
import { run } from '../run/run.ts';
import { treatmentOf } from './config-rules.ts';
import { configText } from './config-writing.ts';
import { isProgram, isRelative } from './executing.ts';
import { obeyedBy } from './given.ts';
import { isForeignFile, pathFromTop } from './named-files.ts';
import { readingPlace } from './private-dir.ts';
import type { Repository } from './repository.ts';
import { Kept, realOf, witness } from './witness.ts';

/** One setting of the operator, in byte strings. */
export interface OperatorSetting extends ConfigEntry {
  /** whether an author of the repository could have written it, or what it names */
  readonly foreign: boolean;
}

/** The operator's settings for a repository. */
export interface OperatorConfig {
  readonly settings: readonly OperatorSetting[];
  /**
   * the text of a configuration that replaces the operator's files: the settings that hold for this repository, without
   * those that it can influence while it is not trusted; undefined where git reads the files themselves with that result
   */
  readonly instead: string | undefined;
}

const known = new Kept<OperatorConfig>(64);

/** Reads every setting of the operator's own files, and of their includes. Executes nothing of it. */
export async function operatorConfigOf(
  git: Git,
  repository: Repository,
  signal?: AbortSignal,
): Promise<OperatorConfig> {
  const { HOME = '', GIT_CONFIG_GLOBAL = '' } = git.environment;
  const key = [repository.identity, HOME, GIT_CONFIG_GLOBAL, ...repository.passedOver].join('\0');
  const before = known.find(key);
  if (before !== undefined) return before;
  const begun = Date.now();
  const place = readingPlace(repository, { config: configText(obeyedBy(repository)) });
  const { stdout } = await run(git, configList(), { place, signal });
  const listed = parseConfigList(stdout).filter(({ scope }) => scope === 'system' || scope === 'global');
  const whose = ownership(git, repository);
  const settings = listed.map((entry) => ({ ...entry, foreign: whose.isForeign(entry) }));
  const files = new Set(whose.standard);
  for (const { file } of listed) if (file !== undefined) files.add(file);
  let differs = false;
  for (const { key: name, value, file, foreign } of settings) {
    if (isInclude(name) && value !== undefined && file !== undefined) files.add(whose.resolve(file, value));
    // git compares the git dir that it is given, which is the server's own for some verbs
    differs ||= foreign || name.startsWith('includeif.gitdir');
    // the checked-out branch may decide which files are included
    if (name.startsWith('includeif.onbranch:')) files.add(toBytes(join(repository.place.gitDir, 'HEAD')));
    const path = pathFromTop(repository, { key: name, value });
    if (path !== undefined) files.add(toBytes(path));
    if (name.startsWith('includeif.hasconfig:')) files.add(toBytes(join(repository.commonDir, 'config')));
  }
  const config = { settings, instead: differs ? insteadOf(settings) : undefined };
  return known.keep(key, witness(files, begun), config);
}

function insteadOf(settings: readonly OperatorSetting[]): string {
  const kept = settings.filter(
    ({ key, value, foreign }) =>
      !isInclude(key) && (!foreign || (treatmentOf(key, value) === 'obeyed' && !isProgram(key))),
  );
  return configText(kept.map(({ key, value }) => [key, value] as const));
}

function isInclude(key: string): boolean {
  return key === 'include.path' || (key.startsWith('includeif.') && key.endsWith('.path'));
}

interface Ownership {
  /** files of the operator that count once they exist */
  readonly standard: readonly string[];
  isForeign(entry: ConfigEntry): boolean;
  resolve(file: string, written: string): string;
}

function ownership(git: Git, repository: Repository): Ownership {
  const { place, commonDir, passedOver } = repository;
  const home = toBytes(git.environment.HOME ?? homedir());
  const standard = standardFiles(git, home);
  const folders = [place.workTree, place.gitDir, commonDir].filter((each) => each !== undefined).map(toBytes);
  const isInside = (real: string): boolean =>
    folders.some((folder) => real === folder || real.startsWith(folder + sep));
  const resolvePath = (file: string, written: string): string =>
    written.startsWith('~/') ? join(home, written.slice(2)) : resolve(dirname(file), written);
  return {
    standard,
    isForeign: ({ file, key, value }) => {
      // an include of the operator's files may lie in the repository
      if (file !== undefined && !standard.includes(file) && isInside(realOf(file))) return true;
      if (isInclude(key) && file !== undefined && value !== undefined)
        return isInside(realOf(resolvePath(file, value)));
      // such a program writes to a folder of the git dir by its own name
      if (key.startsWith('filter.') && passedOver.some((name) => `${key}=${value}`.includes(name)))
        return true;
      const path = pathFromTop(repository, { key, value });
      if (path !== undefined) return isForeignFile(repository, path);
      return isProgram(key) && isRelative(value ?? '');
    },
    resolve: resolvePath,
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
