import { branchOf, refOfHead, textOfHead } from '../repository/head.ts';
import type { Repository } from '../repository/repository.ts';
import { isOid, type Oid } from '../run/oid.ts';

/** The content of HEAD; both members are undefined where refs are stored in another format, which only git can read. */
export interface Head {
  /** the branch, without refs/heads/; the full ref where it is no branch */
  readonly branch?: string;
  /** the commit, where HEAD is detached */
  readonly commit?: Oid;
}

/** Reads HEAD without git. */
export function readHead(repository: Pick<Repository, 'place' | 'reach'>): Head {
  const ref = refOfHead(repository);
  if (ref !== undefined) return { branch: branchOf(ref) };
  const text = textOfHead(repository);
  return isOid(text) ? { commit: text } : {};
}

/** Returns a ref without refs/heads/ or refs/remotes/. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes)\//, '');
}
