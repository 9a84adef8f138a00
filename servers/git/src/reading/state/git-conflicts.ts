import { tool } from '../../call/workspace.ts';
import { input, output } from './conflict-schema.ts';
import { readConflicts } from './read-conflicts.ts';

const NAME = 'git_conflicts';

export const gitConflicts = tool({
  name: NAME,
  title: 'Conflicts',
  description:
    'The operation in progress (merge, rebase, ...) and its conflicts, or those that a merge would have.',
  input,
  output,
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    return repositories.use(scope, args.repo_path, signal, (opened) =>
      readConflicts(opened, args, NAME, maxOutput),
    );
  },
});
