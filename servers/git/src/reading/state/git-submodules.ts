import { pageOf } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { restFacts } from '../../call/list-rest.ts';
import { tool } from '../../call/workspace.ts';
import { submodule, submoduleLine, submodulesIn } from './submodules.ts';

const NAME = 'git_submodules';

export const gitSubmodules = tool({
  name: NAME,
  title: 'Submodules',
  description: 'Submodules, whether checked out, and their differences from the recorded commits.',
  input: z.strictObject({ repo_path: repoPath, cursor: z.string().optional() }),
  output: z.object({
    repository: z.string(),
    submodules: z.array(submodule),
    problem: z.string().optional().describe('the facts that could not be read'),
    ...restFacts,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run({ repo_path, cursor }, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, repo_path, signal, async (opened) => {
      if (opened.audit.facts.bare) throw noWorkTree();
      const { submodules: items, problem } = await submodulesIn(opened);
      const query = [opened.repository.identity];
      const words = ['submodule', 'submodules'] as const;
      return reply(
        pageOf(
          { tool: NAME, query, cursor, items, keyOf: ({ path }) => path, words, maxOutput },
          (listed, rest) => ({
            repository: opened.displayPath,
            submodules: [...listed],
            ...defined({ problem }),
            ...rest,
          }),
          ({ submodules }) => [
            ...(submodules.length === 0 ? ['no submodules'] : submodules.map(submoduleLine)),
            ...(problem === undefined ? [] : [problem]),
          ],
        ),
      );
    });
  },
});

function noWorkTree(): ToolError {
  return new ToolError('a bare repository has no work tree with submodules in it', {
    code: 'unsupported',
    hint: 'git_list_files with a revision lists the recorded commits',
  });
}
