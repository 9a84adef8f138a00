import { ToolError } from '@rootbound/protocol';
import { bytesOfName } from '../../porcelain/names.ts';

/** Returns a path of the caller as a byte string in git's form: from the top, which is ''. */
export function treePath(name: string): string {
  const path = bytesOfName(name)
    .toString('latin1')
    .replace(/^(?:\.\/+)+/, '')
    .replace(/(?<=[^/])\/+$/, '');
  if (path === '.' || path === '') return '';
  if (path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')) return path;
  throw new ToolError('not a path in the repository', {
    code: 'invalid-path',
    hint: 'paths begin at the top of the repository, without a slash: src/main.c',
  });
}
