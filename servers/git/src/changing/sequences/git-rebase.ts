import { tool } from '../../call/workspace.ts';
import { input, rebase } from './rebase.ts';
import { sequenced } from './sequence-schema.ts';
import { toReply } from './sequence-text.ts';

export const gitRebase = tool({
  name: 'git_rebase',
  title: 'Rebase',
  description: 'Moves a branch to another base, or edits its commits by todo.',
  input,
  output: sequenced,
  annotations: { destructiveHint: false, openWorldHint: false },
  run: (args, context) =>
    context.scope.repositories.change(context.scope.scope, args.repo_path, context.signal, async (opened) =>
      toReply(await rebase(opened, args, context)),
    ),
});
