import type { Root, Scope } from '@rootbound/kit/boundary';
import type { Place } from '../run/work-place.ts';
import type { LocalConfig } from './local-config.ts';

/** The operator's permissions beyond the roots. */
export interface Allowed {
  /** real paths of common dirs that linked work trees inside the roots may use */
  readonly commonDirs: readonly string[];
}

/** A repository whose paths, all that git reads, were checked inside the boundary at this call. */
export interface Repository {
  readonly place: Place;
  /**
   * the path that opens it again: the folder that has its .git, or the git dir itself; the work tree may be elsewhere
   */
  readonly top: string;
  /** the common directory of linked work trees: the git dir itself for others */
  readonly commonDir: string;
  readonly kind: 'normal' | 'bare' | 'linked-worktree' | 'submodule';
  /** the root that contains its top level */
  readonly root: Root;
  /** whether a root that contains a part of it was given as read-only */
  readonly readOnly: boolean;
  /** one key for as long as git dir and work tree are these folders: for caches */
  readonly identity: string;
  /** the same for the common directory: for the write queue */
  readonly commonIdentity: string;
  /** the numbers of its owners: of the folders by which git judges it, and of the common directory */
  readonly owners: { readonly judged: readonly number[]; readonly common: number };
  /** the settings in its own files */
  readonly settings: LocalConfig;
  /** links in its git dirs that lead outside, from which git is kept unless it is trusted: `info/exclude` and others */
  readonly passedOver: readonly string[];
  /** the boundary of its git dir: the scope, and the permitted common dirs */
  readonly reach: Scope;
  /** the scope with which it was opened, and with which others to which it leads are opened, not with `reach` */
  readonly opened: { readonly roots: Scope; readonly allowed: Allowed };
}
