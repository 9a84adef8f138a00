import { tool } from '../../call/workspace.ts';
import { applyCommits, pickInput } from './picks.ts';
import { sequenced } from './sequence-schema.ts';
import { toReply } from './sequence-text.ts';

export const gitCherryPick = tool({
  name: 'git_cherry_pick',
  title: 'Cherry-pick',
  description: 'Applies commits of other branches to HEAD, one after another.',
  input: pickInput,
  output: sequenced,
  annotations: { destructiveHint: false, openWorldHint: false },
  run: (args, context) =>
    context.scope.repositories.change(context.scope.scope, args.repo_path, context.signal, async (opened) =>
      toReply(await applyCommits(opened, 'cherry-pick', args, context)),
    ),
});
