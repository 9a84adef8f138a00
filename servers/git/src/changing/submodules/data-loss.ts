import { join } from 'node:path';
import type { Opened } from '../../call/open-repository.ts';
import { readStatus } from '../../reading/state/read-status.ts';
import type { Call } from '../remotes/transfer-call.ts';
import type { Loss } from '../safety/consent.ts';
import { discardedOf, missingOf, overwrittenBy } from '../safety/discarded.ts';
import { someOf, stampOf } from '../safety/names.ts';
import { stateOf } from '../safety/path-states.ts';
import { type Chosen, chosenOf } from './chosen.ts';
import { useSubmodule } from './open-submodule.ts';

/** The paths that are in no commit, by the work tree of each submodule. */
export type DataLoss = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the files that a discarding update overwrites; with `all`, all that is lost with the work trees, untracked
 * and ignored files, too.
 */
export async function dataLossIn(
  call: Call,
  chosen: readonly Chosen[],
  { all = false, recursive = false }: { readonly all?: boolean; readonly recursive?: boolean },
): Promise<DataLoss> {
  const found = new Map<string, readonly string[]>();
  for (const { top, facts } of chosen) {
    if (facts.state !== 'checked-out') continue;
    const inner = await useSubmodule(call, top, async (opened) => {
      found.set(top, await stampsOf(opened, all));
      return recursive ? (await chosenOf(opened, undefined)).chosen : [];
    });
    for (const [key, stamps] of await dataLossIn(call, inner, { all, recursive })) found.set(key, stamps);
  }
  return found;
}

/** each name with a digest of its file, and a NUL between them */
export async function stampsOf(opened: Opened, all: boolean): Promise<readonly string[]> {
  if (all) {
    const { entries } = await readStatus(opened, { ignored: true, renames: false });
    return entries.map(({ path }) => stampOf(opened, path));
  }
  const state = await stateOf(opened, undefined);
  const lost = [...discardedOf(opened, state, true), ...(await overwrittenBy(opened, missingOf(state)))];
  return lost.map(({ path, what, stamp }) => `${path}\0${what}:${stamp}`);
}

/** their names from the top of a repository */
export function namesIn(dataLoss: DataLoss, workTree: string): string[] {
  return [...dataLoss].flatMap(([top, stamps]) =>
    stamps.map((stamp) => join(top, stamp.slice(0, stamp.indexOf('\0'))).slice(workTree.length + 1)),
  );
}

export function lossOf(dataLoss: DataLoss, workTree: string, label: string): Loss | undefined {
  const names = namesIn(dataLoss, workTree);
  if (names.length === 0) return undefined;
  return {
    question: `Lose data that is in no commit of submodules: ${someOf(names)}?`,
    label,
    facts: [workTree, [...dataLoss]],
  };
}
