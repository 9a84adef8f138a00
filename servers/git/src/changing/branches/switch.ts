import { type Command, command } from '../../run/command.ts';
import type { Point } from '../safety/point.ts';
import type { Target } from './switch-target.ts';

export interface SwitchOptions {
  /** whether changes of tracked files are discarded */
  readonly discard: boolean;
  readonly progress: boolean;
}

export function switchCommand(
  { branch, commit, created, stays, upstream }: Target,
  options: SwitchOptions,
): Command {
  const { discard, progress } = options;
  const flags = [
    // by default git overwrites ignored files
    '--no-overwrite-ignore',
    ...(discard ? (['--discard-changes'] as const) : []),
    '--no-guess',
    // the rest of its output is a hook's
    '--quiet',
    ...(progress ? (['--progress'] as const) : []),
  ] as const;
  const revisions = commit === undefined || stays === true ? [] : [commit];
  if (branch === undefined) return command('switch', { flags: [...flags, '--detach'], revisions });
  if (!created) return command('switch', { flags, names: [branch] });
  const made = { '--create': branch };
  if (upstream === undefined)
    return command('switch', { flags: [...flags, '--no-track'], options: made, revisions });
  return command('switch', { flags: [...flags, '--track'], options: made, names: [upstream] });
}

/** Returns the calls that restore HEAD; undefined where there was no commit. */
export function undoOf(before: Point, { branch, created }: Target): string | undefined {
  if (before.commit === undefined) return undefined;
  const back =
    // HEAD goes to no other ref than a branch
    before.branch === undefined || before.branch.startsWith('refs/')
      ? `git_checkout with detach and branch_name ${JSON.stringify(before.commit)}`
      : `git_checkout with branch_name ${JSON.stringify(before.branch)}`;
  if (!created) return back;
  return `${back}, then git_update_branch with action "delete" and branch_name ${JSON.stringify(branch)}`;
}
