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
    why: 'nobody is there to answer a question; without these git would wait for ever',
    always: true,
    variables: {
      GIT_TERMINAL_PROMPT: is('0'),
      GIT_ASKPASS: is(''),
      SSH_ASKPASS_REQUIRE: is('never'),
      GCM_INTERACTIVE: is('never'),
    },
  },
  editing: {
    what: '`GIT_EDITOR` and `GIT_SEQUENCE_EDITOR` (`false`, `:`, or a script that writes the steps of the call), `GIT_MERGE_AUTOEDIT=no`',
    why: 'nobody is there to edit a text: messages and steps come with the call',
    always: true,
    variables: {
      GIT_EDITOR: is('false', ':'),
      GIT_SEQUENCE_EDITOR: (given) => given === 'false' || given === ':' || given?.startsWith('f()') === true,
      GIT_MERGE_AUTOEDIT: is('no'),
    },
  },
  editors: {
    what: '`core.editor` and `sequence.editor` are not started',
    why: 'the same',
    leavesOut: isAt('core.editor', 'sequence.editor'),
  },
  words: {
    what: '`GIT_TEXTDOMAINDIR=/dev/null`, of which scripts of git make `TEXTDOMAINDIR`',
    why: 'the server reads the words of git, which are English so; the locale of other programs stays as it is',
    always: true,
    variables: { GIT_TEXTDOMAINDIR: is('/dev/null'), TEXTDOMAINDIR: is('/dev/null') },
  },
  leaving: {
    what: `not there, though the server was started with them: ${leftOut.map((name) => `\`${name}\``).join(', ')}`,
    why: 'a server that was started by a hook has them of another repository, and pathspecs of calls have one meaning',
  },
  reading: {
    what: '`GIT_OPTIONAL_LOCKS=0`, and `GIT_CONFIG_COUNT` with `core.quotePath`, `diff.suppressBlankEmpty`, `color.ui` and `column.ui`, where git only reads; the index is not refreshed then, so that `post-index-change` does not run',
    why: 'reading keeps nobody from writing, and no flag gives the output this form',
    variables: { GIT_OPTIONAL_LOCKS: is('0'), ...givenBy(shape) },
    leavesOut: isAt('hooks/post-index-change'),
  },
  looks: {
    what: 'a change starts filters, the file system monitor, credential helpers and ssh more often, each time in a run of git that only reads',
    why: 'the server looks before a change at what would be lost, and afterwards whether it is so',
    adds: looks,
  },
  kept: {
    what: '`git stash create` runs before a reset or a restore',
    why: 'what is discarded is kept in a commit, by which the call can be taken back',
    first: ['stash', 'create'],
  },
  revisions: {
    what: 'a revision is an id to programs, but for branches that are merged or rebased onto: in the arguments of `pre-rebase`, in `GIT_REFLOG_ACTION` and `GITHEAD_<id>`, and a filter is told no `ref`',
    why: 'the server resolves it first, so that no text of a caller is an option to git, and looks at what that commit would change',
    variables: { GIT_REFLOG_ACTION: any, 'GITHEAD_*': any },
    args: ['hooks/pre-rebase'],
    input: { 'filter.staying.process': /^.{4,}ref=.+\n/gm },
  },
  pull: {
    what: '`git_pull` is a fetch, then a merge or a rebase: `PATH` has the folder of the programs of git once where `git pull` has it twice, and a merge is of the remote branch (`GITHEAD_<id>`, the message), not of `FETCH_HEAD`',
    why: 'other changes need not wait for a slow other side',
    variables: { PATH: any, 'GITHEAD_*': any },
    // of the commit with that message
    input: { 'hooks/reference-transaction': /[0-9a-f]{40} (?=HEAD|refs)/g },
  },
  shown: {
    what: '`diff.external`, `diff.<driver>.command`, `diff.<driver>.textconv` and, for `log.showSignature`, the signing program are not started',
    why: 'results hold contents as they are stored: hunks are staged by their ids, and lines counted',
    leavesOut: ({ place }) => /^diff\.|^gpg\.program$/.test(place),
  },
  submodules: {
    what: '`submodule.recurse`, `fetch.recurseSubmodules`, `push.recurseSubmodules` and `submodule.<name>.update` are not followed; in a submodule the hooks and filters of its own run where it is trusted itself',
    why: 'each submodule is opened for itself: inside the roots, by the protocols that the operator allows, and without losing what is in no commit',
    leavesOut: ({ place, cwd }) => /\/module$/.test(cwd) || /^submodule\./.test(place),
  },
  folder: {
    what: 'in a push to a folder the hooks there see `GIT_CONFIG_COUNT` with `receive.denyCurrentBranch=refuse`, and `GIT_PROTOCOL`; `push-to-checkout` does not run',
    why: 'the branch that somebody works on is never moved under them',
    variables: { ...givenBy([['receive.denyCurrentBranch', 'refuse']]), GIT_PROTOCOL: any },
  },
  owner: {
    what: '`GIT_CONFIG_COUNT` with `safe.directory`, in a repository of another user',
    why: '`--trust` says that it is safe; git would not take the word of its own configuration',
    variables: { ...givenBy([['safe.directory', '']]), GIT_CONFIG_VALUE_0: any },
  },
} as const satisfies Record<string, Row>;

export type Difference = keyof typeof rows;
