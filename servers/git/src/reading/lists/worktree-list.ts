import { pageOf } from '@rootbound/kit/budget';
import { type Reply, reply } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { worktreeLine, worktreesOf } from '../state/worktrees.ts';
import type { ListArguments } from './list-schema.ts';

export async function listWorktrees(
  opened: Opened,
  { cursor }: ListArguments,
  maxOutput: number,
): Promise<Reply> {
  const found = await worktreesOf(opened);
  const items = found.map((facts, index) => ({ facts, key: facts.path ?? `outside ${index}` }));
  const query = ['worktrees', opened.repository.commonIdentity];
  const words = ['worktree', 'worktrees'] as const;
  return reply(
    pageOf(
      { tool: 'git_list', query, cursor, items, keyOf: ({ key }) => key, words, maxOutput },
      (listed, rest) => ({ worktrees: listed.map(({ facts }) => facts), ...rest }),
      ({ worktrees }) => worktrees.map(worktreeLine),
    ),
  );
}
