import { defined } from '@rootbound/kit/primitives';
import type { Opened } from '../../call/open-repository.ts';
import { command } from '../../run/command.ts';
import { refName } from '../../run/operand.ts';
import type { MovedBranch } from './sequence-schema.ts';

type Branches = ReadonlyMap<string, string>;

/** Returns the commits of all branches. */
export async function branchesOf(opened: Opened): Promise<Branches> {
  const asked = command('for-each-ref', {
    options: { '--format': '%(objectname) %(refname:lstrip=2)' },
    names: [refName('refs/heads')],
  });
  const lines = (await opened.run(asked)).stdout.toString().split('\n');
  return new Map(
    lines
      .filter((line) => line !== '')
      .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))]),
  );
}

/** Returns the branches that have moved, except the current one. */
export async function movedSince(
  opened: Opened,
  earlier: Branches,
  own: string | undefined,
): Promise<MovedBranch[]> {
  const now = await branchesOf(opened);
  return [...earlier].flatMap(([branch, before]) => {
    const after = now.get(branch);
    if (branch === own || after === before) return [];
    return [{ branch, before, ...defined({ after }) }];
  });
}
