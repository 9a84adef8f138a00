import type { ChangeOptions } from '@rootbound/kit/boundary';
import type { CallContext } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

/** How a call changes files: as the operator decided, until the client cancels, with progress where it is wanted. */
export function changeOptions(context: CallContext<Workspace>): ChangeOptions {
  const { fsync, hardLinks } = context.scope.changes;
  return {
    fsync,
    hardLinks,
    // read by long work alone: a signal costs more than a small write
    get signal() {
      return context.signal;
    },
    get progress() {
      return context.wantsProgress ? context.progress : undefined;
    },
  };
}

/** The same with options of one operation; spreading would read the signal. */
export function changeOptionsWith<T extends object>(
  context: CallContext<Workspace>,
  more: T,
): ChangeOptions & T {
  return Object.assign(changeOptions(context), more);
}
