import { basename, dirname, isAbsolute, join, posix, resolve, sep, win32 } from 'node:path';
import { bytesOfText, isByteText, textOfBytes } from '../names/bytes.ts';
import { foreignHint } from '../names/hints.ts';
import { homeFolder } from '../names/machine.ts';
import { fromFileUri } from '../names/uris.ts';
import { windowsForm, windowsProblem } from '../names/windows.ts';
import { isNotFound, noRoots, notFound, refuse } from '../scope/refusal.ts';
import { isInside, type Root, type Scope } from '../scope/scope.ts';
import { namesFold, placeByIdentity } from '../verifying/identity.ts';
import { lookalikeOf } from './spelling.ts';

const here = process.platform;

// an empty, "." or ".." component, or a separator at the end
const irregular = here === 'win32' ? /[/\\]\.{0,2}(?:[/\\]|$)|\// : /\/\.{0,2}(?:\/|$)/;

/**
 * The places that a caller's path may mean, each below the real form of a root: one for an absolute path, one per
 * root for a relative path. Nothing is touched here, so what is lexically outside or denied costs no system call;
 * `refusal` is the answer when nothing else is left.
 */
export function candidatesOf(
  scope: Scope,
  path: string,
  refusal: (path: string) => Error = notFound,
): readonly string[] {
  const places = placesOf(scope, path);
  if (places.length === 1 && !scope.hides(places[0]!)) return places;
  const visible = places.filter((place) => !scope.hides(place));
  if (visible.length === 0) throw refusal(path);
  return visible;
}

function placesOf(scope: Scope, path: string): readonly string[] {
  if (scope.roots.length === 0) throw noRoots(scope);
  const inner = unquoted(path);
  return inner === undefined ? placesOfText(scope, path, path) : placesOfQuoted(scope, path, inner);
}

function placesOfText(scope: Scope, text: string, path: string): readonly string[] {
  const plain = plainPath(text);
  if (isAbsolute(plain)) return [translate(scope, irregular.test(plain) ? resolve(plain) : plain, path)];
  const found: string[] = [];
  for (const root of scope.roots) {
    const joined = resolve(root.real, plain);
    if (isInside(joined, root.real)) found.push(joined);
  }
  if (found.length === 0) throw notFound(path);
  return found;
}

/** A name that has quotes is meant before what is between them. */
function placesOfQuoted(scope: Scope, path: string, inner: string): readonly string[] {
  const found: string[] = [];
  let failure: unknown;
  for (const text of [path, inner]) {
    try {
      found.push(...placesOfText(scope, text, path));
    } catch (error) {
      failure = error;
    }
  }
  if (found.length === 0) throw failure;
  return found;
}

/** Tries the places that a path may mean in the roots' order; the first that exists decides. */
export function firstFound<T>(scope: Scope, path: string, attempt: (candidate: string) => T): T {
  const candidates = candidatesOf(scope, path);
  for (const candidate of candidates) {
    try {
      return attempt(candidate);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  const lookalike = firstLookalike(scope, path, candidates);
  if (lookalike === undefined) throw notFound(path);
  return attempt(lookalike);
}

/** Where a path leads when nothing is at its places: to what only looks different, else where it would be made. */
export function placeAfterMiss(scope: Scope, path: string, candidates: readonly string[]): string {
  const inner = unquoted(path);
  return (
    firstLookalike(scope, path, candidates) ??
    (inner === undefined ? candidates[0]! : candidatesOf(scope, inner)[0]!)
  );
}

function firstLookalike(scope: Scope, path: string, candidates: readonly string[]): string | undefined {
  for (const candidate of candidates) {
    const found = lookalikeOf(scope, candidate, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Splits a place into the folder that holds it and its name there. */
export function splitPlace(candidate: string): { folder: string; name: string } {
  return { folder: dirname(candidate), name: basename(candidate) };
}

/** Whether the caller wrote the path of a folder: it ends in a separator. */
export function namesFolder(path: string): boolean {
  return path.endsWith('/') || path.endsWith(sep);
}

// what Linux takes in one call; Windows takes more, and says so itself
const longest = 4095;

function isTooLong(path: string, platform: NodeJS.Platform): boolean {
  return path.length * 3 > longest && platform !== 'win32' && Buffer.byteLength(path) > longest;
}

/** Returns the text between quotes that were copied from a shell or from Markdown; undefined where there are none. */
function unquoted(path: string): string | undefined {
  const first = path.charCodeAt(0);
  const isQuote = first === 34 || first === 39 || first === 96;
  return isQuote && path.length > 2 && path.endsWith(path[0]!) ? path.slice(1, -1) : undefined;
}

/** A caller's path as the system writes it: no URI, no `~`, on Windows in its one form. */
export function plainPath(path: string, platform: NodeJS.Platform = here): string {
  if (path.includes('\0')) throw refuse('invalid-path', path, 'remove the NUL character');
  if (isTooLong(path, platform)) throw refuse('invalid-path', path, `a path has at most ${longest} bytes`);
  if (path === '') throw refuse('invalid-path', path, 'the path is empty; "." is the first root');
  const own = platform === here ? sep : platform === 'win32' ? win32.sep : posix.sep;
  const first = path.charCodeAt(0);
  // "~", and "/" before all else: nearly every path is absolute
  let plain = path;
  if (first === 126 && (path.length === 1 || path[1] === '/' || path[1] === own))
    plain = join(homeFolder(), path.slice(1));
  else if (first !== 47 && /^file:/i.test(path)) plain = pathOfUri(path, platform);
  if (platform === 'win32') return windowsPath(plain, path);
  if (first !== 47 && /^(?:[a-z]:[/\\]|\\\\)/i.test(plain))
    throw refuse('invalid-path', path, foreignHint(plain));
  return plain.isWellFormed() ? plain : byteText(plain, path);
}

function windowsPath(plain: string, path: string): string {
  const form = windowsForm(plain);
  const problem = windowsProblem(form);
  if (problem !== undefined) throw refuse('invalid-path', path, problem);
  return form;
}

function pathOfUri(uri: string, platform: NodeJS.Platform): string {
  const path = fromFileUri(uri, platform);
  if (path !== undefined) return path;
  const form = platform === 'win32' ? 'file:///C:/folder/name' : 'file:///folder/name';
  throw refuse('invalid-path', uri, `a file URI looks like ${form}, with what is not plain as %XX`);
}

/** Bytes that are not UTF-8 have one form as text, so that a name is not written in two ways. */
function byteText(plain: string, path: string): string {
  if (isByteText(plain)) return textOfBytes(bytesOfText(plain));
  throw refuse('invalid-path', path, 'half of a character; a name has whole ones');
}

function translate(scope: Scope, absolute: string, path: string): string {
  let best: Root | undefined;
  let length = -1;
  for (const root of scope.roots) {
    if (root.path.length > length && isInside(absolute, root.path)) {
      best = root;
      length = root.path.length;
    }
  }
  if (best !== undefined) {
    if (best.path === best.real) return absolute;
    return absolute.length === length ? best.real : join(best.real, absolute.slice(length));
  }
  for (const root of scope.roots) if (isInside(absolute, root.real)) return absolute;
  const place = namesFold
    ? placeByIdentity(here === 'win32' ? win32 : posix, scope.roots, absolute)
    : undefined;
  if (place === undefined) throw notFound(path);
  return place;
}
