import { counted } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { pathsArgument, repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { changed, confirmed, dryRun, expectedHead } from '../safety/change-schema.ts';
import type { Agreed } from '../safety/consent.ts';
import { askToLose } from '../safety/data-loss-consent.ts';
import { discarded, discardedLines, lossOf, tell } from '../safety/discarded.ts';
import { expectHead, movement, movementLine, pointOf } from '../safety/point.ts';
import { entry, entryLine, listed, MAX_LISTED } from '../safety/staged.ts';
import { hunksArgument } from './chosen-hunks.ts';
import { type Mode, type Move, move, planMove } from './move-head.ts';
import { type Unstaged, unstageHunks, unstagePaths } from './unstage.ts';

const input = z.strictObject({
  repo_path: repoPath,
  paths: pathsArgument,
  hunks: hunksArgument,
  revision: z.string().optional(),
  mode: z.enum(['soft', 'mixed', 'keep', 'hard']).optional(),
  expected_head: expectedHead,
  dry_run: dryRun,
  confirm: confirmed,
});

const output = z.object({
  ...changed,
  unstaged: z.array(entry).optional(),
  total: z.int().optional(),
  mode: z.string().optional(),
  target: z.string().optional(),
  ...discarded,
  dry_run: z.boolean().optional(),
});

type Arguments = z.output<typeof input>;
type Output = z.input<typeof output>;

export const gitReset = tool({
  name: 'git_reset',
  title: 'Reset',
  description: 'Unstages everything, paths or hunks; with revision or mode, moves HEAD and its branch there.',
  input,
  output,
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  ask: (args, ask, context) =>
    args.mode === 'hard' && args.dry_run !== true
      ? askToLose(ask, context, args.repo_path, async (opened) =>
          lossOf(opened, (await planOf(opened, args)).discarded),
        )
      : undefined,
  run(args, { scope: { scope, repositories }, signal, answers }) {
    return repositories.change(scope, args.repo_path, signal, async (opened) => {
      await expectHead(opened, await pointOf(opened), args.expected_head);
      return isMove(args) ? moveHead(opened, args, answers) : unstage(opened, args);
    });
  },
  render: textOf,
});

function isMove({ revision, mode, paths, hunks }: Arguments): boolean {
  const moves = revision !== undefined || mode !== undefined;
  if ((moves ? 1 : 0) + (paths === undefined ? 0 : 1) + (hunks === undefined ? 0 : 1) <= 1) return moves;
  throw new ToolError('paths, hunks, and revision with mode exclude each other', {
    code: 'invalid-arguments',
    hint: 'git_restore with staged and source makes paths of the index what a revision has',
  });
}

async function planOf(opened: Opened, { revision = 'HEAD', mode = 'mixed' }: Arguments): Promise<Move> {
  return planMove(opened, mode as Mode, await opened.resolve(revision, 'commit'));
}

async function moveHead(opened: Opened, args: Arguments, answers: Agreed): Promise<Output> {
  const plan = await planOf(opened, args);
  const facts = { mode: plan.mode, target: plan.to };
  if (args.dry_run === true) {
    return {
      ...movement(opened, plan.from, plan.from, undefined),
      ...facts,
      ...tell(plan.discarded),
      dry_run: true,
    };
  }
  const { after, kept, undo } = await move(opened, plan, answers, args.confirm);
  return { ...movement(opened, plan.from, after, undo), ...facts, ...tell(plan.discarded, kept) };
}

async function unstage(opened: Opened, args: Arguments): Promise<Output> {
  const { paths = ['.'], hunks, dry_run: dryRun = false } = args;
  const at = await pointOf(opened);
  const done: Unstaged =
    hunks === undefined
      ? await unstagePaths(opened, paths, { dryRun })
      : await unstageHunks(opened, hunks, { dryRun });
  return {
    ...movement(opened, at, at, done.undo),
    unstaged: done.entries.slice(0, MAX_LISTED),
    total: done.entries.length,
    ...(dryRun && { dry_run: true }),
  };
}

function textOf(output: Output): string {
  const { unstaged, total = 0, mode, target, dry_run = false } = output;
  if (unstaged !== undefined) {
    if (total === 0) return 'nothing unstaged: nothing was staged there';
    const head = `${dry_run ? 'would unstage' : 'unstaged'} ${counted(total, 'path', 'paths')}`;
    return [head, ...listed(unstaged.map(entryLine), total)].join('\n');
  }
  const head = dry_run
    ? `would reset ${output.branch ?? 'HEAD'} to ${target?.slice(0, 12)}, ${mode}`
    : `${movementLine(output)}, ${mode}`;
  return [head, ...discardedLines(output, dry_run)].join('\n');
}
