import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type Commit, parseCommit } from '../../repository/commit.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';

const MOST_BYTES = 1 << 20;

export async function commitOf(opened: Opened, oid: Oid): Promise<Commit> {
  const bytes = (await opened.objects.contents(oid, MOST_BYTES))?.bytes;
  if (bytes === undefined)
    throw new ToolError('a commit is too large to be worked with', { code: 'unsupported' });
  return parseCommit(bytes);
}

export async function parentsOf(opened: Opened, oid: Oid): Promise<readonly Oid[]> {
  return (await commitOf(opened, oid)).parents;
}

export async function isAncestor(opened: Opened, old: Oid, young: Oid): Promise<boolean> {
  if (old === young) return true;
  const asked = command('merge-base', { flags: ['--is-ancestor'], revisions: [old, young] });
  return (await opened.run(asked, { okay: [0, 1] })).status === 0;
}
