import { showPath } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import type { Suppressed } from '../repository/audit.ts';

/** Most settings and hooks that a question names; how many more there are it says. */
const MOST_NAMED = 40;
/** Hex digits: enough that nobody makes two repositories that have the same. */
const FINGERPRINT = 40;

type Named = Pick<Suppressed, 'key' | 'scope'> & { readonly submodule?: string | undefined };

/** The question to the user and its subject. */
export interface Asked {
  readonly path: string;
  /** what trust would let through */
  readonly suppressed: readonly Suppressed[];
  /** of all that can execute, which a shortened list may not tell apart */
  readonly hash: string;
}

/** The question whether a repository may run what it is set up for: another one when anything of that is another. */
export function questionOf({ path, suppressed, hash }: Asked): string {
  const named = suppressed.slice(0, MOST_NAMED).map(shown);
  const more = suppressed.length - named.length;
  if (more > 0) named.push(counted(more, 'more', 'more'));
  return [
    `Trust ${showPath(path)}? Git could then run or obey what the repository itself sets up: ${named.join(', ')}.`,
    'It could do all that you can, by programs in its work tree too, which may change.',
    `Trust ends with this server, and when a hook or one of these settings changes (fingerprint ${hash.slice(0, FINGERPRINT)}).`,
  ].join(' ');
}

/** As one can be told of a setting, in quotes: the repository may have chosen words for its name. */
export function shown({ key, scope, submodule }: Named): string {
  const where = [
    ...(scope === 'local' ? [] : [scope]),
    ...(submodule === undefined ? [] : [`submodule ${JSON.stringify(submodule)}`]),
  ];
  return `${JSON.stringify(key)}${where.length === 0 ? '' : ` (${where.join(', ')})`}`;
}
