import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { isNotFound, noRoots, notFound, refuse } from './refusal.ts';
import { isInside, type Root, type Scope } from './scope.ts';
import { fromFileUri } from './uris.ts';

// an empty, "." or ".." component, or a separator at the end
const irregular = process.platform === 'win32' ? /[/\\]\.{0,2}(?:[/\\]|$)|\// : /\/\.{0,2}(?:\/|$)/;

/**
 * The places that a caller's path may mean, each below the real form of a root: one for an absolute path, one per
 * root for a relative path. Nothing is touched here, so what is lexically outside costs no system call.
 */
export function candidatesOf(scope: Scope, path: string): readonly string[] {
  if (scope.roots.length === 0) throw noRoots(scope);
  const plain = plainPath(path);
  if (isAbsolute(plain)) return [translate(scope, irregular.test(plain) ? resolve(plain) : plain, path)];
  const found: string[] = [];
  for (const root of scope.roots) {
    const joined = resolve(root.real, plain);
    if (isInside(joined, root.real)) found.push(joined);
  }
  if (found.length === 0) throw notFound(path);
  return found;
}

/** Tries the places that a path may mean in the roots' order; the first that exists decides. */
export function firstFound<T>(scope: Scope, path: string, attempt: (candidate: string) => T): T {
  const candidates = candidatesOf(scope, path);
  const last = candidates.length - 1;
  for (let index = 0; index < last; index++) {
    try {
      return attempt(candidates[index]!);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  try {
    return attempt(candidates[last]!);
  } catch (error) {
    throw isNotFound(error) ? notFound(path) : error;
  }
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

function isTooLong(path: string): boolean {
  return path.length * 3 > longest && process.platform !== 'win32' && Buffer.byteLength(path) > longest;
}

/** A caller's path without the dressing that people and models put around it. */
export function plainPath(path: string): string {
  if (path.includes('\0')) throw refuse('invalid-path', path, 'remove the NUL character');
  if (isTooLong(path)) throw refuse('invalid-path', path, `a path has at most ${longest} bytes`);
  let plain = path;
  const first = plain.charCodeAt(0);
  // " ' and ` in pairs: copied from a shell or from Markdown
  if (
    (first === 34 || first === 39 || first === 96) &&
    plain.length > 2 &&
    plain.charCodeAt(plain.length - 1) === first
  )
    plain = plain.slice(1, -1);
  if (plain === '') throw refuse('invalid-path', path, 'the path is empty; "." is the first root');
  if (plain.charCodeAt(0) === 126 && (plain.length === 1 || plain[1] === '/' || plain[1] === sep))
    return join(homedir(), plain.slice(1));
  if (!/^file:/i.test(plain)) return plain;
  const fromUri = fromFileUri(plain);
  if (fromUri === undefined)
    throw refuse(
      'invalid-path',
      path,
      'a file URI looks like file:///folder/name, with bytes that are not plain as %XX',
    );
  return fromUri;
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
  throw notFound(path);
}
