import { sep } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import type { Scope } from '../scope/scope.ts';
import { type OpenDirectory, openDirectory } from './directories.ts';
import { readEntries } from './entries.ts';
import { plainPath } from './paths.ts';
import { isStagingName } from './temporary.ts';

export interface Completion {
  /** absolute paths in the caller's form, folders with a separator at their end */
  readonly values: string[];
  /** whether more would fit */
  readonly more: boolean;
}

/** Names of one folder that are read: completion answers while someone types. */
const lookLimit = 100_000;
/** Names that are read between two pauses. */
const namesInOneGo = 500;

/** Returns the paths that continue the typed text, at once; none for a wrong or forbidden start. */
export function completePath(scope: Scope, prefix: string, limit: number): Completion {
  const work = completeInSteps(scope, prefix, limit);
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** Does the same with a pause at each step, for a caller that yields there. */
export function* completeInSteps(scope: Scope, text: string, limit: number): Generator<void, Completion> {
  // Windows takes both separators, and URIs have this one
  const prefix = text.replaceAll(sep, '/');
  const values = rootsAfter(scope, prefix);
  const cut = prefix.lastIndexOf('/') + 1;
  const start = prefix.slice(0, cut);
  if (prefix === '') return bounded(values, limit, false);
  // a name alone is one in the first root
  const place = cut === 0 ? '.' : start;
  let folder: OpenDirectory;
  try {
    plainPath(place);
    folder = openDirectory(scope, place);
  } catch (error) {
    if (error instanceof ToolError) return bounded(values, limit, false);
    throw error;
  }
  try {
    return yield* namesAfter(scope, folder, { start, typed: prefix.slice(cut), values, limit });
  } finally {
    folder.close();
  }
}

interface Wanted {
  readonly start: string;
  readonly typed: string;
  readonly values: string[];
  readonly limit: number;
}

function* namesAfter(
  scope: Scope,
  folder: OpenDirectory,
  { start, typed, values, limit }: Wanted,
): Generator<void, Completion> {
  let looked = 0;
  const isDenied = scope.hiddenIn(folder.path);
  for (const { name, kind, bytes } of readEntries(folder, start)) {
    if (++looked > lookLimit) return bounded(values, limit, true);
    if (looked % namesInOneGo === 0) yield;
    if (!name.startsWith(typed) || bytes !== undefined || isStagingName(name) || isDenied(name)) continue;
    values.push(start + name + (kind === 'directory' ? '/' : ''));
    if (values.length > limit) break;
  }
  return bounded(values, limit, false);
}

// above the roots only the roots themselves are visible
function rootsAfter(scope: Scope, prefix: string): string[] {
  return scope.roots
    .map((root) => root.path.replaceAll(sep, '/'))
    .map((path) => (path.endsWith('/') ? path : `${path}/`))
    .filter((path) => path.startsWith(prefix) && path !== prefix);
}

function bounded(values: string[], limit: number, more: boolean): Completion {
  const sorted = [...new Set(values)].sort();
  return { values: sorted.slice(0, limit), more: more || sorted.length > limit };
}
