import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { toPaths } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { command } from '../../run/command.ts';
import type { Call } from '../remotes/transfer-call.ts';
import { type Agreed, type Loss, requireConsent } from '../safety/consent.ts';
import { type Chosen, chosenOf } from './chosen.ts';
import { undoBy } from './configured.ts';
import { dataLossIn, lossOf, namesIn } from './data-loss.ts';
import type { Arguments, SubmoduleResult } from './submodule-schema.ts';

/** The submodules whose work trees are removed, and the data that is lost with them. */
export interface Leaving {
  readonly chosen: readonly Chosen[];
  readonly loses: readonly string[];
  readonly loss: Loss | undefined;
}

export async function planDeinit(opened: Opened, call: Call, { paths }: Arguments): Promise<Leaving> {
  if (paths === undefined) throw new ToolError('paths is missing', { code: 'invalid-arguments' });
  const { chosen } = await chosenOf(opened, paths);
  const { roots } = opened.repository.opened;
  if (chosen.some(({ top }) => roots.rootOf(top)?.readOnly !== false))
    throw new ToolError('a submodule is in a root that may only be read', { code: 'read-only' });
  const dataLoss = await dataLossIn(call, chosen, { all: true, recursive: true });
  const workTree = opened.repository.place.workTree!;
  return { chosen, loses: namesIn(dataLoss, workTree), loss: lossOf(dataLoss, workTree, 'Lose it') };
}

export async function deinit(
  opened: Opened,
  { chosen, loses, loss }: Leaving,
  { dry_run, confirm }: Arguments,
  agreed: Agreed,
): Promise<SubmoduleResult> {
  const submodules = chosen.map(({ path, facts, url }) => ({
    path,
    ...(url !== undefined && facts.url !== undefined && { url: facts.url }),
    ...defined({ before: facts.detached }),
  }));
  const facts = { submodules, ...(loses.length > 0 && { loses }) };
  if (dry_run) return facts;
  requireConsent(loss, agreed, confirm);
  const paths = chosen.map(({ path }) => path);
  await opened.run(
    // the check above has found no losses: git would look by a git of its own in each
    command('submodule deinit', { flags: ['--force'], paths: toPaths(paths) }),
  );
  const left = (await chosenOf(opened, paths)).chosen.find(
    ({ url, facts }) => url !== undefined || facts.state === 'checked-out',
  );
  if (left !== undefined)
    throw new ToolError(`git reported success, but the submodule ${left.path} is there`, { code: 'changed' });
  if (loss !== undefined) return facts;
  return { ...facts, undo: undoBy({ action: 'update', paths, init: true }) };
}
