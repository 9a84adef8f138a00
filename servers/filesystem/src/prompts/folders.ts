import { kindOf, noRoots, type Scope, showName, showPath, statEntry } from '@rootbound/kit/boundary';
import { Budget, jsonBytes } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';

/** Returns the folder that the caller named, or all roots. */
export function foldersOf(scope: Scope, path: string | undefined): string[] {
  if (scope.roots.length === 0) throw noRoots(scope);
  if (path === undefined) return scope.roots.map((root) => root.path);
  const { stat, target } = statEntry(scope, path);
  if (kindOf(target?.stat ?? stat) !== 'directory')
    throw new ToolError(`not a folder: ${showPath(path)}`, {
      code: 'not-a-directory',
      hint: 'use the prompt explain_file for files',
    });
  return [path];
}

/** Returns a text that names the folders, as many as fit into `room` bytes. */
export function nameFolders(folders: readonly string[], room: number): string {
  const budget = new Budget(room);
  const names: string[] = [];
  for (const name of folders.map(showName)) {
    if (!budget.take(jsonBytes(` and ${name}`))) break;
    names.push(name);
  }
  const more = folders.length - names.length;
  if (names.length === 0) return more === 1 ? 'the root' : `the ${more} roots`;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(' and ');
}
