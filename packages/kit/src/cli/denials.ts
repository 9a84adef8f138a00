import { defaultDeny } from '../boundary/deny/denied-names.ts';
import { isDenyGlob } from '../boundary/deny/name-glob.ts';
import type { Extras, OptionRow } from './options.ts';

/** The options of every server that opens paths of a caller: rows of its spec. */
export const DENY_OPTIONS = [
  {
    name: 'deny',
    kind: 'list',
    value: '<glob,...>',
    fits: isDenyGlob,
    example: '*.key,build/secrets',
    help: 'names, and paths below a root, that do not exist for the client, besides secrets and .git',
  },
  { name: 'no-default-deny', kind: 'flag', help: 'deny only what --deny says' },
] as const satisfies readonly OptionRow[];

/** The values of these options. */
export type DenyExtras = Extras<typeof DENY_OPTIONS>;

/** Returns the names that these options deny. */
export interface Denied {
  /** for `Boundary` */
  readonly globs: readonly string[];
  /** in words for a model; undefined when nothing is denied */
  readonly words: string | undefined;
}

/**
 * Returns the patterns that a command line denies: the default list and its own globs, which may permit names of the
 * list.
 */
export function deniedBy(extra: Partial<DenyExtras>): Denied {
  const { deny: own = [], 'no-default-deny': noDefaultDeny = false } = extra;
  if (!noDefaultDeny) return { globs: [...defaultDeny, ...own], words: 'Secrets and .git' };
  return { globs: own, words: own.length > 0 ? 'Some names' : undefined };
}
