import { type Ask, type CallContext, ToolError } from '@rootbound/protocol';
import { gitFilesOf } from '../../call/git-files.ts';
import type { Workspace } from '../../call/workspace.ts';
import { canSample, proposeMessage } from '../../mcp/prompts/commit-message.ts';
import { readOperations } from '../../porcelain/operation.ts';

/**
 * Returns a message for the staged changes from the client's model; undefined where the client has none, or git
 * proposes one itself.
 */
export async function propose(
  path: string | undefined,
  ask: Ask,
  { facts, signal, scope: { scope, repositories, maxOutput } }: CallContext<Workspace, undefined>,
): Promise<string | undefined> {
  if (!canSample(facts)) return undefined;
  try {
    return await repositories.use(scope, path, signal, async (opened) =>
      readOperations(gitFilesOf(opened.repository)).length > 0
        ? undefined
        : proposeMessage(ask, opened, { room: maxOutput }),
    );
  } catch (error) {
    if (error instanceof ToolError && error.code === 'not-answered') return undefined;
    throw error;
  }
}
