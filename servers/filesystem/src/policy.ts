import { deniedBy, type ServeOptions } from '@rootbound/kit/cli';
import { type FilesystemExtras, formerNames } from './spec.ts';
import type { ChangePolicy, Offers } from './workspace.ts';

/** What the operator wants of this server, decided once at its start. */
export interface Policy {
  /** globs of what does not exist for the client */
  readonly deny: readonly string[];
  /** what those are, in words; undefined when there are none */
  readonly denied: string | undefined;
  readonly changes: ChangePolicy;
  /** whether the operator lets a tool be offered; under --read-only those that write are not, all the same */
  readonly offers: Offers;
}

/** The policy that options of the command line ask for. */
export function policyOf(
  { readOnly, tools }: Pick<ServeOptions, 'readOnly' | 'tools'>,
  extra: Partial<FilesystemExtras>,
): Policy {
  const { 'allow-delete': allowDelete = false, trash = false } = extra;
  const { fsync = false, confirm = 'delete', 'hard-links': hardLinks = 'break' } = extra;
  const offered = new Set(tools);
  if (!allowDelete && !trash) offered.delete('delete_file');
  const deletes = !readOnly && offered.has('delete_file');
  const { globs: deny, words: denied } = deniedBy(extra);
  return Object.freeze({
    ...{ deny, denied },
    // the command line lets only the words of these types pass
    changes: Object.freeze({ fsync, deletes, trash, confirm, hardLinks }) as ChangePolicy,
    offers: (tool: string) => offered.has(formerNames[tool] ?? tool),
  });
}
