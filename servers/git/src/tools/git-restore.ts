import { counted } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { pathsArgument, repoPath } from '../arguments.ts';
import { movement, pointOf } from '../changes/point.ts';
import { changed, confirmed, dryRun } from '../changes/schema.ts';
import { askToLose } from '../losses/asking.ts';
import { discarded, discardedLines, lossOf, tell } from '../losses/discarded.ts';
import type { Opened } from '../opened.ts';
import { hunksArgument } from '../staging/choices.ts';
import { planRestore, type Restore, restore } from '../staging/restore.ts';
import {
  entriesBetween,
  entry,
  entryLine,
  listed,
  MOST_TOLD,
  pathsFor,
  type Staged,
  stagedNow,
} from '../staging/staged.ts';
import { undoOf as undoOfUnstaging } from '../staging/unstage.ts';
import { tool } from '../workspace.ts';

const input = z.strictObject({
  repo_path: repoPath,
  paths: pathsArgument,
  hunks: hunksArgument,
  source: z.string().optional().describe('revision; default the index'),
  staged: z.boolean().optional().describe('the index instead'),
  worktree: z.boolean().optional().describe('both'),
  dry_run: dryRun,
  confirm: confirmed,
});

type Arguments = z.output<typeof input>;

const nothing: Staged = new Map();

export const gitRestore = tool({
  name: 'git_restore',
  title: 'Restore',
  description: 'Discards changes of the work tree: paths, or hunks of the unstaged diff.',
  input,
  output: z.object({
    ...changed,
    ...discarded,
    index: z.array(entry).optional(),
    index_total: z.int().optional(),
    dry_run: z.boolean().optional(),
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  ask: (args, ask, context) =>
    args.dry_run === true
      ? undefined
      : askToLose(ask, context, args.repo_path, async (opened) =>
          lossOf(opened, (await planOf(opened, args)).discarded),
        ),
  run(args, { scope: { scope, repositories }, signal, answers }) {
    return repositories.change(scope, args.repo_path, signal, async (opened) => {
      const [at, plan] = [await pointOf(opened), await planOf(opened, args)];
      if (args.dry_run === true)
        return { ...movement(opened, at, at, undefined), ...tell(plan.discarded), dry_run: true };
      const { staged } = plan.wish;
      const before = staged ? await stagedNow(opened) : nothing;
      const kept = await restore(opened, plan, answers, args.confirm);
      const entries = entriesBetween(before, staged ? await stagedNow(opened) : nothing);
      const undo =
        entries.length > 0 ? undoOfIndex(plan, undoOfUnstaging(entries, plan.state)) : undoOf(plan, kept);
      return {
        ...movement(opened, at, at, undo),
        ...tell(plan.discarded, kept),
        ...(staged && { index: entries.slice(0, MOST_TOLD), index_total: entries.length }),
      };
    });
  },
  render(output) {
    const { index = [], index_total = 0, dry_run = false } = output;
    const restored =
      index_total === 0
        ? []
        : [`restored ${counted(index_total, 'path', 'paths')} of the index`, ...index.map(entryLine)];
    const lines = [...listed(restored, restored.length), ...discardedLines(output, dry_run)];
    return lines.length === 0 ? 'nothing restored: nothing was changed there' : lines.join('\n');
  },
});

async function planOf(opened: Opened, args: Arguments): Promise<Restore> {
  const { paths, hunks, source, staged = false, worktree = !staged } = args;
  if ((paths === undefined) === (hunks === undefined)) throw invalid('give either paths or hunks');
  if (!staged && !worktree) throw invalid('worktree is false, and staged is not given');
  if (hunks !== undefined && (staged || source !== undefined))
    throw invalid('hunks are those of the unstaged diff', 'git_reset with hunks unstages');
  const wish = {
    ...{ paths, hunks, staged, worktree },
    source: source === undefined ? undefined : await opened.resolve(source, 'commit'),
  };
  return planRestore(opened, wish);
}

/** What was kept aside has the files as they were. */
function undoOf({ discarded: lost, state, wish }: Restore, kept: string | undefined): string | undefined {
  if (kept === undefined || wish.staged || lost.some(({ what }) => what === 'untracked')) return undefined;
  const all = state.filter((entry) => entry.kind === 'changed' && entry.worktree !== '.').length;
  const paths = pathsFor(lost.map(({ path }) => path)) ?? (all === lost.length ? '["."]' : undefined);
  return paths && `git_restore with source "${kept}" and paths ${paths}`;
}

/** Only of the index, and only from HEAD: git_add stages it again. */
function undoOfIndex({ wish: { worktree, source } }: Restore, undo: string | undefined): string | undefined {
  return worktree || source !== undefined ? undefined : undo;
}

function invalid(message: string, hint?: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', ...(hint !== undefined && { hint }) });
}
