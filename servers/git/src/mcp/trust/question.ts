import { showPath } from '@rootbound/kit/boundary';
import { counted } from '@rootbound/kit/budget';
import type { Suppressed } from '../../repository/audit.ts';

/** Settings and hooks that a question names at most; it states the number of the others. */
const MOST_NAMED = 40;
/** Hex digits: enough that nobody can make two repositories with the same. */
const FINGERPRINT = 40;

type Named = Pick<Suppressed, 'key' | 'scope'> & { readonly submodule?: string | undefined };

/** The question to the user and its subject. */
export interface Asked {
  readonly path: string;
  /** the settings and hooks that trust would permit */
  readonly suppressed: readonly Suppressed[];
  /** a digest of everything that can execute, in which a shortened list may not differ */
  readonly hash: string;
}

/**
 * Returns the question whether a repository may run its configured programs: another one when any of them is another.
 */
export function questionOf({ path, suppressed, hash }: Asked): string {
  const named = suppressed.slice(0, MOST_NAMED).map(findingText);
  const more = suppressed.length - named.length;
  if (more > 0) named.push(counted(more, 'more', 'more'));
  return [
    `Trust ${showPath(path)}? Git could then run or obey these programs and settings, which are its own unless they are marked as global or system: ${named.join(', ')}.`,
    'It could do all that you can, by programs in its work tree too, which may change.',
    `Trust ends with this server, and when a hook or one of these settings changes (fingerprint ${hash.slice(0, FINGERPRINT)}).`,
  ].join(' ');
}

/** Returns a setting in quotes: the repository may have chosen words for its name. */
export function findingText({ key, scope, submodule }: Named): string {
  const where = [
    ...(scope === 'local' ? [] : [scope]),
    ...(submodule === undefined ? [] : [`submodule ${JSON.stringify(submodule)}`]),
  ];
  return `${JSON.stringify(key)}${where.length === 0 ? '' : ` (${where.join(', ')})`}`;
}
