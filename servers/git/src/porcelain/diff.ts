import { type Command, command, type PathArgument } from '../run/command.ts';
import { type Oid, toOid } from '../run/oid.ts';

/** The two sides of a comparison. */
export type Sides =
  /** the index and the work tree */
  | { readonly kind: 'unstaged' }
  /** a commit and the index: HEAD unless given, and the empty tree where HEAD has no commit yet */
  | { readonly kind: 'staged'; readonly from?: Oid }
  /** a commit and the work tree */
  | { readonly kind: 'worktree'; readonly from: Oid }
  /** two commits or trees: two dots. A commit is compared with its first parent, or with `emptyTree` */
  | { readonly kind: 'between'; readonly from: Oid; readonly to: Oid }
  /** the changes of the second commit since the merge base: three dots */
  | { readonly kind: 'since'; readonly from: Oid; readonly to: Oid }
  /** the changes of a merge against all its parents */
  | { readonly kind: 'merge'; readonly commit: Oid; readonly parents: readonly Oid[] };

export interface DiffQuery {
  readonly sides: Sides;
  readonly paths?: readonly PathArgument[];
  /** default: renames, detected by content */
  readonly renames?: boolean;
}

export interface ChangesOptions {
  /** counts the lines of every file, which takes as long as the patch */
  readonly lines?: boolean;
}

export interface PatchOptions {
  /** context lines around each change, default 3 */
  readonly context?: number;
  /** binary contents in full, which applying needs */
  readonly binary?: boolean;
  /** ignores white space; such a patch is for reading and cannot be applied */
  readonly ignoreSpace?: 'at-end' | 'amount' | 'all';
  /** prints all paths that differ before the patch: `readListing` splits them off */
  readonly list?: boolean;
  /** leaves out the files before this one, which must exist */
  readonly skipTo?: string | undefined;
}

export const CONTEXT_LINES = 3;

const emptyTrees = {
  sha1: toOid('4b825dc642cb6eb9a060e54bf8d69288fbee4904'),
  sha256: toOid('6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321'),
};

/** Returns the empty tree, with which the first commit is compared; git has it whether it is stored or not. */
export function emptyTree(format: keyof typeof emptyTrees): Oid {
  return emptyTrees[format];
}

/** Builds the command that prints which paths differ, for `parseChanges`. */
export function changesCommand(query: DiffQuery, { lines }: ChangesOptions = {}): Command {
  const { flags, parts } = compared(query);
  return command('diff', {
    ...parts,
    flags: [...flags, '--raw', '-z', '--no-abbrev', ...(lines ? (['--numstat'] as const) : [])],
  });
}

const spaceFlags = {
  'at-end': '--ignore-space-at-eol',
  amount: '--ignore-space-change',
  all: '--ignore-all-space',
} as const;

/** Builds the command that prints the patch, for `parsePatch`. */
export function patchCommand(query: DiffQuery, options: PatchOptions = {}): Command {
  const { flags, parts } = compared(query);
  const { context = CONTEXT_LINES, binary, ignoreSpace, list, skipTo } = options;
  return command('diff', {
    ...parts,
    flags: [
      ...flags,
      '--patch',
      '--full-index',
      // whatever the configuration says: the same sides give the same hunks
      '--indent-heuristic',
      '--diff-algorithm=myers',
      ...(binary ? (['--binary'] as const) : []),
      ...(ignoreSpace === undefined ? [] : [spaceFlags[ignoreSpace]]),
      ...(list ? (['--raw', '--no-abbrev'] as const) : []),
      // otherwise paths in conflict would be listed as merges
      ...(list && query.sides.kind === 'unstaged' ? (['-0'] as const) : []),
    ],
    options: {
      '--unified': context,
      '--inter-hunk-context': 0,
      // git would print the name of a path in conflict unescaped, which could look like a patch
      ...(list ? {} : { '--diff-filter': 'u' }),
      '--skip-to': skipTo,
    },
  });
}

function compared({ sides, paths, renames = true }: DiffQuery) {
  return {
    flags: [
      renames ? '--find-renames' : '--no-renames',
      ...(sides.kind === 'staged' ? (['--cached'] as const) : []),
      ...(sides.kind === 'since' ? (['--merge-base'] as const) : []),
      // git would run in the submodule's work tree, with the configuration there
      '--ignore-submodules=dirty',
    ] as const,
    parts: {
      revisions: revisionsOf(sides),
      ...(paths === undefined || paths.length === 0 ? {} : { paths }),
    },
  };
}

function revisionsOf(sides: Sides): readonly Oid[] {
  switch (sides.kind) {
    case 'unstaged':
      return [];
    case 'staged':
      return sides.from === undefined ? [] : [sides.from];
    case 'worktree':
      return [sides.from];
    case 'between':
    case 'since':
      return [sides.from, sides.to];
    case 'merge':
      return [sides.commit, ...sides.parents];
  }
}
