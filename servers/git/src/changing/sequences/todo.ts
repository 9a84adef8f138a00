import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import type { Opened } from '../../call/open-repository.ts';
import { command } from '../../run/command.ts';
import { type Oid, toOid } from '../../run/oid.ts';
import { commitOf } from '../safety/ancestry.ts';
import { identityOf } from './author.ts';

export const todo = z.array(
  z.strictObject({
    action: z.enum(['pick', 'reword', 'squash', 'fixup', 'drop', 'edit']),
    commit: z.string(),
    message: z.string().min(1).optional(),
  }),
);

type Step = z.output<typeof todo>[number];

/**
 * Returns an editor command that writes the list of steps: git runs it by its shell, so it contains only these words
 * and object ids.
 */
export async function editorOf(
  opened: Opened,
  steps: readonly Step[],
  commits: readonly Oid[],
): Promise<string> {
  const lines: string[] = [];
  const left = new Set(commits);
  for (const { action, commit, message } of steps) {
    const oid = await opened.resolve(commit, 'commit');
    if (!left.delete(oid))
      throw unsuitable(`${oid.slice(0, 12)} is not among the commits that are rebased, or is named twice`);
    if ((action === 'squash' || action === 'fixup') && !lines.some((line) => !line.startsWith('drop')))
      throw unsuitable(`the first commit has none before it to ${action} into`);
    if ((action === 'reword') !== (message !== undefined) && action !== 'squash')
      throw unsuitable(action === 'reword' ? 'reword needs a message' : `${action} takes no message`);
    lines.push(await lineOf(opened, action, oid, message));
  }
  const [forgotten] = left;
  if (forgotten !== undefined)
    throw unsuitable(
      `${forgotten.slice(0, 12)} is missing, with ${left.size - 1} others: use drop to leave commits out`,
    );
  return `f() { printf '%s\\n' ${lines.map((line) => `'${line}'`).join(' ')} >"$1"; }; f`;
}

async function lineOf(
  opened: Opened,
  action: Step['action'],
  commit: Oid,
  message: string | undefined,
): Promise<string> {
  if (message === undefined) return `${action} ${toOid(commit)}`;
  // instead of an editor: the same change as a commit with that message
  const reworded = await rewordedOf(opened, commit, message);
  return action === 'reword' ? `pick ${reworded}` : `fixup -C ${reworded}`;
}

async function rewordedOf(opened: Opened, oid: Oid, message: string): Promise<Oid> {
  const { tree, parents, author } = await commitOf(opened, oid);
  const { stdout } = await opened.run(
    command('commit-tree', {
      options: { '-p': parents },
      revisions: [tree],
      input: Buffer.from(message.endsWith('\n') ? message : `${message}\n`),
    }),
    { environment: identityOf(author) },
  );
  return toOid(stdout.toString().trim());
}

function unsuitable(why: string): ToolError {
  return new ToolError(`todo: ${why}`, { code: 'invalid-arguments', hint: 'nothing was done' });
}
