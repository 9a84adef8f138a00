import { showPath, statEntry } from '@rootbound/kit/boundary';
import { agree, canAsk } from '@rootbound/kit/call';
import { type Ask, type CallContext, ToolError } from '@rootbound/protocol';
import type { Workspace } from './workspace.ts';

type Context = CallContext<Workspace, undefined>;

/** Asks the user to confirm a deletion if the operator wants that and the client can ask. Returns undefined otherwise. */
export function confirmDeletion(
  path: string,
  recursive: boolean,
  ask: Ask,
  context: Context,
): Promise<undefined> | undefined {
  const { confirm: policy, trash } = context.scope.changes;
  if (policy === 'never' || !canAsk(context.facts)) return undefined;
  // a link is deleted, never its target
  const kind = kindAt(path, context, false);
  if (kind === undefined) return undefined;
  const all = recursive ? ' and everything in it' : '';
  const what = kind === 'folder' ? `the folder ${showPath(path)}${all}` : showPath(path);
  return trash
    ? agree(ask, `Move ${what} to the trash?`, 'Move it')
    : agree(ask, `Delete ${what}?`, 'Delete it');
}

/** Asks the user to confirm that an existing file is overwritten. A new file needs no confirmation. */
export function confirmOverwrite(path: string, ask: Ask, context: Context): Promise<undefined> | undefined {
  if (context.scope.changes.confirm !== 'overwrite' || !canAsk(context.facts)) return undefined;
  if (kindAt(path, context, true) !== 'file') return undefined;
  return agree(ask, `Replace the content of ${showPath(path)}?`, 'Replace it');
}

/** Returns whether a path is a file or a folder, or undefined if nothing exists there. */
function kindAt(path: string, { scope: { scope } }: Context, follow: boolean): 'file' | 'folder' | undefined {
  try {
    const { stat, target } = statEntry(scope, path);
    return ((follow && target?.stat) || stat).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    // the call itself reports a missing path; any other failure must not skip the question
    if (error instanceof ToolError && error.code === 'not-found') return undefined;
    throw error;
  }
}
