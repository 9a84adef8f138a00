import { showPath } from '@rootbound/kit/boundary';
import { type Offers, quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import type { Workspace } from '../../call/workspace.ts';
import type { ConflictsOutput } from '../../reading/state/conflict-schema.ts';
import { textOf } from '../../reading/state/conflict-text.ts';
import { readConflicts } from '../../reading/state/read-conflicts.ts';

const WORDS = 2_000;

/** Returns the prompt for an explanation of the conflicts, with the texts of both sides. */
export function explainConflict(
  args: Readonly<Record<string, string>>,
  { scope: { scope, repositories, maxOutput }, signal }: CallContext<Workspace, unknown>,
  offers: Offers,
): Promise<string> {
  const { repo_path, path } = readArguments(args, ['path', 'repo_path']);
  return repositories.use(scope, repo_path, signal, async (opened) => {
    const room = maxOutput - WORDS;
    const asked = { contents: 'regions' as const, ...(path !== undefined && { paths: [path] }) };
    const { structured } = (await readConflicts(opened, asked, 'git_conflicts', room)).parts;
    // `readConflicts` writes this structure
    const conflicts = structured as ConflictsOutput;
    const { total, truncated } = conflicts;
    if (total === 0)
      return `There is no conflict in ${showPath(path ?? opened.displayPath)}. Say so, and ask what was meant.`;
    const block = {
      title: 'what is in progress, and the conflicts',
      text: textOf(conflicts),
      cut: truncated,
      rest: 'git_conflicts gives the rest',
    };
    return [
      `Explain the conflicts in ${showPath(opened.displayPath)}.`,
      'For each: what each side wanted to change and why, as git_log and git_blame of both sides show it, why git could not join them, and which result keeps what both wanted. Say where that is a decision for the user.',
      offers('git_resolve')
        ? 'Change nothing before the user agrees; git_resolve then settles a file.'
        : 'Change nothing.',
      quoted('the repository', [block], room),
    ].join('\n');
  });
}
