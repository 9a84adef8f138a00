import { type Ask, type CallContext, ToolError } from '@rootbound/protocol';
import { readOperations } from '../porcelain/operation.ts';
import { canSample, proposeMessage } from '../prompts/commit-message.ts';
import { gitFilesOf } from '../state/git-files.ts';
import type { Workspace } from '../workspace.ts';

/** A message for what is staged by the model of the client; undefined where it has none to give, or git has one. */
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
