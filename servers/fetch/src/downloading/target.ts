import { join } from 'node:path';
import { noRoots, openDirectory, refuse, type Scope, showPath, statEntry } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';

/** Where a download goes: to a file that the caller named, or into a folder under a name that is found out. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/** The place that a path means: without one it is the first root that may be written to. */
export function targetOf(scope: Scope, path: string | undefined): Target {
  if (path === undefined) return { kind: 'folder', path: writableRoot(scope) };
  const named = /[/\\]$/.test(path);
  if (!named && !isFolder(scope, path)) return { kind: 'file', path };
  const folder = openDirectory(scope, path);
  folder.close();
  if (folder.root.readOnly) throw refuse('read-only', path, 'this root was given as read-only');
  return { kind: 'folder', path };
}

/** The path of a name in a folder. */
export function pathIn({ path }: Target, name: string): string {
  return /^file:/i.test(path) ? `${path.replace(/\/$/, '')}/${encodeURIComponent(name)}` : join(path, name);
}

/** The refusal to replace what is there. */
export function exists(path: string, { kind }: Target): ToolError {
  const hint = kind === 'file' ? 'overwrite replaces it' : 'give a path with another name';
  return new ToolError(`already exists: ${showPath(path)}`, { code: 'exists', hint });
}

function writableRoot(scope: Scope): string {
  if (scope.roots.length === 0) throw noRoots(scope);
  const root = scope.roots.find(({ readOnly, real }) => !readOnly && isFolder(scope, real));
  if (root !== undefined) return root.path;
  throw new ToolError('no root is a folder that may be written to', {
    code: 'read-only',
    hint: 'the server takes another root when it is started',
  });
}

function isFolder(scope: Scope, path: string): boolean {
  try {
    const { stat, target } = statEntry(scope, path);
    return (target?.stat ?? stat).isDirectory();
  } catch (error) {
    // what is not there may be made; all else writing will say
    if (error instanceof ToolError) return false;
    throw error;
  }
}
