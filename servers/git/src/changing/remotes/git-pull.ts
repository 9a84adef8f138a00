import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { tool } from '../../call/workspace.ts';
import { command } from '../../run/command.ts';
import { expectedHead } from '../safety/change-schema.ts';
import { expectHead, pointOf } from '../safety/point.ts';
import { sequenced } from '../sequences/sequence-schema.ts';
import { textOf } from '../sequences/sequence-text.ts';
import { bring, integrate, strategies } from './pull.ts';
import { movedFacts, movedLines, movedRefs, reached, remoteArgument } from './transfer-schema.ts';

export const gitPull = tool({
  name: 'git_pull',
  title: 'Pull',
  description:
    'Fetches the upstream branch and fast-forwards the current one to it; strategy joins diverged branches. Conflicts are a result. https and ssh, unless the operator allows others.',
  input: z.strictObject({
    repo_path: repoPath,
    remote: remoteArgument,
    branch: z.string().optional().describe('there; default the upstream'),
    strategy: z.enum(strategies).optional(),
    expected_head: expectedHead,
  }),
  output: z.object({
    ...sequenced.shape,
    ...reached,
    fetched: z.string().describe('the commit there'),
    ...movedRefs,
    hooks_output: sequenced.shape.output,
  }),
  annotations: { destructiveHint: false, openWorldHint: true },
  async run({ repo_path, remote, branch, strategy = 'ff-only', expected_head }, context) {
    const { scope, repositories } = context.scope;
    const { signal } = context;
    // outside the queue: while a slow other side sends, the repository may be changed
    const { brought, at } = await repositories.transfer(scope, repo_path, signal, async (opened) => {
      if (opened.repository.place.workTree === undefined)
        throw new ToolError('a bare repository has no files', { code: 'unsupported', hint: 'git_fetch' });
      const start = await pointOf(opened);
      await expectHead(opened, start, expected_head);
      // what is fetched is joined under the same rules
      opened.assertTrusted(command(strategy === 'rebase' ? 'rebase' : 'merge'));
      return { brought: await bring(opened, context, { remote, branch, strategy }), at: start };
    });
    return repositories.change(scope, repo_path, signal, async (opened) => {
      if ((await pointOf(opened)).branch !== at.branch) {
        throw new ToolError(
          'another branch was checked out meanwhile; it is fetched, and nothing else was done',
          {
            code: 'moved',
            retryable: true,
          },
        );
      }
      const { target, commit, moved, output: printed } = brought;
      const joined = await integrate(opened, brought, strategy, context);
      const { output: hooks, moved: _, ...facts } = joined;
      const fetched = movedFacts(moved);
      return reply({
        structured: {
          ...facts,
          ...defined({ remote: target.name }),
          url: target.urls[0]!,
          fetched: commit,
          ...fetched,
          ...defined({ output: printed, hooks_output: hooks }),
        },
        content: [`from ${target.urls[0]}`, ...movedLines(fetched), textOf(joined)].join('\n'),
      });
    });
  },
});
