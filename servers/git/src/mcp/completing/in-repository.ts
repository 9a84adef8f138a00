import { type CallContext, type Completion, ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';

/** Returns the suggestions of a repository; none where it cannot be opened, as completion reports no errors. */
export async function completeIn(
  path: string | undefined,
  { scope: { scope, repositories }, signal }: CallContext<Workspace, undefined>,
  work: (opened: Opened) => Promise<Completion>,
): Promise<Completion> {
  try {
    return await repositories.use(scope, path === '' ? undefined : path, signal, work);
  } catch (error) {
    if (error instanceof ToolError) return [];
    throw error;
  }
}
