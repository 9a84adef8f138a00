import type { Opened } from '../../call/open-repository.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { not, type RefName, refName } from '../../run/operand.ts';
import type { Loss } from '../safety/consent.ts';

/** Commits that are counted at most. */
const MOST_COUNTED = 10_000;

/** Returns how many commits of a branch cannot be reached from any other branch, tag, remote or HEAD. */
export async function unmergedOf(opened: Opened, branch: RefName, at: Oid): Promise<number> {
  const { stdout } = await opened.run(
    command('for-each-ref', { options: { '--format': '%(refname)%00' }, names: refs.map(refName) }),
  );
  const others = stdout
    .toString('latin1')
    .split(/\0\n?/)
    .filter((name) => name !== '' && name !== `refs/heads/${Buffer.from(branch).toString('latin1')}`);
  const head = await opened.objects.info('HEAD');
  const known = head === undefined ? [] : [not(head.oid)];
  // by stdin: the names may not fit a command line
  const input = Buffer.from(others.map((name) => `^${name}\n`).join(''), 'latin1');
  const counted = await opened.run(
    command('rev-list', {
      flags: ['--count', '--stdin'],
      options: { '--max-count': MOST_COUNTED },
      revisions: [at, ...known],
      input,
    }),
  );
  return Number(counted.stdout.toString());
}

const refs = ['refs/heads', 'refs/remotes', 'refs/tags'];

export function lossOf(opened: Opened, branch: RefName, at: Oid, unmerged: number): Loss | undefined {
  if (unmerged === 0) return undefined;
  const commits = unmerged === 1 ? '1 commit that is' : `${unmerged} commits that are`;
  return {
    question: `Delete the branch ${branch} with ${commits} in no other?`,
    label: 'Delete it',
    facts: [opened.repository.commonIdentity, branch, at, unmerged],
  };
}
