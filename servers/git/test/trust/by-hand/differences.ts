import { addSettings, type Setting, shape } from '../../../src/run/settings.ts';
import type { Started } from './recorder.ts';

/** Something in which a run of the server differs from one by hand, and has to. */
export interface Row {
  /** the two cells of the README */
  readonly what: string;
  readonly why: string;
  /** holds in every case, and not only in those that name it */
  readonly always?: true;
  /** the variables that differ: whether the server may give such a value, where it was another by hand */
  readonly variables?: Readonly<Record<string, (given: string | undefined) => boolean>>;
  /** programs that are started by hand alone */
  readonly leavesOut?: (started: Started) => boolean;
  /** programs that the server has started besides */
  readonly adds?: (started: Started) => boolean;
  /** what the server has git do first */
  readonly first?: readonly string[];
  /** what of the standard input of a place may differ */
  readonly input?: Readonly<Record<string, RegExp>>;
  /** places whose arguments may differ */
  readonly args?: readonly string[];
}

const any = (): boolean => true;
const is =
  (...values: readonly string[]) =>
  (given: string | undefined): boolean =>
    given !== undefined && values.includes(given);

/** Variables that stand for settings, each as it is. */
function givenBy(settings: readonly Setting[]): Record<string, (given: string | undefined) => boolean> {
  const environment: Record<string, string> = {};
  addSettings(environment, settings);
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, is(value)]));
}

const looks = ({ env }: Started): boolean => env.GIT_OPTIONAL_LOCKS === '0';
const isAt =
  (...places: readonly string[]) =>
  ({ place }: Started): boolean =>
    places.includes(place);

/** Variables of the operator that no run of the server has. */
export const leftOut = [
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY'],
  ...['GIT_ALTERNATE_OBJECT_DIRECTORIES', 'GIT_PREFIX', 'GIT_NAMESPACE', 'GIT_QUARANTINE_PATH'],
  ...['GIT_GRAFT_FILE', 'GIT_SHALLOW_FILE', 'GIT_REPLACE_REF_BASE', 'GIT_NO_REPLACE_OBJECTS'],
  ...['GIT_IMPLICIT_WORK_TREE', 'GIT_INTERNAL_SUPER_PREFIX', 'GIT_CONFIG', 'GIT_CONFIG_COUNT'],
  ...['GIT_CONFIG_PARAMETERS', 'GIT_LITERAL_PATHSPECS', 'GIT_GLOB_PATHSPECS', 'GIT_NOGLOB_PATHSPECS'],
  'GIT_ICASE_PATHSPECS',
] as const;

export const rows = {
  asking: {
    what: '`GIT_TERMINAL_PROMPT=0`, `GIT_ASKPASS` empty, `SSH_ASKPASS_REQUIRE=never`, `GCM_INTERACTIVE=never`',
    why: 'there is no terminal: git would wait for an answer for ever',
    always: true,
    variables: {
      GIT_TERMINAL_PROMPT: is('0'),
      GIT_ASKPASS: is(''),
      SSH_ASKPASS_REQUIRE: is('never'),
      GCM_INTERACTIVE: is('never'),
    },
  },
  editing: {
    what: '`GIT_EDITOR` and `GIT_SEQUENCE_EDITOR` (`false`, `:`, or a script that writes the steps of the call) and `GIT_MERGE_AUTOEDIT=no`',
    why: 'messages and steps are arguments of the call',
    always: true,
    variables: {
      GIT_EDITOR: is('false', ':'),
      GIT_SEQUENCE_EDITOR: (given) => given === 'false' || given === ':' || given?.startsWith('f()') === true,
      GIT_MERGE_AUTOEDIT: is('no'),
    },
  },
  editors: {
    what: '`core.editor` and `sequence.editor` do not run',
    why: 'the same',
    leavesOut: isAt('core.editor', 'sequence.editor'),
  },
  words: {
    what: '`GIT_TEXTDOMAINDIR=/dev/null`, from which scripts of git set `TEXTDOMAINDIR`',
    why: 'the server reads messages of git in English; other programs keep the locale of the operator',
    always: true,
    variables: { GIT_TEXTDOMAINDIR: is('/dev/null'), TEXTDOMAINDIR: is('/dev/null') },
  },
  leaving: {
    what: `removed where the server was started with them: ${leftOut.map((name) => `\`${name}\``).join(', ')}`,
    why: 'a hook that starts the server gives it the variables of another repository, and paths of a call are literal',
  },
  reading: {
    what: 'a run that only reads has `GIT_OPTIONAL_LOCKS=0` and, by `GIT_CONFIG_COUNT`, `core.quotePath`, `diff.suppressBlankEmpty`, `color.ui` and `column.ui`; it does not refresh the index, so `post-index-change` does not run',
    why: 'a read takes no lock, and no flag sets this format of the output',
    variables: { GIT_OPTIONAL_LOCKS: is('0'), ...givenBy(shape) },
    leavesOut: isAt('hooks/post-index-change'),
  },
  looks: {
    what: 'a tool that changes something also reads before and after: filters, the file system monitor, credential helpers and ssh run more often',
    why: 'the server tells what a change would lose, and verifies what it did',
    adds: looks,
  },
  kept: {
    what: 'git runs `stash create` before a reset or a restore that would lose changes, or what is staged',
    why: 'the result names the commit that brings them back',
    first: ['stash', 'create'],
  },
  revisions: {
    what: 'programs see the id of a revision, except for branches that are merged or rebased onto: `pre-rebase` in its arguments, others in `GIT_REFLOG_ACTION` and `GITHEAD_<id>`; a process filter gets no `ref`',
    why: 'the server resolves a revision once, and checks what that commit would change',
    variables: { GIT_REFLOG_ACTION: any, 'GITHEAD_*': any },
    args: ['hooks/pre-rebase'],
    input: { 'filter.staying.process': /^.{4,}ref=.+\n/gm },
  },
  pull: {
    what: '`git_pull` has git run `fetch`, then `merge` or `rebase`: `PATH` has the exec path of git once less, and the merge is of the remote-tracking branch (`GITHEAD_<id>`, the message) instead of `FETCH_HEAD`',
    why: 'a slow remote must not block other changes',
    variables: { PATH: any, 'GITHEAD_*': any },
    // of the commit with that message
    input: { 'hooks/reference-transaction': /[0-9a-f]{40} (?=HEAD|refs)/g },
  },
  visible: {
    what: '`diff.external`, `diff.<driver>.command`, `diff.<driver>.textconv` and, for `log.showSignature`, the signing program do not run',
    why: 'results hold the stored content: hunks are staged by their ids',
    leavesOut: ({ place }) => /^diff\.|^gpg\.program$/.test(place),
  },
  submodules: {
    what: '`submodule.recurse`, `fetch.recurseSubmodules`, `push.recurseSubmodules` and `submodule.<name>.update` have no effect; `git_update_submodules` runs the hooks and filters of a submodule only where that is trusted, too',
    why: 'the server opens each submodule itself: the roots, the protocols and the check for work that would be lost hold for each',
    leavesOut: ({ place, cwd }) => cwd.endsWith('/module') || place.startsWith('submodule.'),
  },
  folder: {
    what: 'in a push to a folder, the hooks of the receiving repository have `GIT_CONFIG_COUNT` with `receive.denyCurrentBranch=refuse`, and `GIT_PROTOCOL`; `push-to-checkout` does not run',
    why: 'a push never changes a branch that is checked out',
    variables: { ...givenBy([['receive.denyCurrentBranch', 'refuse']]), GIT_PROTOCOL: any },
  },
  owner: {
    what: 'in a repository of another user, `GIT_CONFIG_COUNT` with `safe.directory`',
    why: '`--trust` says that it is safe',
    variables: { ...givenBy([['safe.directory', '']]), GIT_CONFIG_VALUE_0: any },
  },
} as const satisfies Record<string, Row>;

export type Difference = keyof typeof rows;
