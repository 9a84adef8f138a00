import { join } from 'node:path';
import { noRoots, openDirectory, refuse, type Scope, showPath, statEntry } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';

/** The target of a download: a file that the caller named, or a folder in which the response names the file. */
export type Target =
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string };

/** Returns the target of a path; without one it is the first writable root. */
export function targetOf(scope: Scope, path: string | undefined): Target {
  if (path === undefined) return { kind: 'folder', path: writableRoot(scope) };
  const named = /[/\\]$/.test(path);
  if (!named && !isFolder(scope, path)) return { kind: 'file', path };
  const folder = openDirectory(scope, path);
  folder.close();
  if (folder.root.readOnly) throw refuse('read-only', path, 'this root was given as read-only');
  return { kind: 'folder', path };
}

/** Returns the path of a file in a folder. */
export function pathIn({ path }: Target, name: string): string {
  return /^file:/i.test(path) ? `${path.replace(/\/$/, '')}/${encodeURIComponent(name)}` : join(path, name);
}

/** Returns the failure for a file that exists already. */
export function exists(path: string, { kind }: Target): ToolError {
  const hint = kind === 'file' ? 'give overwrite: true to replace it' : 'give a path with another name';
  return new ToolError(`already exists: ${showPath(path)}`, { code: 'exists', hint });
}

function writableRoot(scope: Scope): string {
  if (scope.roots.length === 0) throw noRoots(scope);
  const root = scope.roots.find(({ readOnly, real }) => !readOnly && isFolder(scope, real));
  if (root !== undefined) return root.path;
  throw new ToolError('no root is a writable folder', {
    code: 'read-only',
    hint: 'the operator can name a writable root when the server is started',
  });
}

function isFolder(scope: Scope, path: string): boolean {
  try {
    const { stat, target } = statEntry(scope, path);
    return (target?.stat ?? stat).isDirectory();
  } catch (error) {
    // a missing file may be created; the write reports any other error
    if (error instanceof ToolError) return false;
    throw error;
  }
}
