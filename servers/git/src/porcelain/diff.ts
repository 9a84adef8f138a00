import { type Command, command, type PathArgument } from '../run/command.ts';
import { type Oid, toOid } from '../run/oid.ts';

/** The two sides of a comparison. */
export type Sides =
  /** the work tree with the index */
  | { readonly kind: 'unstaged' }
  /** the index with a commit: HEAD unless given, and nothing where HEAD has no commit yet */
  | { readonly kind: 'staged'; readonly from?: Oid }
  /** the work tree with a commit */
  | { readonly kind: 'worktree'; readonly from: Oid }
  /** two commits or trees: two dots. A commit is compared with its first parent, or with `emptyTree` */
  | { readonly kind: 'between'; readonly from: Oid; readonly to: Oid }
  /** what the second commit has since both were one: three dots */
  | { readonly kind: 'since'; readonly from: Oid; readonly to: Oid }
  /** what a merge has that no parent has as it is */
  | { readonly kind: 'merge'; readonly commit: Oid; readonly parents: readonly Oid[] };

export interface DiffQuery {
  readonly sides: Sides;
  readonly paths?: readonly PathArgument[];
  /** default: renames, found by content, are told as such */
  readonly renames?: boolean;
}

export interface ChangesOptions {
  /** counts the lines of every file, which takes as long as the patch */
  readonly lines?: boolean;
}

export interface PatchOptions {
  /** lines around each change, default 3 */
  readonly context?: number;
  /** binary contents in full, as applying them needs */
  readonly binary?: boolean;
  /** hides what differs in white space alone; such a patch is for reading and cannot be applied */
  readonly ignoreSpace?: 'at-end' | 'amount' | 'all';
  /** before the patch, all paths that differ: `readListing` takes them off */
  readonly list?: boolean;
  /** leaves out the files before this one, which has to be there */
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

/** Prints which paths differ: `parseChanges` reads it. */
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

/** Prints the patch: `parsePatch` reads it. */
export function patchCommand(query: DiffQuery, options: PatchOptions = {}): Command {
  const { flags, parts } = compared(query);
  const { context = CONTEXT_LINES, binary, ignoreSpace, list, skipTo } = options;
  return command('diff', {
    ...parts,
    flags: [
      ...flags,
      '--patch',
      '--full-index',
      // whatever the configuration says: the same sides make the same hunks
      '--indent-heuristic',
      '--diff-algorithm=myers',
      ...(binary ? (['--binary'] as const) : []),
      ...(ignoreSpace === undefined ? [] : [spaceFlags[ignoreSpace]]),
      ...(list ? (['--raw', '--no-abbrev'] as const) : []),
      // else paths in conflict would be listed as merges
      ...(list && query.sides.kind === 'unstaged' ? (['-0'] as const) : []),
    ],
    options: {
      '--unified': context,
      '--inter-hunk-context': 0,
      // of a path in conflict git would print its name as it is, which could look like a patch
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
      // a look into the work tree of a submodule would run git there, by the configuration that it has
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
