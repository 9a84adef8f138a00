import { fromFileUri } from '@rootbound/kit/boundary';
import { toBytes } from '../search/order.ts';

/** Returns a path that the caller can pass to a tool for the entry `below` the directory `path`. */
export function joinDisplayPath(path: string, below: string): string {
  const base = plain(path);
  if (base === '' || base === '.') return below;
  return base.endsWith('/') ? base + below : `${base}/${below}`;
}

function plain(path: string): string {
  const bare = /^(["'`])(.+)\1$/s.exec(path)?.[2] ?? path;
  return (/^file:/i.test(bare) ? fromFileUri(bare) : undefined) ?? bare.replace(/^(?:\.\/)+/, '');
}

/** Returns the byte path of a path in a result, or undefined if it may contain escapes. */
export function bytePathOf(displayed: string): string | undefined {
  return displayed.includes('\\') ? undefined : toBytes(displayed);
}
