import { counted } from '@rootbound/kit/budget';
import { reply } from '@rootbound/protocol';
import { withUndo } from '../../call/undo-text.ts';
import { tool } from '../../call/workspace.ts';
import { resolveConflicts } from './resolve.ts';
import { input, output } from './resolve-schema.ts';

export const gitResolve = tool({
  name: 'git_resolve',
  title: 'Resolve conflicts',
  description: 'Resolves paths in conflict in one way and stages them; reopen undoes that.',
  input,
  output,
  annotations: { destructiveHint: false, openWorldHint: false },
  run: (args, { scope: { scope, repositories }, signal }) =>
    repositories.change(scope, args.repo_path, signal, async (opened) => {
      const structured = await resolveConflicts(opened, args);
      const { resolved, total_conflicts, next } = structured;
      const left = counted(total_conflicts, 'path in conflict', 'paths in conflict');
      const content = [...resolved.map((path) => `resolved ${path}`), left, `next: ${next.join('; ')}`].join(
        '\n',
      );
      return reply({ structured, content: withUndo(content, structured) });
    }),
});
