import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { toPaths } from '../arguments.ts';
import { type Agreed, type Loss, requireConsent } from '../changes/consent.ts';
import type { Opened } from '../opened.ts';
import type { Call } from '../remotes/call.ts';
import { command } from '../run/command.ts';
import { type Chosen, chosenOf } from './chosen.ts';
import { undoBy } from './configured.ts';
import { lossesIn, lossOf, namesIn } from './losses.ts';
import type { Arguments, Told } from './schema.ts';

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
  const losses = await lossesIn(call, chosen, { all: true, recursive: true });
  const workTree = opened.repository.place.workTree!;
  return { chosen, loses: namesIn(losses, workTree), loss: lossOf(losses, workTree, 'Lose it') };
}

export async function deinit(
  opened: Opened,
  { chosen, loses, loss }: Leaving,
  { dry_run, confirm }: Arguments,
  agreed: Agreed,
): Promise<Told> {
  const submodules = chosen.map(({ path, facts, url }) => ({
    path,
    ...(url !== undefined && facts.url !== undefined && { url: facts.url }),
    ...defined({ before: facts.detached }),
  }));
  const told = { submodules, ...(loses.length > 0 && { loses }) };
  if (dry_run) return told;
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
  if (loss !== undefined) return told;
  return { ...told, undo: undoBy({ action: 'update', paths, init: true }) };
}
