import type { ChangeOptions } from '@rootbound/kit/boundary';
import type { CallContext } from '@rootbound/protocol';
import type { Workspace } from '../workspace.ts';

/** Returns the options for changes in a call: the operator's settings, the abort signal, and progress if requested. */
export function changeOptions(context: CallContext<Workspace>): ChangeOptions {
  const { fsync, hardLinks } = context.scope.changes;
  return {
    fsync,
    hardLinks,
    // a getter, since creating a signal costs more than a small write
    get signal() {
      return context.signal;
    },
    get progress() {
      return context.wantsProgress ? context.progress : undefined;
    },
  };
}

/** Returns the options for changes with those of one operation. Spreading them would read the signal. */
export function changeOptionsWith<T extends object>(
  context: CallContext<Workspace>,
  more: T,
): ChangeOptions & T {
  return Object.assign(changeOptions(context), more);
}
