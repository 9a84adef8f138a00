import { readDiff } from '../diffs/read.ts';
import { input, output } from '../diffs/schema.ts';
import { sidesOf } from '../diffs/sides.ts';
import { tool } from '../workspace.ts';

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
