import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { tool } from '../../call/workspace.ts';
import { dryRun, hooks } from '../safety/change-schema.ts';
import { pushTo } from './push.ts';
import { undoOf } from './push-undo.ts';
import { targetOf } from './remote-target.ts';
import { reached, remoteArgument } from './transfer-schema.ts';

const on = z.boolean().optional();

const pushedRef = z.object({
  ref: z.string(),
  result: z.enum(['moved', 'forced', 'removed', 'new', 'rejected', 'up-to-date']),
  before: z.string().optional(),
  after: z.string().optional(),
});

export const gitPush = tool({
  name: 'git_push',
  title: 'Push',
  description: 'Pushes branches and tags. Overwrites or deletes a ref there only if it has the given id.',
  input: z.strictObject({
    repo_path: repoPath,
    remote: remoteArgument,
    refs: z
      .array(z.string())
      .min(1)
      .max(100)
      .optional()
      .describe('name or source:destination; default the branch'),
    force_with_lease: z.array(z.string()).optional().describe('whole id of each there'),
    delete: on.describe('needs force_with_lease'),
    set_upstream: on,
    tags: on.describe('annotated ones'),
    atomic: on,
    push_options: z.array(z.string()).optional(),
    dry_run: dryRun,
  }),
  output: z.object({
    ...reached,
    urls: z.array(z.string()).optional().describe('all, where a push goes to several'),
    refs: z.array(pushedRef),
    verified: z.boolean().describe('the other repository was seen to have it so'),
    undo: z.string().optional().describe('the undo; absent: there is none'),
    hooks,
  }),
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },
  run({ repo_path, remote, ...asked }, context) {
    const { scope, repositories } = context.scope;
    return repositories.transfer(scope, repo_path, context.signal, async (opened) => {
      const target = await targetOf(opened, context, remote, 'push');
      const { refs, output: printed, verified } = await pushTo(opened, target, asked);
      const undo = asked.dry_run === true ? undefined : await undoOf(opened, remote ?? target.name, refs);
      return {
        ...defined({ remote: target.name }),
        url: target.urls[0]!,
        ...(target.urls.length > 1 && { urls: [...target.urls] }),
        refs: refs.map(({ ref, result, before, after }) => ({
          ref,
          result,
          ...defined({ before, after }),
        })),
        verified: verified === true,
        ...defined({ undo, output: printed, hooks: opened.hooksOff }),
      };
    });
  },
  render: ({ url, refs, output: printed, verified }, { dry_run }) =>
    [
      `to ${url}${dry_run ? ' (dry run: nothing was pushed)' : verified ? '' : ' (not verified)'}`,
      ...refs.map(({ ref, result, before, after }) => {
        const ids = [before, after].flatMap((oid) => (oid === undefined ? [] : oid.slice(0, 12)));
        return `${ref}: ${result}${ids.length === 0 ? '' : ` ${ids.join(' -> ')}`}`;
      }),
      ...(printed === undefined ? [] : [`remote: ${printed}`]),
    ].join('\n'),
});
