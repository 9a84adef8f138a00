import { statSync } from 'node:fs';
import { noRoots, type Scope, showPath } from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { findDatabases } from './find.ts';

/** The answer of the last look, and what it rests on. */
interface DefaultChoice {
  readonly path: string;
  /** the folders that were looked at, and when each was changed last */
  readonly folders: ReadonlyMap<string, number>;
  /** when all of them are looked at again, and whatever is below */
  readonly until: number;
}

const MOST_ENTRIES = 20_000;
const MOST_NAMED = 10;
/** A call pays for a look at this many folders; more are looked at again only when the answer has become old. */
const MOST_WATCHED = 4;
const TRUSTED_MS = 1_000;
/** A slow search is not repeated so soon. */
const TRUSTED_TIMES = 100;
const choices = new WeakMap<Scope, DefaultChoice>();

/** The path of the only database in the roots, for calls that name none. */
export function defaultDatabase(scope: Scope): string {
  const last = choices.get(scope);
  const begun = performance.now();
  if (last !== undefined && begun < last.until && isUnchanged(last)) return last.path;
  const folders = new Map<string, number>();
  const paths: string[] = [];
  let isFull = false;
  for (const seen of findDatabases(scope, { entries: MOST_ENTRIES })) {
    if ('folder' in seen) {
      // looked at before what is in it is read: a later change is seen next time
      if (folders.size < MOST_WATCHED) folders.set(seen.folder, modifiedAt(seen.folder));
      continue;
    }
    if ('full' in seen) {
      isFull = true;
      continue;
    }
    // a root that is a file stays the only one in itself
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

/** When a folder was changed: nothing else of it is told, and where that leads outside, the search finds nothing. */
function modifiedAt(folder: string): number {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    // what cannot be looked at cannot be searched either
    return 0;
  }
}

function whichDatabase(scope: Scope, paths: readonly string[], isFull: boolean): ToolError {
  if (scope.roots.length === 0) return noRoots(scope);
  if (paths.length === 0)
    return new ToolError(isFull ? 'database is missing' : 'there is no database in the roots', {
      code: 'which-database',
      hint: isFull ? 'say which in database' : 'name one in database once it is there',
    });
  const named = paths.slice(0, MOST_NAMED).map(showPath).join(', ');
  const more = paths.length > MOST_NAMED || isFull ? ', …' : '';
  return new ToolError('database is missing, and there may be more than one', {
    code: 'which-database',
    hint: `say which in database: ${named}${more}`,
  });
}
