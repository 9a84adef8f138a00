import { defined } from '@rootbound/kit/primitives';
import { reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../arguments.ts';
import { expectHead, pointOf } from '../changes/point.ts';
import { expectedHead } from '../changes/schema.ts';
import { bring, integrate, strategies } from '../remotes/pull.ts';
import { movedFacts, movedLines, movedRefs, reached, remoteArgument } from '../remotes/schema.ts';
import { sequenced } from '../sequences/schema.ts';
import { textOf } from '../sequences/text.ts';
import { tool } from '../workspace.ts';

export const gitPull = tool({
  name: 'git_pull',
  title: 'Pull',
  description:
    'Fetches the upstream branch and fast-forwards the current one to it; strategy says how to join diverged branches. Conflicts are a result. https and ssh to any host, unless the operator allows other protocols.',
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
    hooks_said: sequenced.shape.said,
  }),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run({ repo_path, remote, branch, strategy = 'ff-only', expected_head }, context) {
    const { scope, repositories } = context.scope;
    const { signal } = context;
    // outside the queue: while a slow other side sends, the repository may be changed
    const { brought, at } = await repositories.transfer(scope, repo_path, signal, async (opened) => {
      if (opened.repository.place.workTree === undefined)
        throw new ToolError('a bare repository has no files', { code: 'unsupported', hint: 'git_fetch' });
      const start = await pointOf(opened);
      await expectHead(opened, start, expected_head);
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
      const { target, commit, moved, said } = brought;
      const joined = await integrate(opened, brought, strategy, context);
      const { said: hooks, moved: _, ...facts } = joined;
      const fetched = movedFacts(moved);
      return reply({
        structured: {
          ...facts,
          ...defined({ remote: target.name }),
          url: target.urls[0]!,
          fetched: commit,
          ...fetched,
          ...defined({ said, hooks_said: hooks }),
        },
        content: [`from ${target.urls[0]}`, ...movedLines(fetched), textOf(joined)].join('\n'),
      });
    });
  },
});
