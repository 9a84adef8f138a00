import { tool } from '../../call/workspace.ts';
import { type Agreed, consent } from '../safety/consent.ts';
import { lossOf, lostBy } from './abort-loss.ts';
import { sequenced } from './sequence-schema.ts';
import { toReply } from './sequence-text.ts';
import { assertStep, input, step } from './steps.ts';

export const gitContinue = tool({
  name: 'git_continue',
  title: 'Continue',
  description:
    'Continues the merge, rebase, cherry-pick or revert in progress, skips its step, or aborts it; quit only ends it.',
  input,
  output: sequenced,
  annotations: { destructiveHint: true, openWorldHint: false },
  async ask(args, ask, { facts, signal, scope: { scope, repositories } }): Promise<Agreed> {
    if (args.dry_run === true || args.action === 'continue' || args.action === 'quit') return undefined;
    return repositories.use(scope, args.repo_path, signal, async (opened) => {
      const standing = await assertStep(opened, args);
      const lost = await lostBy(opened, standing, args.action);
      return consent(ask, facts, lossOf(standing.operation.kind, args.action, lost));
    });
  },
  run: (args, context) =>
    context.scope.repositories.change(context.scope.scope, args.repo_path, context.signal, async (opened) =>
      toReply(await step(opened, args, context.answers, context)),
    ),
});
