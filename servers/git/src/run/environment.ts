import { delimiter, dirname, isAbsolute } from 'node:path';
import { defined } from '@rootbound/kit/primitives';
import type { Command } from './command.ts';
import { confinedExecPath } from './exec-path.ts';
import { addSettings, type Setting, settings, shape } from './settings.ts';
import { type Rule, verbs } from './verbs.ts';
import type { Place } from './work-place.ts';

/** Variables of the operator's environment that git and its helpers see: the user, the home, the network settings. */
const kept = [
  ...['HOME', 'USER', 'LOGNAME', 'TMPDIR', 'TZ', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_RUNTIME_DIR'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'GIT_ATTR_NOSYSTEM'],
  ...[
    'SSH_AUTH_SOCK',
    'SSH_AGENT_PID',
    'GIT_SSH_COMMAND',
    'GNUPGHOME',
    'KRB5CCNAME',
    'DBUS_SESSION_BUS_ADDRESS',
  ],
  ...['GIT_SSL_CAINFO', 'GIT_SSL_CAPATH', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'CURL_CA_BUNDLE'],
  ...[
    'HTTP_PROXY',
    'HTTPS_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
    'http_proxy',
    'https_proxy',
    'all_proxy',
    'no_proxy',
  ],
  ...['SystemRoot', 'SystemDrive', 'windir', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'USERPROFILE', 'HOMEDRIVE'],
  ...['HOMEPATH', 'APPDATA', 'LOCALAPPDATA', 'ProgramData', 'ProgramFiles', 'ProgramFiles(x86)', 'USERNAME'],
];

/** Variables of every run, whatever the operator's environment says. */
const fixed = {
  // errors are classified by git's own words
  LC_ALL: 'C',
  LANGUAGE: '',
  GIT_TERMINAL_PROMPT: '0',
  // empty, not unset: so git asks no other program either, and none has to be started to fail
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_MERGE_AUTOEDIT: 'no',
  GIT_PAGER: 'cat',
  // seconds; the caller limits the rate of progress itself
  GIT_PROGRESS_DELAY: '0',
  GIT_ADVICE: '0',
  GIT_ALLOW_PROTOCOL: 'https:ssh',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_PROXY_COMMAND: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
};

/** The author where neither the operator's environment nor the operator's configuration names one. */
export const usualSsh = 'ssh -oBatchMode=yes';

/** A variable that a run may set. */
export type Variable =
  | `GIT_${'AUTHOR' | 'COMMITTER'}_${'NAME' | 'EMAIL' | 'DATE'}`
  /** `:` accepts the proposed text */
  | 'GIT_EDITOR'
  | 'GIT_SEQUENCE_EDITOR'
  | 'GIT_SSH_COMMAND'
  | 'GIT_ALLOW_PROTOCOL'
  | 'GIT_NO_LAZY_FETCH'
  | 'GIT_REFLOG_ACTION';

export type Environment = Readonly<Record<string, string>>;

/** the same for every run: built once from nothing and the kept variables of the operator */
export function baseEnvironment(operator: NodeJS.ProcessEnv, path: string): Environment {
  const base: Record<string, string> = { PATH: path };
  for (const key of kept) {
    const value = operator[key];
    if (value !== undefined) base[key] = value;
  }
  base.GIT_SSH_COMMAND ??= usualSsh;
  Object.assign(base, fixed);
  addSettings(base, settings);
  return Object.freeze(base);
}

/** The folders in which programs are looked up. A relative one would be a folder of the repository. */
export function searchFolders(operator: NodeJS.ProcessEnv, trusts: (folder: string) => boolean): string[] {
  return (operator.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder) && trusts(folder));
}

/**
 * Variables that name git's repository, which a server that a hook started has, too, and those that change the meaning
 * of a call's paths.
 */
const ofRepository = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GLOB_PATHSPECS',
  'GIT_GRAFT_FILE',
  'GIT_ICASE_PATHSPECS',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_LITERAL_PATHSPECS',
  'GIT_NAMESPACE',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_QUARANTINE_PATH',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

/**
 * Variables of a run as by hand, apart from those of a terminal: nobody answers a question or edits a text, and the
 * server reads git's own words. Programs that git starts see these, and no others.
 */
const apart = {
  GIT_ASKPASS: '',
  SSH_ASKPASS_REQUIRE: 'never',
  GCM_INTERACTIVE: 'never',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'false',
  GIT_SEQUENCE_EDITOR: 'false',
  GIT_MERGE_AUTOEDIT: 'no',
  // a folder without translations: programs keep the operator's locale
  GIT_TEXTDOMAINDIR: '/dev/null',
};

/** Returns the operator's environment for the runs of trusted repositories. */
export function byHandEnvironment(operator: NodeJS.ProcessEnv): Environment {
  const own = Object.entries(operator).filter(
    ([key, value]) =>
      value !== undefined && !ofRepository.has(key) && !/^GIT_CONFIG_(?:KEY|VALUE)_/.test(key),
  ) as [string, string][];
  return Object.freeze({ ...Object.fromEntries(own), ...apart });
}

/** Returns the folder in which a run starts. */
export function folderOf(
  program: { readonly path: string },
  { verb }: Command,
  place: Place | undefined,
): string {
  const top = place !== undefined && isApart(verb, place) ? undefined : place?.byHand;
  return top ?? place?.workTree ?? place?.gitDir ?? dirname(program.path);
}

/** Returns whether git, as by hand, must start in a work tree from which it does not find the repository. */
function isApart(verb: Command['verb'], { byHand, workTree }: Place): boolean {
  const { scripted }: Rule = verbs[verb];
  return scripted && workTree !== undefined && workTree !== byHand;
}

/** The variables that a run may add. */
interface Added {
  readonly config?: readonly Setting[] | undefined;
  readonly environment?: Readonly<Partial<Record<Variable, string>>> | undefined;
}

/** Returns the environment of one run. */
export function environmentOf(
  program: { readonly path: string; readonly environment: Environment; readonly byHand: Environment },
  command: Command,
  place: Place | undefined,
  added: Added,
): Record<string, string> {
  const cwd = folderOf(program, command, place);
  if (place?.byHand !== undefined) return handEnvironment(program.byHand, command, place, cwd, added);
  const { writes, enters }: Rule = verbs[command.verb];
  const environment: Record<string, string> = { ...program.environment, ...added.environment };
  // with all paths named, git searches nothing upward
  environment.GIT_CEILING_DIRECTORIES = place === undefined ? cwd : dirname(cwd);
  if (place !== undefined) {
    environment.GIT_DIR = place.gitDir;
    if (place.workTree !== undefined) environment.GIT_WORK_TREE = place.workTree;
    if (place.commonDir !== undefined) {
      const execPath = enters ? undefined : confinedExecPath(program);
      Object.assign(environment, confined(place.commonDir, place.workTree, execPath));
    }
    if (place.operatorConfig !== undefined) {
      environment.GIT_CONFIG_GLOBAL = place.operatorConfig;
      environment.GIT_CONFIG_NOSYSTEM = '1';
    }
  }
  if (!writes) environment.GIT_OPTIONAL_LOCKS = '0';
  if (command.literal) environment.GIT_LITERAL_PATHSPECS = '1';
  if (added.config !== undefined && added.config.length > 0) {
    addSettings(environment, added.config, settings.length);
  }
  return environment;
}

/** Returns the environment of a run as by hand. Output formats are set by settings, and reading takes no lock. */
function handEnvironment(
  base: Environment,
  { verb }: Command,
  place: Place,
  cwd: string,
  { environment: own = {}, config = [] }: Added,
): Record<string, string> {
  const { GIT_ALLOW_PROTOCOL: _, GIT_SSH_COMMAND: __, ...wanted } = own;
  const environment: Record<string, string> = { ...base, ...wanted };
  // as a shell in that folder sets it; the server's own is the folder where it was started
  if (process.platform !== 'win32') environment.PWD = cwd;
  if (isApart(verb, place))
    Object.assign(environment, { GIT_DIR: place.gitDir, GIT_WORK_TREE: place.workTree });
  const { writes }: Rule = verbs[verb];
  if (!writes) environment.GIT_OPTIONAL_LOCKS = '0';
  // where the operator has declared another user's repository safe, git receives that
  const safe: Setting[] = place.safe === undefined ? [] : [['safe.directory', place.safe]];
  const added = [...safe, ...(writes ? [] : shape), ...config];
  if (added.length > 0) addSettings(environment, added);
  return environment;
}

/**
 * Returns the variables that confine a run to the settings in a common directory of the server's. A git that git starts
 * elsewhere, as in a submodule, would find the settings there.
 */
function confined(
  commonDir: string,
  workTree: string | undefined,
  execPath: string | undefined,
): Environment {
  return {
    GIT_COMMON_DIR: commonDir,
    ...defined({ GIT_EXEC_PATH: execPath }),
    // with a common directory named, git no longer reads from the settings whether a repository is bare
    ...(workTree === undefined && { GIT_IMPLICIT_WORK_TREE: '0' }),
  };
}
