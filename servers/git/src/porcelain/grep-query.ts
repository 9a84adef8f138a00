import type { PathArgument } from '../run/command.ts';
import type { Oid } from '../run/oid.ts';

/** The pattern of a search and the paths that it searches. */
export interface GrepQuery {
  /** several: a line that any of them matches */
  readonly patterns: readonly string[];
  /** default: basic regular expressions */
  readonly form?: 'fixed' | 'basic' | 'extended' | 'perl';
  readonly ignoreCase?: boolean;
  readonly words?: boolean;
  /** lines that do not match */
  readonly invert?: boolean;
  /** where: what git tracks in the work tree, that and what it neither tracks nor ignores, the index, or a tree */
  readonly in: 'worktree' | 'untracked' | 'index' | Oid;
  readonly paths?: readonly PathArgument[];
  /** patterns of paths, beside those; beginning with `!` they exclude */
  readonly globs?: readonly string[];
  /** default: files with binary contents have no lines */
  readonly binaryAsText?: boolean;
}
