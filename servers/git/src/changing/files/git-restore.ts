import { counted } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { pathsArgument, repoPath } from '../../call/arguments.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import type { Oid } from '../../run/oid.ts';
import { changed, confirmed, dryRun } from '../safety/change-schema.ts';
import { askToLose } from '../safety/data-loss-consent.ts';
import { discarded, discardedLines, lossOf, tell } from '../safety/discarded.ts';
import { movement, pointOf } from '../safety/point.ts';
import { entry, entryLine, listed, MAX_LISTED } from '../safety/staged.ts';
import { hunksArgument } from './chosen-hunks.ts';
import { effect, effectFacts, effectLines } from './effects.ts';
import { planRestore, restore } from './restore.ts';
import type { Restore } from './restore-plan.ts';

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

export const gitRestore = tool({
  name: 'git_restore',
  title: 'Restore',
  description: 'Discards changes of the work tree: paths, or hunks of the unstaged diff.',
  input,
  output: z.object({
    ...changed,
    ...discarded,
    files: z.array(effect).optional().describe('of the work tree'),
    files_total: z.int().optional(),
    sparse: z.int().optional().describe('paths left as they are'),
    index: z.array(entry).optional(),
    index_total: z.int().optional(),
    dry_run: z.boolean().optional(),
    output: z.string().optional().describe('by hooks'),
  }),
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
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
        return { ...movement(opened, at, at, undefined), ...factsOf(plan, undefined), dry_run: true };
      const { kept, undo, output } = await restore(opened, plan, answers, args.confirm);
      return { ...movement(opened, at, at, undo), ...factsOf(plan, kept), ...defined({ output }) };
    });
  },
  render(output) {
    const { index = [], index_total = 0, dry_run = false, sparse = 0 } = output;
    const lost = new Set((output.discarded ?? []).map(({ path }) => path));
    const count = counted(index_total, 'path', 'paths');
    const head = `${dry_run ? 'would restore' : 'restored'} ${count} of the index`;
    const restored = index_total === 0 ? [] : [head, ...listed(index.map(entryLine), index_total)];
    const lines = [...restored, ...effectLines(output, lost, dry_run), ...discardedLines(output, dry_run)];
    if (lines.length === 0) lines.push('nothing restored: nothing was changed there');
    if (sparse > 0)
      lines.push(`${counted(sparse, 'path', 'paths')} outside of the sparse checkout left as they are`);
    if (output.output !== undefined) lines.push(output.output);
    return lines.join('\n');
  },
});

/** Returns the changes of a restore, the same for a dry run and a call. */
function factsOf(plan: Restore, kept: Oid | undefined) {
  const { wish, discarded: lost, files, displaced, entries, sparse } = plan;
  return {
    ...tell(lost, kept),
    ...effectFacts([...files, ...displaced]),
    ...(sparse > 0 && { sparse }),
    ...(wish.staged && { index: entries.slice(0, MAX_LISTED), index_total: entries.length }),
  };
}

async function planOf(opened: Opened, args: Arguments): Promise<Restore> {
  const { paths, hunks, source, staged = false, worktree = !staged } = args;
  if ((paths === undefined) === (hunks === undefined)) throw invalid('give either paths or hunks');
  if (!staged && !worktree) throw invalid('worktree is false, and staged is not given');
  if (hunks !== undefined && (staged || source !== undefined))
    throw invalid('hunks are those of the unstaged diff', 'git_reset with hunks unstages');
  const from = source ?? (staged ? 'HEAD' : undefined);
  const commit = from === undefined ? undefined : await opened.resolve(from, 'commit');
  const endsConflicts = staged && source !== undefined;
  return planRestore(opened, { paths, hunks, staged, worktree, source: commit, endsConflicts });
}

function invalid(message: string, hint?: string): ToolError {
  return new ToolError(message, { code: 'invalid-arguments', ...defined({ hint }) });
}
