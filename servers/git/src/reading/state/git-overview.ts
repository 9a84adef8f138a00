import { reply } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { tool } from '../../call/workspace.ts';
import { fitOverview } from './overview-budget.ts';
import { overview } from './overview-facts.ts';
import { readOverview } from './read-overview.ts';

export const gitOverview = tool({
  name: 'git_overview',
  title: 'Overview',
  description:
    'The state of a repository in one call: branch, last commit, changes, operation in progress, remotes, and suppressed settings.',
  input: z.strictObject({
    repo_path: repoPath.describe('the repository, or a path in it; default the only root'),
  }),
  output: overview,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ repo_path }, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, repo_path, signal, async (opened) => {
      const { head, lists } = await readOverview(opened);
      return reply(fitOverview(head, lists, maxOutput));
    });
  },
});
