import { dirname, join, relative } from 'node:path';
import { backendOf } from './backend.ts';
import type { Sighting } from './handle.ts';
import { choose } from './places.ts';
import { isNotFound, notFound } from './refusal.ts';
import type { Scope } from './scope.ts';

export interface Watched {
  /** the real path to watch, and under which events arrive */
  readonly path: string;
  readonly exists: boolean;
}

/** The real path behind a caller's path, for a watcher that takes paths; what is missing is placed in its real folder. */
export function locate(scope: Scope, path: string): Watched {
  const { candidate, seen } = choose(scope, path, true);
  if (seen !== undefined) return { path: seen.path, exists: true };
  for (let place = candidate; !scope.isRoot(place); place = dirname(place)) {
    const parent = sightOf(scope, dirname(place), path, true);
    if (parent === undefined) continue;
    // a link that leads nowhere now, or outside: a watcher would go where it leads
    if (sightOf(scope, place, path, false) !== undefined) break;
    return { path: join(parent.path, relative(dirname(place), candidate)), exists: false };
  }
  throw notFound(path);
}

function sightOf(scope: Scope, place: string, shown: string, follow: boolean): Sighting | undefined {
  try {
    return backendOf(scope).sight(scope, place, shown, follow);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
