import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import { changed, confirmed, dryRun, expectedHead } from '../safety/change-schema.ts';
import { runCheckout } from '../safety/checkout-hook.ts';
import { type Loss, requireConsent } from '../safety/consent.ts';
import { askToLose } from '../safety/data-loss-consent.ts';
import { type Discarded, discardedOf, lossOf, missingOf } from '../safety/discarded.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { inTheWay, refuseOverwriting } from '../safety/in-the-way.ts';
import { someOf } from '../safety/names.ts';
import { stateOf } from '../safety/path-states.ts';
import { expectHead, movement, type Point, pointOf } from '../safety/point.ts';
import { progressTo } from '../safety/progress.ts';
import { differencesOf } from '../safety/written-paths.ts';
import { switchCommand, undoOf } from './switch.ts';
import { type Target, targetOf } from './switch-target.ts';

const input = z.strictObject({
  repo_path: repoPath,
  branch_name: z.string().describe('with detach: any revision'),
  create: z.boolean().optional(),
  base: z.string().optional().describe('of the new branch; default HEAD'),
  detach: z.boolean().optional(),
  guess: z.boolean().optional().describe('of a remote branch, makes one that tracks it'),
  discard_changes: z.boolean().optional().describe('of tracked files'),
  expected_head: expectedHead,
  dry_run: dryRun,
  confirm: confirmed,
});

type Arguments = z.output<typeof input>;

export const gitCheckout = tool({
  name: 'git_checkout',
  title: 'Switch branch',
  description: 'Switches to a branch; git_restore is for files.',
  input,
  output: z.object({
    ...changed,
    created: z.string().optional(),
    upstream: z.string().optional(),
    discarded: z.array(z.string()).optional(),
    discards: z.array(z.string()).optional().describe('only told, as dry_run asks'),
    paths: z.int().describe('that the two commits have differently'),
    output: z.string().optional().describe('by hooks'),
  }),
  annotations: { destructiveHint: true, openWorldHint: false },
  ask: (args, ask, context) =>
    args.discard_changes && !args.dry_run
      ? askToLose(ask, context, args.repo_path, async (opened) => (await plan(opened, args)).loss)
      : undefined,
  run(args, context) {
    const { scope, repositories } = context.scope;
    return repositories.change(scope, args.repo_path, context.signal, async (opened) => {
      const planned = await plan(opened, args);
      const { before, target, differences, discarded, loss } = planned;
      const lost = discarded.map(({ path }) => path);
      await expectHead(opened, before, args.expected_head);
      const paths = differences.map(({ path }) => nameOfByteString(path));
      const facts = {
        ...(target.created && target.branch !== undefined && { created: target.branch }),
        ...(target.upstream !== undefined && { upstream: target.upstream.slice('refs/remotes/'.length) }),
        paths: paths.length,
      };
      if (args.dry_run) {
        const after = { branch: target.branch, commit: target.commit };
        const discards = args.discard_changes && { discards: lost };
        return { ...movement(opened, before, after, undefined), ...facts, ...discards };
      }
      requireConsent(loss, context.answers, args.confirm);
      const written = [...paths, ...lost];
      await refuseFiltered(opened, written, target.commit === undefined ? {} : { target: target.commit });
      const printed = await switchTo(opened, planned, args.discard_changes === true, context);
      const after = await expectTarget(opened, target);
      return {
        ...movement(opened, before, after, loss === undefined ? undoOf(before, target) : undefined),
        ...facts,
        ...(loss !== undefined && { discarded: lost }),
        ...defined({ output: printed }),
      };
    });
  },
  render(facts, { dry_run }) {
    const { branch, before, after, created, upstream, discarded, discards, output: printed } = facts;
    const at = (after ?? before)?.slice(0, 12) ?? 'no commit';
    const where = branch === undefined ? `HEAD detached at ${at}` : `on ${branch} at ${at}`;
    const from = after === undefined ? '' : `, was ${before?.slice(0, 12) ?? 'no commit'}`;
    const made =
      created === undefined ? '' : upstream === undefined ? ' (new)' : ` (new, tracks ${upstream})`;
    const lines = [`${dry_run ? 'would be ' : ''}${where}${made}${from}`];
    if (discarded !== undefined) lines.push(`discarded changes: ${someOf(discarded)}`);
    if (discards !== undefined)
      lines.push(discards.length === 0 ? 'nothing would be lost' : `would be lost: ${someOf(discards)}`);
    if (printed !== undefined) lines.push(printed);
    return lines.join('\n');
  },
});

interface Planned {
  readonly before: Point;
  readonly target: Target;
  readonly differences: Awaited<ReturnType<typeof differencesOf>>;
  /** read only where they are to be discarded */
  readonly discarded: readonly Discarded[];
  readonly loss: Loss | undefined;
}

async function plan(opened: Opened, args: Arguments): Promise<Planned> {
  if (opened.repository.place.workTree === undefined) throw noWorkTree();
  const before = await pointOf(opened);
  const target = await targetOf(opened, args, before);
  const { commit } = target;
  const differences = commit === undefined ? [] : await differencesOf(opened, before.commit, commit);
  const discarded = args.discard_changes ? await discardedNow(opened) : [];
  return { before, target, differences, discarded, loss: lossOf(opened, discarded) };
}

/** Returns the tracked changes that a discarding checkout loses; git itself ignores files in the place of a folder. */
async function discardedNow(opened: Opened): Promise<Discarded[]> {
  const state = await stateOf(opened, undefined);
  await refuseOverwriting(opened, missingOf(state));
  return discardedOf(opened, state, true);
}

/** Switches and returns the output of the post-checkout hook. */
async function switchTo(
  opened: Opened,
  { before, target, differences }: Planned,
  discard: boolean,
  context: { readonly wantsProgress: boolean; readonly progress: Parameters<typeof progressTo>[0] },
): Promise<string | undefined> {
  const asked = switchCommand(target, { discard, progress: context.wantsProgress });
  const onStderr = context.wantsProgress ? progressTo(context.progress) : undefined;
  const isDone = async ({ code }: ToolError) => {
    const { branch, commit } = await pointOf(opened);
    return code === 'hook-rejected' || branch !== before.branch || commit !== before.commit;
  };
  try {
    return await runCheckout(opened, asked, isDone, onStderr);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'local-changes')
      throw await inTheWay(opened, differences, discard);
    throw error;
  }
}

async function expectTarget(opened: Opened, { branch, commit }: Target): Promise<Point> {
  const after = await pointOf(opened);
  if (after.branch === branch && after.commit === commit) return after;
  throw new ToolError('git reported success, but HEAD is elsewhere', {
    code: 'changed',
    hint: 'a hook or another program may have moved it; look before trying again',
  });
}

function noWorkTree(): ToolError {
  return new ToolError('a bare repository has no work tree to check out into', {
    code: 'unsupported',
    hint: 'git_worktree adds one',
  });
}
