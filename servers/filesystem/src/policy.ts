import { deniedBy, type ServeOptions } from '@rootbound/kit/cli';
import { type FilesystemExtras, formerNames } from './spec.ts';
import type { ChangePolicy, Offers } from './workspace.ts';

/** The operator's decisions about this server, made once at its start. */
export interface Policy {
  /** globs of the names and paths that the client cannot see */
  readonly deny: readonly string[];
  /** a description of these globs; undefined when there are none */
  readonly denied: string | undefined;
  readonly changes: ChangePolicy;
  /** whether the operator's options allow a tool; --read-only removes the tools that write in addition */
  readonly offers: Offers;
}

/** Returns the policy of these command line options. */
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
    deny,
    denied,
    // the command line accepts only the words of these types
    changes: Object.freeze({ fsync, deletes, trash, confirm, hardLinks }) as ChangePolicy,
    offers: (tool: string) => offered.has(formerNames[tool] ?? tool),
  });
}
