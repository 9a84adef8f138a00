import { tool } from '../../call/workspace.ts';
import { applyCommits, revertInput } from './picks.ts';
import { sequenced } from './sequence-schema.ts';
import { toReply } from './sequence-text.ts';

export const gitRevert = tool({
  name: 'git_revert',
  title: 'Revert',
  description: 'Reverts commits by new commits, the newest of a range first.',
  input: revertInput,
  output: sequenced,
  annotations: { destructiveHint: false, openWorldHint: false },
  run: (args, context) =>
    context.scope.repositories.change(context.scope.scope, args.repo_path, context.signal, async (opened) =>
      toReply(await applyCommits(opened, 'revert', args, context)),
    ),
});
