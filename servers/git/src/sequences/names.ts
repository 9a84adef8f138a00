import type { Opened } from '../opened.ts';
import type { Oid } from '../run/oid.ts';
import { isRefName, type RefName } from '../run/operand.ts';

/**
 * Returns a revision as git may be given it instead of its id: the name of a branch that is there, and that nothing else
 * is called. git then has it in messages and markers, and hooks are told it.
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
