import { isOneName } from '../names/names.ts';
import { refuse } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { backendOf } from '../verifying/backend.ts';
import { close, type Handle } from '../verifying/handle.ts';
import { firstFound } from './paths.ts';

/** An open folder inside the boundary. */
export interface OpenDirectory extends Handle {
  /** returns a path for one `fs` call on that name, right away; the call must not follow a final link */
  child(name: string | Buffer): string | Buffer;
  close(): void;
}

/** Opens a folder, so that its entries are reached from the handle and not by a path that may change. */
export function openDirectory(scope: Scope, path: string): OpenDirectory {
  return firstFound(scope, path, (candidate) => openFolderAt(scope, candidate, path));
}

/** Opens the folder at a place that `candidatesOf` gave. */
export function openFolderAt(scope: Scope, candidate: string, displayPath: string): OpenDirectory {
  const backend = backendOf(scope);
  const handle = backend.openFolder(scope, candidate, displayPath);
  return { ...handle, child: (name) => backend.child(handle, oneName(name)), close: () => close(handle.fd) };
}

function oneName(name: string | Buffer): string | Buffer {
  if (!isOneName(name)) throw refuse('invalid-path', String(name), 'name one entry of the folder');
  return name;
}
