import { showPath, statEntry } from '@rootbound/kit/boundary';
import { agree, canAsk } from '@rootbound/kit/call';
import { type Ask, type CallContext, ToolError } from '@rootbound/protocol';
import type { Workspace } from './workspace.ts';

type Context = CallContext<Workspace, undefined>;

/** Has the user agree to a deletion, where the operator wants that and the client can ask; else the call goes on. */
export function confirmDeletion(
  path: string,
  recursive: boolean,
  ask: Ask,
  context: Context,
): Promise<undefined> | undefined {
  const { confirm: policy, trash } = context.scope.changes;
  if (policy === 'never' || !canAsk(context.facts)) return undefined;
  // a link goes alone, whatever it leads to
  const kind = kindAt(path, context, false);
  if (kind === undefined) return undefined;
  const all = recursive ? ' with all that is in it' : '';
  const what = kind === 'folder' ? `the folder ${showPath(path)}${all}` : showPath(path);
  return trash
    ? agree(ask, `Move ${what} to the trash?`, 'Move it')
    : agree(ask, `Delete ${what}?`, 'Delete it');
}

/** Has the user agree that a file which exists is replaced whole; a new one needs nobody's word. */
export function confirmOverwrite(path: string, ask: Ask, context: Context): Promise<undefined> | undefined {
  if (context.scope.changes.confirm !== 'overwrite' || !canAsk(context.facts)) return undefined;
  if (kindAt(path, context, true) !== 'file') return undefined;
  return agree(ask, `Replace the content of ${showPath(path)}?`, 'Replace it');
}

/** What is there, as far as the call may know; what is not there is for the call itself to tell. */
function kindAt(path: string, { scope: { scope } }: Context, follow: boolean): 'file' | 'folder' | undefined {
  try {
    const { stat, target } = statEntry(scope, path);
    return ((follow && target?.stat) || stat).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    // that nothing is there the call says itself; what cannot be looked at now must not pass without a question
    if (error instanceof ToolError && error.code === 'not-found') return undefined;
    throw error;
  }
}
