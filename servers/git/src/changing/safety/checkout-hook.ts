import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Command } from '../../run/command.ts';
import { hookOutput } from '../../run/hook-output.ts';

/** Characters of the output of hooks that are kept. */
const MOST_PRINTED = 65_536;

/**
 * Runs a command that checks out and returns the output of its hooks. git takes the status of `post-checkout` for its
 * own when everything is done: `isDone` looks whether it is.
 */
export async function runCheckout(
  opened: Opened,
  command: Command,
  isDone: (error: ToolError) => Promise<boolean>,
  onStderr?: (chunk: Buffer) => void,
): Promise<string | undefined> {
  let printed = '';
  const take = (chunk: Buffer): void => {
    printed = `${printed}${chunk.toString()}`.slice(-MOST_PRINTED);
    onStderr?.(chunk);
  };
  try {
    await opened.run(command, { onStderr: take });
    return hookOutput(printed);
  } catch (error) {
    if (!(error instanceof ToolError) || !opened.ran('post-checkout') || !(await isDone(error))) throw error;
    const words = hookOutput(printed);
    return `the hook post-checkout failed${words === undefined ? ', and printed nothing' : `:\n${words}`}`;
  }
}
