import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Call } from '../remotes/transfer-call.ts';

/** Runs work in the repository of a submodule, opened and audited for itself. */
export function useSubmodule<T>(
  { scope: { scope, repositories }, signal }: Call,
  top: string,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  return repositories.use(scope, top, signal, (opened) => work(assertAt(opened, top)));
}

/** Does the same for work that changes it, in its own queue. */
export function changeSubmodule<T>(
  { scope: { scope, repositories }, signal }: Call,
  top: string,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  return repositories.change(scope, top, signal, (opened) => work(assertAt(opened, top)));
}

/** a `.git` that git does not accept would lead to the superproject */
function assertAt(opened: Opened, top: string): Opened {
  if (opened.repository.place.workTree === top) return opened;
  throw new ToolError('the folder is no repository with this work tree', {
    code: 'damaged',
    hint: 'move the folder away, then update again',
  });
}
