import { tool } from '../../call/workspace.ts';
import { officialInput, output } from './diff-schema.ts';
import { sidesOf } from './diff-sides.ts';
import { readDiff } from './read-diff.ts';

const NAME = 'git_diff_unstaged';

/** `git_diff` under the official server's name for this case. */
export const gitDiffUnstaged = tool({
  name: NAME,
  title: 'Unstaged changes',
  description: 'Changes in the work tree that are not staged.',
  input: officialInput,
  output,
  listed: false,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      return readDiff(opened, await sidesOf(opened, {}), args, NAME, maxOutput);
    });
  },
});
