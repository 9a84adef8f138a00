import { isUtf8 } from 'node:buffer';
import { ToolError } from '@rootbound/protocol';
import type { PathArgument } from '../../run/command.ts';
import { treePath } from './tree-path.ts';

/** The part of a repository that is searched. */
export interface Searched {
  readonly paths: readonly PathArgument[];
  readonly globs: readonly string[];
}

/** Returns the paths, or the paths below them that the globs select; a glob with `!` excludes. */
export function searchedOf(names: readonly string[], include: readonly string[]): Searched {
  const paths = names.map(treePath);
  const tops = paths.includes('') || paths.length === 0 ? [''] : paths;
  const globs = tops.flatMap((top) => include.flatMap((glob) => globsBelow(top, glob)));
  // git takes everything that is not excluded where nothing is named
  const named = include.every((glob) => glob.startsWith('!')) && tops[0] !== '';
  return { paths: named ? tops.map((path) => Buffer.from(path, 'latin1')) : [], globs };
}

/** Returns the globs of paths with the name, and of paths in folders with the name. */
function globsBelow(top: string, glob: string): string[] {
  const excludes = glob.startsWith('!') ? '!' : '';
  const own = glob.slice(excludes.length).replace(/(?<!\/)\/+$/, '');
  if (own === '' || own.split('/').includes('..')) {
    throw new ToolError('a glob of include selects nothing in the repository', { code: 'invalid-path' });
  }
  // one without a slash means names at any depth
  const below = own.includes('/') ? own.replace(/^\/+/, '') : `**/${own}`;
  const whole = `${excludes}${top === '' ? '' : `${literal(top)}/`}${below}`;
  return whole.endsWith('**') ? [whole] : [whole, `${whole}/**`];
}

function literal(path: string): string {
  const bytes = Buffer.from(path, 'latin1');
  if (isUtf8(bytes)) return bytes.toString().replace(/[\\*?[]/g, '\\$&');
  throw new ToolError('a path that is not UTF-8 cannot be given with include', {
    code: 'unsupported',
    hint: 'name the folder above it instead',
  });
}
