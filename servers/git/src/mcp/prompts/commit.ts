import { showPath } from '@rootbound/kit/boundary';
import { quoted, readArguments } from '@rootbound/kit/prompts';
import { type Ask, type CallContext, ToolError } from '@rootbound/protocol';
import type { Workspace } from '../../call/workspace.ts';
import { canSample, messageTask, proposeMessage } from './commit-message.ts';

const names = ['repo_path', 'note'] as const;

/** Has the client's model write the message, where there is one; after a refusal the conversation writes it. */
export async function askForMessage(
  args: Readonly<Record<string, string>>,
  ask: Ask,
  { facts, scope: { scope, repositories, maxOutput }, signal }: CallContext<Workspace>,
): Promise<string | undefined> {
  const { repo_path, note } = readArguments(args, names);
  if (!canSample(facts)) return undefined;
  try {
    return await repositories.use(scope, repo_path, signal, (opened) =>
      proposeMessage(ask, opened, { room: maxOutput, note }),
    );
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not-answered') return undefined;
    throw error;
  }
}

/**
 * Returns the prompt for a commit of the staged changes: with the proposed message, or with the diff from which to
 * write one.
 */
export function commit(
  args: Readonly<Record<string, string>>,
  { answers, scope: { scope, repositories, maxOutput }, signal }: CallContext<Workspace, unknown>,
): Promise<string> {
  const { repo_path, note } = readArguments(args, names);
  return repositories.use(scope, repo_path, signal, async (opened) => {
    const where = `Then show the message to the user, and once they agree call git_commit with it in ${showPath(opened.displayPath)}.`;
    if (typeof answers !== 'string')
      return `${await messageTask(opened, { room: maxOutput - Buffer.byteLength(where), note })}\n${where}`;
    return [
      'A model has read what is staged, and proposes this commit message.',
      quoted('the repository', [{ title: 'proposed message', text: answers }], maxOutput),
      'Improve it where you know more of why this was changed.',
      where,
    ].join('\n');
  });
}
