import { nameOfByteString } from '../porcelain/names.ts';
import type { Repository } from '../repository/repository.ts';
import { isOid, type Oid } from '../run/oid.ts';
import { gitFilesOf } from './git-files.ts';

/** The content of HEAD; both members are undefined where refs are stored in another format, which only git can read. */
export interface Head {
  /** the branch, without refs/heads/; the full ref where it is no branch */
  readonly branch?: string;
  /** the commit, where HEAD is detached */
  readonly commit?: Oid;
}

/** Reads HEAD without git. */
export function readHead(repository: Pick<Repository, 'place' | 'reach'>): Head {
  const text = gitFilesOf(repository).read('HEAD')?.toString('latin1').trimEnd() ?? '';
  const ref = /^ref:\s*(\S.*)$/s.exec(text)?.[1];
  if (ref === undefined) return isOid(text) ? { commit: text } : {};
  return ref === 'refs/heads/.invalid' ? {} : { branch: nameOfByteString(shortRef(ref)) };
}

/** Returns a ref without refs/heads/ or refs/remotes/. */
export function shortRef(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes)\//, '');
}
