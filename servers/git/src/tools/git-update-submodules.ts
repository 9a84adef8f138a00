import { defined } from '@rootbound/kit/primitives';
import { type Agreed, requireConsent } from '../changes/consent.ts';
import { movement, pointOf } from '../changes/point.ts';
import { askToLose } from '../losses/asking.ts';
import { someOf } from '../losses/names.ts';
import type { Opened } from '../opened.ts';
import type { Call } from '../remotes/call.ts';
import { chosenOf, noWorkTree } from '../submodules/chosen.ts';
import { initialise } from '../submodules/configured.ts';
import { deinit, planDeinit } from '../submodules/deinit.ts';
import { type Losses, lossesIn, lossOf, namesIn } from '../submodules/losses.ts';
import {
  type Arguments,
  input,
  output,
  type SubmoduleChange,
  submoduleLine,
  type Told,
} from '../submodules/schema.ts';
import { synchroniseAll } from '../submodules/sync.ts';
import { undoOf } from '../submodules/undo.ts';
import { update } from '../submodules/update.ts';
import { tool } from '../workspace.ts';

/** Submodules, and losses, that are listed at most. */
const MOST_TOLD = 200;

export const gitUpdateSubmodules = tool({
  name: 'git_update_submodules',
  title: 'Update submodules',
  description:
    'Checks out the recorded commits of submodules, fetching missing ones by protocols that the operator allows; init: also new ones.',
  input,
  output,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true },
  ask: (args, ask, context) =>
    !args.dry_run && (args.action === 'deinit' || (args.action === 'update' && args.force))
      ? askToLose(ask, context, args.repo_path, async (opened) =>
          args.action === 'deinit'
            ? (await planDeinit(opened, context, args)).loss
            : (await discarded(opened, context, args)).loss,
        )
      : undefined,
  async run(args, context) {
    const { scope, repositories } = context.scope;
    const { signal } = context;
    if (args.action === 'init' || args.action === 'deinit') {
      return repositories.change(scope, args.repo_path, signal, async (opened) => {
        const told =
          args.action === 'init'
            ? await initialise(opened, context, args)
            : await deinit(opened, await planDeinit(opened, context, args), args, context.answers);
        return toldOf(opened, told);
      });
    }
    // each submodule has its own queue: none waits for a slow other side
    const begun = await repositories.transfer(scope, args.repo_path, signal, (opened) =>
      begin(opened, context, args, context.answers),
    );
    const level = { top: begun.top, prefix: '', depth: 0 };
    const submodules =
      args.action === 'sync'
        ? await synchroniseAll(context, level, args)
        : await update(context, level, args, begun.losses);
    const { loses } = begun;
    return repositories.use(scope, args.repo_path, signal, (opened) => {
      const undo = loses.length > 0 ? undefined : undoOf(begun.top, submodules);
      return toldOf(opened, {
        submodules,
        ...(loses.length > 0 && { loses }),
        ...defined({ undo }),
      });
    });
  },
  render({ submodules, more, loses }, { dry_run }) {
    const lines = submodules.map((each) => submoduleLine(each));
    if (lines.length === 0) lines.push('nothing to do');
    if (more !== undefined) lines.push(`and ${more} more`);
    if (loses !== undefined) lines.push(`${dry_run ? 'would lose' : 'lost'} ${someOf(loses)}`);
    return lines.join('\n');
  },
});

/** The state against which an update is verified. */
interface Begun {
  readonly top: string;
  readonly losses: Losses;
  readonly loses: readonly string[];
}

async function begin(opened: Opened, call: Call, args: Arguments, agreed: Agreed): Promise<Begun> {
  const top = opened.repository.place.workTree;
  if (top === undefined) throw noWorkTree();
  const { loss, losses } = await discarded(opened, call, args);
  if (!args.dry_run) requireConsent(loss, agreed, args.confirm);
  return { top, losses, loses: namesIn(losses, top) };
}

async function discarded(opened: Opened, call: Call, args: Arguments) {
  const { paths, recursive = false } = args;
  const discards = args.action === 'update' && args.force === true;
  const losses: Losses = discards
    ? await lossesIn(call, (await chosenOf(opened, paths)).chosen, { recursive })
    : new Map();
  return { losses, loss: lossOf(losses, opened.shown, 'Discard it') };
}

async function toldOf(opened: Opened, { submodules, loses, undo }: Told) {
  const at = await pointOf(opened);
  const more = submodules.length - MOST_TOLD;
  return {
    ...movement(opened, at, at, undo),
    submodules: submodules.slice(0, MOST_TOLD) as SubmoduleChange[],
    ...(more > 0 && { more }),
    ...(loses !== undefined && { loses: loses.slice(0, MOST_TOLD) }),
  };
}
