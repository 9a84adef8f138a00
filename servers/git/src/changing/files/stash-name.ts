import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { parseStashes, type Stash, stashesCommand } from '../../porcelain/stash.ts';
import { isOid, type Oid } from '../../run/oid.ts';

/** Stashes that are searched. */
const MOST_READ = 10_000;

export async function stashesOf(opened: Opened): Promise<Stash[]> {
  return parseStashes((await opened.run(stashesCommand({ limit: MOST_READ }))).stdout);
}

/** Returns the stash that a caller names: by its number, which other changes shift, or by its commit. */
export async function namedStash(
  opened: Opened,
  name: string | undefined,
  expected: string | undefined,
): Promise<Stash> {
  const stashes = await stashesOf(opened);
  const found = stashes.find(finder(name ?? '0'));
  if (found === undefined) {
    throw new ToolError(stashes.length === 0 ? 'nothing is stashed' : 'no such stash', {
      code: 'unknown-revision',
      hint: 'git_list with kind stashes lists them',
    });
  }
  if (expected === undefined || expected === found.commit) return found;
  throw new ToolError(`stash@{${found.position}} is ${found.commit}, not the one that was expected`, {
    code: 'moved',
    hint: 'nothing was done; others shift when one comes or goes: name it by its commit',
  });
}

function finder(name: string): (stash: Stash) => boolean {
  const place = /^(?:stash@\{)?(\d{1,6})\}?$/.exec(name)?.[1];
  if (place !== undefined) return ({ position }) => position === Number(place);
  if (isOid(name)) return ({ commit }) => commit === name;
  throw new ToolError('stash is neither the number nor the commit of a stash', {
    code: 'invalid-arguments',
    hint: 'give 0, stash@{0}, or a commit that git_list with kind stashes names',
  });
}

/** Throws where a stash is not, after a call, where it should be. */
export async function expectStash(opened: Opened, commit: Oid, there: boolean): Promise<void> {
  if ((await stashesOf(opened)).some((stash) => stash.commit === commit) === there) return;
  throw new ToolError(`git reported success, but the stash ${commit} is ${there ? 'not there' : 'there'}`, {
    code: 'changed',
    hint: 'another program may be at work; look before trying again',
  });
}
