/** The operands that follow the options of a command, in this order; `--` ends the options or the revisions. */
export type Layout = readonly ('names' | 'revisions' | '--' | 'paths')[];

/** A hook of githooks(5) that a verb here may run. */
export type Hook =
  | 'applypatch-msg'
  | 'commit-msg'
  | 'post-applypatch'
  | 'post-checkout'
  | 'post-commit'
  | 'post-index-change'
  | 'post-merge'
  | 'post-rewrite'
  | 'pre-applypatch'
  | 'pre-commit'
  | 'pre-merge-commit'
  | 'pre-push'
  | 'pre-rebase'
  | 'prepare-commit-msg'
  | 'reference-transaction';

/** The options of one verb; no others reach its command line. */
export interface Rule<Flag extends string = string, Option extends string = string> {
  /** given at every call, before the rest */
  readonly always: readonly string[];
  /** given after those in a repository that is not trusted: they prevent that programs are started */
  readonly confining: readonly string[];
  readonly flags: readonly Flag[];
  /** options with a value, and the pattern of the value; the value is joined to the option */
  readonly options: Readonly<Record<Option, RegExp>>;
  readonly layout: Layout;
  /** the option for paths over stdin, where the command line cannot hold them */
  readonly bulk: 'pathspec' | 'revisions' | undefined;
  /** changes the repository; a verb that does not takes no optional locks */
  readonly writes: boolean;
  /** the hooks of githooks(5) that it may run, if the configuration lets it */
  readonly hooks: readonly Hook[];
  readonly network: boolean;
  /** whether its paths are pathspecs of gitglossary(7), and not names */
  readonly pathspecs: boolean;
  /** acts on an operation in progress, or may */
  readonly acts: boolean;
  /** reads which branches the work trees have checked out */
  readonly heads: boolean;
  /** has git start another in submodules, which were audited before or have just been created */
  readonly enters: boolean;
  /** a script in some versions of git, which works only at the top of the work tree */
  readonly scripted: boolean;
  /** folders of the common directory that it creates where they are missing */
  readonly makes: readonly ('modules' | 'worktrees')[];
  /** a short write that starts no other program: simple-git carries it */
  readonly carried: boolean;
  /** milliseconds without a byte of output */
  readonly idle: number;
  /** milliseconds in total */
  readonly total: number;
  /** bytes of stdout at most */
  readonly maxBytes: number;
}

const second = 1000;
const minute = 60 * second;
const mebi = 1024 * 1024;

/** Kinds of work, by their possible cost. */
export const quick = { idle: 30 * second, total: 30 * second, maxBytes: 16 * mebi };
export const long = { idle: 5 * minute, total: 10 * minute, maxBytes: 64 * mebi };
export const hooked = { idle: 5 * minute, total: 15 * minute, maxBytes: 16 * mebi };
/** a transfer reports its progress, so silence is a peer that hangs */
export const remote = { idle: minute, total: 60 * minute, maxBytes: 16 * mebi, network: true };

/** Returns a row of the table; omitted members have the cautious value. */
export function rule<const Flag extends string = never, const Option extends string = never>(
  row: Partial<Rule<Flag, Option>>,
): Rule<Flag, Option> {
  return {
    always: [],
    confining: [],
    flags: [],
    options: {} as Record<Option, RegExp>,
    layout: ['names', 'revisions', '--', 'paths'],
    bulk: undefined,
    writes: false,
    hooks: [],
    network: false,
    pathspecs: true,
    acts: false,
    heads: false,
    enters: false,
    scripted: false,
    makes: [],
    carried: false,
    ...quick,
    ...row,
  };
}

/** The pattern of values. No value holds a NUL, which would end the argument early. */
export const text = /^[^\0]*$/;
export const line = /^[^\0\n\r]*$/;
export const word = /^[^\0\s-][^\0\s]*$/;
export const count = /^\d{1,10}$/;
export const percent = /^\d{1,3}%$/;
export const oid = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** A format of output; `%G` and `%(signature)` would run the gpg program that the configuration names. */
export const format = /^(?![\s\S]*%(?:[-+ ]?G|\(\*?signature))[^\0]*$/;
/** `10,20`, `10,+5`, `,20`, or `:function`. */
export const lines = /^(?:\d*(?:,[+-]?\d+)?|:[^\0\n\r]+)$/;

/** A layout for operands that are not pathspecs. */
export const bare: Layout = ['names', 'revisions'];
