import { readlinkSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { systemPath, textOf } from '../names/bytes.ts';
import { notFound, systemCode } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { sightOf } from './locate.ts';
import { choose } from './places.ts';

/** Links that the system follows at most. */
const MOST_LINKS = 40;

/** Returns the links inside the boundary by which a path leads to its target, for a watcher that takes paths. */
export function linksTo(scope: Scope, path: string): readonly string[] {
  const { candidate, seen } = choose(scope, path, true, notFound);
  const found = new Set<string>();
  if (seen?.path !== candidate) gather(scope, candidate, path, found);
  return [...found];
}

function gather(scope: Scope, place: string, displayPath: string, found: Set<string>): void {
  const root = scope.rootOf(place)?.real;
  if (root === undefined) return;
  const names = relative(root, place).split(sep);
  let at = root;
  for (const [index, name] of names.entries()) {
    const seen = sightOf(scope, join(at, name), displayPath, false);
    if (seen === undefined) return;
    at = seen.path;
    if (!seen.stat.isSymbolicLink()) continue;
    const target = found.has(at) || found.size === MOST_LINKS ? undefined : targetOf(at);
    found.add(at);
    if (target !== undefined) gather(scope, join(target, ...names.slice(index + 1)), displayPath, found);
    return;
  }
}

/** Returns the target in a link's text: only a place to look at next, which is verified like any other. */
function targetOf(link: string): string | undefined {
  try {
    return resolve(dirname(link), textOf(readlinkSync(systemPath(link), 'buffer')));
  } catch (error) {
    // replaced meanwhile
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
