import { defined } from '@rootbound/kit/primitives';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import type { Call } from '../remotes/transfer-call.ts';
import { type Agreed, requireConsent } from '../safety/consent.ts';
import { askToLose } from '../safety/data-loss-consent.ts';
import { someOf } from '../safety/names.ts';
import { movement, pointOf } from '../safety/point.ts';
import { chosenOf, noWorkTree } from './chosen.ts';
import { initialise } from './configured.ts';
import { type DataLoss, dataLossIn, lossOf, namesIn } from './data-loss.ts';
import { deinit, planDeinit } from './deinit.ts';
import {
  type Arguments,
  input,
  output,
  type SubmoduleChange,
  type SubmoduleResult,
  submoduleLine,
} from './submodule-schema.ts';
import { synchroniseAll } from './sync.ts';
import { undoOf } from './undo.ts';
import { update } from './update.ts';

/** Submodules, and losses, that are listed at most. */
const MAX_LISTED = 200;

export const gitUpdateSubmodules = tool({
  name: 'git_update_submodules',
  title: 'Update submodules',
  description:
    'Checks out the recorded commits of submodules, fetching missing ones by protocols that the operator allows; init: also new ones.',
  input,
  output,
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
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
        const facts =
          args.action === 'init'
            ? await initialise(opened, context, args)
            : await deinit(opened, await planDeinit(opened, context, args), args, context.answers);
        return resultOf(opened, facts);
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
        : await update(context, level, args, begun.dataLoss);
    const { loses } = begun;
    return repositories.use(scope, args.repo_path, signal, (opened) => {
      const undo = loses.length > 0 ? undefined : undoOf(begun.top, submodules);
      return resultOf(opened, {
        submodules,
        ...(loses.length > 0 && { loses }),
        ...defined({ undo }),
      });
    });
  },
  render({ submodules, more, loses }, { dry_run }) {
    const lines = dry_run ? ['dry run: nothing was changed'] : [];
    lines.push(...submodules.map((each) => submoduleLine(each)));
    if (submodules.length === 0) lines.push('nothing to do');
    if (more !== undefined) lines.push(`and ${more} more`);
    if (loses !== undefined) lines.push(`${dry_run ? 'would lose' : 'lost'} ${someOf(loses)}`);
    return lines.join('\n');
  },
});

/** The state against which an update is verified. */
interface Begun {
  readonly top: string;
  readonly dataLoss: DataLoss;
  readonly loses: readonly string[];
}

async function begin(opened: Opened, call: Call, args: Arguments, agreed: Agreed): Promise<Begun> {
  const top = opened.repository.place.workTree;
  if (top === undefined) throw noWorkTree();
  const { loss, dataLoss } = await discarded(opened, call, args);
  if (!args.dry_run) requireConsent(loss, agreed, args.confirm);
  return { top, dataLoss: dataLoss, loses: namesIn(dataLoss, top) };
}

async function discarded(opened: Opened, call: Call, args: Arguments) {
  const { paths, recursive = false } = args;
  const discards = args.action === 'update' && args.force === true;
  const dataLoss: DataLoss = discards
    ? await dataLossIn(call, (await chosenOf(opened, paths)).chosen, { recursive })
    : new Map();
  return { dataLoss, loss: lossOf(dataLoss, opened.displayPath, 'Discard it') };
}

async function resultOf(opened: Opened, { submodules, loses, undo }: SubmoduleResult) {
  const at = await pointOf(opened);
  const more = submodules.length - MAX_LISTED;
  return {
    ...movement(opened, at, at, undo),
    submodules: submodules.slice(0, MAX_LISTED) as SubmoduleChange[],
    ...(more > 0 && { more }),
    ...(loses !== undefined && { loses: loses.slice(0, MAX_LISTED) }),
  };
}
