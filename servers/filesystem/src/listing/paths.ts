import { fromFileUri } from '@rootbound/kit/boundary';
import { toBytes } from '../search/order.ts';

/** A path that the caller can use for what was found at `below` in the directory that it named `path`. */
export function joinDisplayPath(path: string, below: string): string {
  const base = plain(path);
  if (base === '' || base === '.') return below;
  return base.endsWith('/') ? base + below : `${base}/${below}`;
}

function plain(path: string): string {
  const bare = /^(["'`])(.+)\1$/s.exec(path)?.[2] ?? path;
  return (/^file:/i.test(bare) ? fromFileUri(bare) : undefined) ?? bare.replace(/^(?:\.\/)+/, '');
}

/** The byte path of one that a search shows, or undefined when escapes in it leave that open. */
export function bytePathOf(displayed: string): string | undefined {
  return displayed.includes('\\') ? undefined : toBytes(displayed);
}
