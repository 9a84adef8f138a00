import { lstatSync, opendirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { spellName } from '../names/names.ts';
import { isNotFound, refuse, systemCode } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { backendOf } from '../verifying/backend.ts';
import { close, type Handle } from '../verifying/handle.ts';

/** Names of one folder that are read: a miss is answered at once. */
const lookLimit = 10_000;

/**
 * Returns the place that a missing path may mean: for each missing name, the one name in its folder that only looks
 * different, in another normal form or with another kind of space. Undefined when no name has one.
 */
export function lookalikeOf(scope: Scope, candidate: string, displayPath: string): string | undefined {
  const root = scope.rootOf(candidate);
  if (root === undefined) return undefined;
  const names = candidate.slice(root.real.length).split(sep).filter(Boolean);
  if (!names.some(mayDiffer)) return undefined;
  let place = root.real;
  let differs = false;
  for (const [depth, name] of names.entries()) {
    const found = mayDiffer(name) ? nameIn(scope, place, name, displayPath) : name;
    if (found === undefined) return differs ? join(place, ...names.slice(depth)) : undefined;
    if (found !== name) differs = true;
    place = join(place, found);
  }
  return differs ? place : undefined;
}

/** only a space, or a character outside ASCII, can be written in two ways */
function mayDiffer(name: string): boolean {
  return /[^!-~]/.test(name);
}

function nameIn(scope: Scope, place: string, name: string, displayPath: string): string | undefined {
  let folder: Handle;
  try {
    folder = backendOf(scope).openFolder(scope, place, displayPath);
  } catch (error) {
    // missing, outside or not a folder: there are no names to compare
    if (isNotFound(error)) return undefined;
    throw error;
  }
  let found: string[];
  try {
    found = namesLike(scope, folder, name);
  } catch (error) {
    // a folder that may not be listed reveals nothing
    if (systemCode(error) !== undefined) return undefined;
    throw error;
  } finally {
    close(folder.fd);
  }
  if (found.length < 2) return found[0];
  const listed = found.map((other) => `"${spellName(other)}"`).sort();
  throw refuse(
    'ambiguous',
    displayPath,
    `these names look the same: ${listed.slice(0, 5).join(', ')}; write one of them exactly`,
  );
}

function namesLike(scope: Scope, folder: Handle, name: string): string[] {
  const { child } = backendOf(scope);
  if (lstatSync(child(folder, name), { throwIfNoEntry: false }) !== undefined) return [name];
  const wanted = plainForm(name);
  const isHidden = scope.hiddenIn(folder.path);
  const found: string[] = [];
  const stream = opendirSync(child(folder, '.'), { bufferSize: 512 });
  try {
    for (let looked = 0; looked < lookLimit; looked++) {
      const entry = stream.readSync();
      if (entry === null) return found;
      if (plainForm(entry.name) === wanted && !isHidden(entry.name)) found.push(entry.name);
    }
    // a folder that is too large gives no answer: the rest could contain one more
    return [];
  } finally {
    stream.closeSync();
  }
}

// the spaces that are no line ends; macOS puts U+202F before AM and PM
const spaces = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** Returns the common form of all names that look like this one. */
export function plainForm(name: string): string {
  return /[\u0080-\uffff]/.test(name) ? name.normalize('NFC').replace(spaces, ' ') : name;
}
