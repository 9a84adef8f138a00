import { applyCommits, pickInput } from '../sequences/picks.ts';
import { sequenced } from '../sequences/schema.ts';
import { toReply } from '../sequences/text.ts';
import { tool } from '../workspace.ts';

export const gitCherryPick = tool({
  name: 'git_cherry_pick',
  title: 'Cherry-pick',
  description: 'Applies commits of other branches to HEAD, one after another.',
  input: pickInput,
  output: sequenced,
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  run: (args, context) =>
    context.scope.repositories.change(context.scope.scope, args.repo_path, context.signal, async (opened) =>
      toReply(await applyCommits(opened, 'cherry-pick', args, context)),
    ),
});
