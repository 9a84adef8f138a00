import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';
import { symmetric } from '../../run/operand.ts';
import { refuseOverwriting } from './in-the-way.ts';
import { differencesOf } from './written-paths.ts';

/** A run that writes to the work tree. */
export interface Incoming {
  /** commits that are merged */
  readonly merged?: readonly Oid[];
  /** commits that are checked out */
  readonly targets?: readonly Oid[];
  /** commits of which each is applied */
  readonly picked?: readonly Oid[];
  /** commits of which each is reverted */
  readonly reverted?: readonly Oid[];
}

/** Throws when the run would overwrite untracked files. */
export async function refuseOverwritingBy(
  opened: Opened,
  head: Oid | undefined,
  { merged = [], targets = [], picked = [], reverted = [] }: Incoming,
): Promise<void> {
  const found = [await pathsOf(opened, picked, 'A'), await pathsOf(opened, reverted, 'D')];
  for (const tip of merged) found.push(await mergedPaths(opened, head, tip));
  for (const target of targets) found.push(await addedPaths(opened, head, target));
  const coming = new Set(found.flat());
  if (coming.size > 0) await refuseOverwriting(opened, [...coming].map(nameOfByteString));
}

async function addedPaths(opened: Opened, from: Oid | undefined, to: Oid): Promise<string[]> {
  const differences = await differencesOf(opened, from, to);
  return differences.filter(({ added }) => added).map(({ path }) => path);
}

/** Returns the paths that HEAD lacks; a path that it deleted, and the other side did not change, stays deleted. */
async function mergedPaths(opened: Opened, head: Oid | undefined, tip: Oid): Promise<string[]> {
  const added = await addedPaths(opened, head, tip);
  if (head === undefined || added.length === 0) return added;
  const flags = ['--name-only', '-z', '--no-renames'] as const;
  const asked = command('diff', { flags, revisions: [symmetric(head, tip)] });
  const { status, stdout } = await opened.run(asked, { okay: [0, 128] });
  // histories without a common commit
  if (status !== 0) return added;
  const changed = new Set(recordsOf(stdout));
  return added.filter((path) => changed.has(path));
}

async function pathsOf(opened: Opened, commits: readonly Oid[], filter: 'A' | 'D'): Promise<string[]> {
  if (commits.length === 0) return [];
  const { stdout } = await opened.run(
    command('diff-tree', {
      flags: ['--name-only', '-z', '--no-renames', '-r', '-m', '--root', '--no-commit-id', '--stdin'],
      options: { '--diff-filter': filter },
      input: Buffer.from(`${commits.join('\n')}\n`),
    }),
  );
  return recordsOf(stdout).filter((path) => path !== '');
}
