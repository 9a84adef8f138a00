import { isAbsolute, posix, relative, sep } from 'node:path';
import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName, isPlainName, nameOfByteString } from '../../porcelain/names.ts';
import type { PathArgument } from '../../run/command.ts';
import { nearest } from './nesting.ts';

/** Files and folders that a caller names. */
export interface Selection {
  /** from the top of the work tree, as results give them */
  readonly names: readonly string[];
  readonly paths: readonly PathArgument[];
  /** whether git's command line can hold them */
  readonly fits: boolean;
  /** returns whether a path is one of them, or in one of them */
  holds(path: string): boolean;
  /** returns the names that match paths, or contain some: git knows no others */
  namesAbove(paths: readonly string[]): readonly string[];
}

/** Bytes of paths: a command line on Windows ends at 32 KiB, and has other arguments, too. */
const MOST_BYTES = 16_384;

/** Returns the selection that the caller's names stand for; an absolute path is one of the work tree. */
export function selectionOf({ repository }: Pick<Opened, 'repository'>, given: readonly string[]): Selection {
  const top = repository.place.workTree;
  if (top === undefined) throw new ToolError('a bare repository has no work tree', { code: 'unsupported' });
  const prefixes = given.map((name) => normal(name, top));
  const names = prefixes.map((prefix) => (prefix === '' ? '.' : nameOfByteString(prefix)));
  const chosen = new Set(prefixes);
  return {
    names,
    paths: names.map((name) => (isPlainName(name) ? name : bytesOfName(name))),
    fits: names.every(isPlainName) && names.reduce((sum, name) => sum + name.length, 0) <= MOST_BYTES,
    holds: (path) => nearest(chosen, path) !== undefined,
    namesAbove: (paths) => {
      const found = new Set(paths.map((path) => nearest(chosen, path)));
      return names.filter((_, index) => found.has(prefixes[index]!));
    },
  };
}

/** Returns the byte string of a name in its shortest form; empty for the top. */
function normal(name: string, top: string): string {
  if (name === '') throw invalid('a path is empty', 'the top is "."');
  const inside = isAbsolute(name) ? relative(top, name).split(sep).join('/') : name;
  const path = posix.normalize(bytesOfName(inside === '' ? '.' : inside).toString('latin1'));
  if (path === '..' || path.startsWith('../') || isAbsolute(path))
    throw invalid('a path leads out of the repository', 'paths are relative to its top');
  if (/^\.git(?:\/|$)/i.test(path)) throw invalid('.git is no part of the work tree', 'name files beside it');
  return path === '.' || path === './' ? '' : path.replace(/\/$/, '');
}

function invalid(message: string, hint: string): ToolError {
  return new ToolError(message, { code: 'invalid-path', hint });
}
