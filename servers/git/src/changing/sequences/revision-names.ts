import type { Opened } from '../../call/open-repository.ts';
import type { Oid } from '../../run/oid.ts';
import { isRefName, type RefName } from '../../run/operand.ts';

/**
 * Returns a revision in a form that git may be given instead of its id: the name of an existing branch that is
 * unambiguous. git then writes it into messages and markers, and passes it to hooks.
 */
export async function branchNamed(
  { objects }: Opened,
  revision: string,
  oid: Oid,
): Promise<RefName | undefined> {
  if (!isRefName(revision) || revision === 'HEAD') return undefined;
  const [local, remote, tag] = await Promise.all(
    ['heads', 'remotes', 'tags'].map((kind) => objects.info(`refs/${kind}/${revision}`)),
  );
  return tag === undefined && (local ?? remote)?.oid === oid ? (revision as RefName) : undefined;
}
