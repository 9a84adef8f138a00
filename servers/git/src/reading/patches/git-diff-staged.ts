import { tool } from '../../call/workspace.ts';
import { officialInput, output } from './diff-schema.ts';
import { sidesOf } from './diff-sides.ts';
import { readDiff } from './read-diff.ts';

const NAME = 'git_diff_staged';

/** `git_diff` under the official server's name for this case. */
export const gitDiffStaged = tool({
  name: NAME,
  title: 'Staged changes',
  description: 'Staged changes, against HEAD.',
  input: officialInput,
  output,
  listed: false,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      return readDiff(opened, await sidesOf(opened, { staged: true }), args, NAME, maxOutput);
    });
  },
});
