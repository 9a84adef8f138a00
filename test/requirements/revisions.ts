import { revisionNames } from '../schema/official.ts';
import type { LedgerRevision as Revision } from './ledger.ts';

export const all: readonly Revision[] = revisionNames;
export const handshake: readonly Revision[] = revisionNames.slice(0, 4);
export const stateless: readonly Revision[] = revisionNames.slice(4);

/** Returns the revisions from one to another, both included. */
export function between(first: Revision, last: Revision = '2026-07-28'): readonly Revision[] {
  return revisionNames.filter((revision) => first <= revision && revision <= last);
}

export function isStateless(revision: Revision): boolean {
  return stateless.includes(revision);
}
