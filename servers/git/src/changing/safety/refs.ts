import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Oid } from '../../run/oid.ts';
import { type RefName, refName } from '../../run/operand.ts';

/** git would take HEAD for a branch of that name, and the two could not be told apart */
export function branchName(text: string): RefName {
  if (text !== 'HEAD' && !text.startsWith('refs/')) return refName(text);
  throw new ToolError('branch_name is the name of a reference itself', {
    code: 'invalid-ref',
    hint: 'leave out refs/heads/',
  });
}

/** Throws unless a ref is where the change put it, or is deleted. */
export async function expectRef(opened: Opened, ref: string, commit: Oid | undefined): Promise<void> {
  const found = await opened.objects.info(ref);
  if (found?.oid === commit) return;
  const wanted = commit === undefined ? 'gone' : `at ${commit.slice(0, 12)}`;
  throw new ToolError(`git reported success, but ${ref} is not ${wanted}`, {
    code: 'changed',
    hint: 'another program may have moved it; look before trying again',
  });
}
