import { pageOf } from '@rootbound/kit/budget';
import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { restFacts } from '../../call/list-rest.ts';
import { tool } from '../../call/workspace.ts';
import { worktree, worktreeLine, worktreesOf } from './worktrees.ts';

const NAME = 'git_worktrees';

export const gitWorktrees = tool({
  name: NAME,
  title: 'Worktrees',
  description: 'Work trees, their commits, and which are locked or deleted.',
  input: z.strictObject({ repo_path: repoPath, cursor: z.string().optional() }),
  output: z.object({ repository: z.string(), worktrees: z.array(worktree), ...restFacts }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ repo_path, cursor }, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, repo_path, signal, async (opened) => {
      const found = await worktreesOf(opened);
      const items = found.map((facts, index) => ({ facts, key: facts.path ?? `outside ${index}` }));
      const query = [opened.repository.commonIdentity];
      const words = ['worktree', 'worktrees'] as const;
      return reply(
        pageOf(
          { tool: NAME, query, cursor, items, keyOf: ({ key }) => key, words, maxOutput },
          (listed, rest) => ({
            repository: opened.displayPath,
            worktrees: listed.map(({ facts }) => facts),
            ...rest,
          }),
          ({ worktrees }) => worktrees.map(worktreeLine),
        ),
      );
    });
  },
});
