import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type Change, parseChanges } from '../../porcelain/changes.ts';
import { changesCommand, emptyTree } from '../../porcelain/diff.ts';
import { type Commit, parseCommit } from '../../repository/commit.ts';
import type { Oid } from '../../run/oid.ts';
import type { Point } from '../safety/point.ts';
import type { Concluded } from './readiness.ts';

/** Bytes of a commit that is read back; people write smaller ones. */
const MOST_BYTES = 16 << 20;

export async function readCommit(opened: Opened, oid: Oid): Promise<Commit> {
  const found = await opened.objects.read(oid, MOST_BYTES);
  if (found?.bytes === undefined) throw notSo('the commit cannot be read');
  return parseCommit(found.bytes);
}

/** Throws unless HEAD is at the commit that was asked for: on the same branch, with the expected parents. */
export async function expectCommit(
  opened: Opened,
  before: Point,
  after: Point,
  { amended, concluded }: { readonly amended: Commit | undefined; readonly concluded: Concluded | undefined },
): Promise<{ readonly oid: Oid; readonly commit: Commit }> {
  // an amended commit of the same second that changes nothing is the same one
  const isOther = after.commit !== before.commit || amended !== undefined;
  if (after.commit === undefined || !isOther || after.branch !== before.branch)
    throw notSo('HEAD is not at a new commit');
  const commit = await readCommit(opened, after.commit);
  const [first, ...others] = commit.parents;
  const expected = amended === undefined ? before.commit : amended.parents[0];
  const merged = amended === undefined ? (concluded?.heads ?? []) : amended.parents.slice(1);
  const whole = merged.length === 0 ? others.length === 0 : others.length > 0 || amended !== undefined;
  if (first !== expected || !whole || !others.every((parent) => merged.includes(parent)))
    throw notSo('the new commit has other parents than it must have');
  return { oid: after.commit, commit };
}

/** Returns the changes of a commit against its first parent. */
export async function changesOf(opened: Opened, oid: Oid, { parents }: Commit): Promise<Change[]> {
  const from = parents[0] ?? emptyTree(opened.audit.facts.objectFormat);
  const { stdout } = await opened.run(changesCommand({ sides: { kind: 'between', from, to: oid } }));
  return parseChanges(stdout);
}

/** Returns how many paths are staged and not committed. */
export async function countStaged(opened: Opened): Promise<number> {
  const { stdout } = await opened.run(changesCommand({ sides: { kind: 'staged' }, renames: false }));
  return parseChanges(stdout).length;
}

export function notSo(what: string): ToolError {
  return new ToolError(`git reported success, but ${what}`, {
    code: 'changed',
    hint: 'another program, or a hook, may be at work there; look before trying again',
  });
}
