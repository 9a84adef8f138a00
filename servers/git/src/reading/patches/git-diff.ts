import { tool } from '../../call/workspace.ts';
import { input, output } from './diff-schema.ts';
import { sidesOf } from './diff-sides.ts';
import { readDiff } from './read-diff.ts';

const NAME = 'git_diff';

export const gitDiff = tool({
  name: NAME,
  title: 'Diff',
  description: 'Changes that are not staged, that are staged, or between revisions: files, then the patch.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      return readDiff(opened, await sidesOf(opened, args), args, NAME, maxOutput);
    });
  },
});
