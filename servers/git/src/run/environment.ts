import { delimiter, dirname, isAbsolute } from 'node:path';
import type { Command } from './command.ts';
import type { Place } from './place.ts';
import { addSettings, type Setting, settings } from './settings.ts';
import { verbs } from './verbs.ts';

/** What git and its helpers may know of the operator's environment: who and where they are, and how they reach out. */
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

/** What holds at every run, whatever the operator's environment says. */
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
  // seconds; who asks for progress limits its rate by itself
  GIT_PROGRESS_DELAY: '0',
  GIT_ADVICE: '0',
  GIT_ALLOW_PROTOCOL: 'https:ssh',
  GIT_PROTOCOL_FROM_USER: '0',
  GIT_PROXY_COMMAND: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
};

/** Where neither the operator's environment nor their configuration names another. */
export const usualSsh = 'ssh -oBatchMode=yes';

/** What a run may set by itself. */
export type Variable =
  | `GIT_${'AUTHOR' | 'COMMITTER'}_${'NAME' | 'EMAIL' | 'DATE'}`
  /** `:` takes the proposed text */
  | 'GIT_EDITOR'
  | 'GIT_SEQUENCE_EDITOR'
  | 'GIT_SSH_COMMAND'
  | 'GIT_ALLOW_PROTOCOL'
  | 'GIT_NO_LAZY_FETCH'
  | 'GIT_REFLOG_ACTION';

export type Environment = Readonly<Record<string, string>>;

/** The same for every run: built once from nothing, with what is kept of the operator's. */
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

/** The folders where programs are looked for. A relative one would be a folder of the repository. */
export function searchFolders(operator: NodeJS.ProcessEnv, trusts: (folder: string) => boolean): string[] {
  return (operator.PATH ?? '').split(delimiter).filter((folder) => isAbsolute(folder) && trusts(folder));
}

/** What one run adds to the base. */
export function environmentOf(
  base: Environment,
  command: Command,
  place: Place | undefined,
  cwd: string,
  added: { readonly config?: readonly Setting[] | undefined; readonly environment?: Environment | undefined },
): Record<string, string> {
  const environment: Record<string, string> = { ...base, ...added.environment };
  // with all of it named, git looks for nothing upward
  environment.GIT_CEILING_DIRECTORIES = place === undefined ? cwd : dirname(cwd);
  if (place !== undefined) {
    environment.GIT_DIR = place.gitDir;
    if (place.workTree !== undefined) environment.GIT_WORK_TREE = place.workTree;
  }
  if (!verbs[command.verb].writes) environment.GIT_OPTIONAL_LOCKS = '0';
  if (command.literal) environment.GIT_LITERAL_PATHSPECS = '1';
  if (added.config !== undefined && added.config.length > 0) {
    addSettings(environment, added.config, settings.length);
  }
  return environment;
}
