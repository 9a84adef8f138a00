import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { tool } from '../../call/workspace.ts';
import { command } from '../../run/command.ts';
import { refName } from '../../run/operand.ts';
import { changed } from '../safety/change-schema.ts';
import { movement, pointOf } from '../safety/point.ts';
import { branchName, expectRef } from '../safety/refs.ts';

export const gitCreateBranch = tool({
  name: 'git_create_branch',
  title: 'Create branch',
  description: 'Creates a branch at a revision; HEAD does not move.',
  input: z.strictObject({
    repo_path: repoPath,
    branch_name: z.string(),
    base_branch: z.string().optional().describe('a revision; default HEAD'),
    track: z.boolean().optional().describe('base_branch, a branch, becomes the upstream'),
  }),
  output: z.object({ ...changed, created: z.string(), commit: z.string(), upstream: z.string().optional() }),
  annotations: { destructiveHint: false, openWorldHint: false },
  run(args, { scope: { scope, repositories }, signal }) {
    return repositories.change(
      scope,
      args.repo_path,
      signal,
      async (opened) => {
        const { branch_name, base_branch = 'HEAD', track = false } = args;
        const name = branchName(branch_name);
        const commit = await opened.resolve(base_branch, 'commit');
        const at = await pointOf(opened);
        const base = track ? [refName(base_branch)] : [];
        await opened.run(
          command('branch', {
            flags: [track ? '--track' : '--no-track'],
            names: [name, ...base],
            revisions: track ? [] : [commit],
          }),
        );
        await expectRef(opened, `refs/heads/${name}`, commit);
        return {
          ...movement(
            opened,
            at,
            at,
            `git_update_branch with branch_name ${JSON.stringify(name)} and action "delete"`,
          ),
          created: name,
          commit,
          ...(track && { upstream: base_branch }),
        };
      },
      { repeatable: true },
    );
  },
  render: ({ created, commit, upstream }) =>
    `created ${created} at ${commit.slice(0, 12)}${upstream === undefined ? '' : `, which tracks ${upstream}`}`,
});
