import { DENY_OPTIONS, type Extras, type OptionRow, type ServerSpec } from '@rootbound/kit/cli';
import manifest from '../package.json' with { type: 'json' };
import { isProtocol } from './call/protocols.ts';

/** The version of the package. */
export const { version } = manifest;

/** The tools by set, in their order in the list; a test compares them with the catalog. */
export const toolsets = {
  read: [
    'git_overview',
    'git_status',
    'git_diff',
    'git_log',
    'git_show',
    'git_blame',
    'git_branch',
    'git_list',
    'git_search',
    'git_conflicts',
    'git_repositories',
  ],
  write: [
    'git_add',
    'git_reset',
    'git_restore',
    'git_commit',
    'git_create_branch',
    'git_checkout',
    'git_stash',
    'git_merge',
    'git_rebase',
    'git_revert',
    'git_continue',
    'git_resolve',
  ],
  share: ['git_pull', 'git_push'],
  browse: ['git_list_files', 'git_read_file'],
  remote: ['git_init', 'git_clone', 'git_fetch', 'git_remote'],
  advanced: [
    'git_tag',
    'git_cherry_pick',
    'git_clean',
    'git_worktree',
    'git_update_branch',
    'git_update_submodules',
    'git_bisect',
    'git_trust',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** The official server's names that can be called and are not listed; each exists where the tool behind it does. */
export const formerNames: Readonly<Record<string, string>> = {
  git_diff_unstaged: 'git_diff',
  git_diff_staged: 'git_diff',
};

const options = [
  {
    name: 'repository',
    kind: 'root',
    aliases: ['-r'],
    value: '<dir>',
    help: 'a repository that the client may use; the same as a root',
  },
  {
    name: 'trust',
    kind: 'paths',
    value: '<dir>',
    help: 'a repository whose hooks, filters and signing programs may run, as long as they stay what they are now',
  },
  {
    name: 'allow-common-dir',
    kind: 'paths',
    value: '<dir>',
    help: 'a git directory outside the roots that linked worktrees inside them may use',
  },
  {
    name: 'allow-protocol',
    kind: 'list',
    value: '<a,b>',
    example: 'https,ssh,file',
    fits: isProtocol,
    help: 'how other repositories may be reached: https, ssh, http, git, file (folders in the roots); default https,ssh',
  },
  ...DENY_OPTIONS,
] as const satisfies readonly OptionRow[];

/** The values of this server's own options. */
export type GitExtras = Extras<typeof options>;

const tools = Object.values(toolsets).flat();

export const spec = {
  name: 'git',
  package: '@rootbound/server-git',
  version,
  summary: 'Serves git repositories below the given roots over the Model Context Protocol.',
  tools,
  toolsets,
  defaultTools: [...toolsets.read, ...toolsets.write, ...toolsets.share],
  rootKinds: 'directories',
  options,
  opener: 'git',
  checks: async (given) => (await import('./machine.ts')).checkMachine(given),
} as const satisfies ServerSpec<typeof options>;
