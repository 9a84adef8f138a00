import { tool } from '../../call/workspace.ts';
import { input, merge } from './merge.ts';
import { sequenced } from './sequence-schema.ts';
import { toReply } from './sequence-text.ts';

export const gitMerge = tool({
  name: 'git_merge',
  title: 'Merge',
  description: 'Merges into HEAD; git_conflicts shows the conflicts beforehand.',
  input,
  output: sequenced,
  annotations: { destructiveHint: false, openWorldHint: false },
  run: (args, context) =>
    context.scope.repositories.change(context.scope.scope, args.repo_path, context.signal, async (opened) =>
      toReply(await merge(opened, args, context)),
    ),
});
