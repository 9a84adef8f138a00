import { statSync } from 'node:fs';
import { noRoots, type Scope, showPath } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { findDatabases } from './find.ts';

/** The default database of a scope and the state of the folders when it was found. */
interface DefaultChoice {
  readonly path: string;
  /** modification time of each folder that was searched */
  readonly folders: ReadonlyMap<string, number>;
  /** when the roots are searched again, by `performance.now()` */
  readonly until: number;
}

const MOST_ENTRIES = 20_000;
const MOST_NAMED = 10;
/** Folders whose modification time each call compares; changes of others are found when the choice expires. */
const MOST_WATCHED = 4;
const TRUSTED_MS = 1_000;
/** A choice stays valid for this many times the duration of its search. */
const TRUSTED_TIMES = 100;
const choices = new WeakMap<Scope, DefaultChoice>();

/** Returns the path of the only database in the roots, for calls that name none. */
export function defaultDatabase(scope: Scope): string {
  const last = choices.get(scope);
  const begun = performance.now();
  if (last !== undefined && begun < last.until && isUnchanged(last)) return last.path;
  const folders = new Map<string, number>();
  const paths: string[] = [];
  let isFull = false;
  for (const seen of findDatabases(scope, { entries: MOST_ENTRIES })) {
    if ('folder' in seen) {
      // read before the folder's entries, so that a later change is noticed
      if (folders.size < MOST_WATCHED) folders.set(seen.folder, modifiedAt(seen.folder));
      continue;
    }
    if ('full' in seen) {
      isFull = true;
      continue;
    }
    // a root that is a file needs no check for further databases
    folders.delete(seen.database.path);
    if (paths.push(seen.database.path) > MOST_NAMED) break;
  }
  const [path] = paths;
  if (path === undefined || paths.length > 1 || isFull) {
    choices.delete(scope);
    throw whichDatabase(scope, paths, isFull);
  }
  const now = performance.now();
  choices.set(scope, { path, folders, until: now + Math.max(TRUSTED_MS, (now - begun) * TRUSTED_TIMES) });
  return path;
}

function isUnchanged({ folders }: DefaultChoice): boolean {
  for (const [folder, changed] of folders) if (modifiedAt(folder) !== changed) return false;
  return true;
}

/**
 * Returns the modification time of a folder, which is not reported; a folder that leads outside the roots yields no
 * databases.
 */
function modifiedAt(folder: string): number {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    // an unreadable folder cannot be searched either
    return 0;
  }
}

function whichDatabase(scope: Scope, paths: readonly string[], isFull: boolean): ToolError {
  if (scope.roots.length === 0) return noRoots(scope);
  if (paths.length === 0)
    return new ToolError(isFull ? 'database is missing' : 'the roots hold no database', {
      code: 'which-database',
      hint: isFull ? 'name one in database' : 'create one, then name it in database',
    });
  const named = paths.slice(0, MOST_NAMED).map(showPath).join(', ');
  const more = paths.length > MOST_NAMED || isFull ? ', …' : '';
  return new ToolError('database is missing, and the roots may hold several', {
    code: 'which-database',
    hint: `name one in database: ${named}${more}`,
  });
}
