import type { Root, Scope } from '@rootbound/kit/boundary';
import type { Place } from '../run/place.ts';
import type { LocalConfig } from './local-config.ts';

/** The operator's permissions beyond the roots. */
export interface Allowed {
  /** real paths of common dirs that linked worktrees inside the roots may use */
  readonly commonDirs: readonly string[];
}

/** A repository of which every place that git reads was seen inside the boundary, at this call. */
export interface Repository {
  readonly place: Place;
  /** by what it is opened again: the folder that has its .git, or the git dir itself; the work tree may be elsewhere */
  readonly top: string;
  /** what linked worktrees share: the git dir itself but for those */
  readonly commonDir: string;
  readonly kind: 'normal' | 'bare' | 'linked-worktree' | 'submodule';
  /** the root that holds its top level */
  readonly root: Root;
  /** whether a root that holds a part of it was given as read-only */
  readonly readOnly: boolean;
  /** one key for as long as git dir and work tree are these folders: for caches */
  readonly identity: string;
  /** the same for what linked worktrees share: for the write queue */
  readonly commonIdentity: string;
  /** the users that it belongs to: by what git judges it, and of what linked worktrees share */
  readonly owners: { readonly judged: readonly number[]; readonly common: number };
  /** what its own files of settings hold */
  readonly settings: LocalConfig;
  /** through what its git dir is to be looked at: the scope, and the common dirs that were permitted */
  readonly reach: Scope;
  /** with what it was opened: another that it leads to is to be opened with the same, not with `reach` */
  readonly opened: { readonly roots: Scope; readonly allowed: Allowed };
}
