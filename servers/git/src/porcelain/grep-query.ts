import type { PathArgument } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';

/** The pattern of a search and the paths that it searches. */
export interface GrepQuery {
  /** several: lines that any of them matches */
  readonly patterns: readonly string[];
  /** default: basic regular expressions */
  readonly form?: 'fixed' | 'basic' | 'extended' | 'perl';
  readonly ignoreCase?: boolean;
  readonly words?: boolean;
  /** lines that do not match */
  readonly invert?: boolean;
  /**
   * the searched content: tracked files of the work tree, those and untracked ones that are not ignored, the index, or
   * a tree
   */
  readonly in: 'worktree' | 'untracked' | 'index' | Oid;
  readonly paths?: readonly PathArgument[];
  /** further patterns of paths; those that begin with `!` exclude */
  readonly globs?: readonly string[];
  /** default: no lines of binary files */
  readonly binaryAsText?: boolean;
}
