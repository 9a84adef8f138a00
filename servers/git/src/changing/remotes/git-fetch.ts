import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { tool } from '../../call/workspace.ts';
import { dryRun, hooks } from '../safety/change-schema.ts';
import { depthFacts, depthLine } from './depth.ts';
import { fetchFrom } from './fetch.ts';
import { targetOf } from './remote-target.ts';
import { movedFacts, movedLines, movedRefs, reached, remoteArgument } from './transfer-schema.ts';

const commits = z.int().min(1).max(1_000_000).optional();

export const gitFetch = tool({
  name: 'git_fetch',
  title: 'Fetch',
  description:
    'Downloads commits and refs of another repository; leaves files and branches here unchanged. https and ssh to any host, unless the operator allows other protocols. Submodules are not fetched.',
  input: z.strictObject({
    repo_path: repoPath,
    remote: remoteArgument,
    refs: z.array(z.string()).min(1).max(100).optional().describe('branches there, or refs/tags/<name>'),
    prune: z.boolean().optional(),
    tags: z.boolean().optional().describe('all or none; default those of what is fetched'),
    depth: commits,
    deepen: commits,
    unshallow: z.boolean().optional(),
    dry_run: dryRun,
  }),
  output: z.object({ ...reached, ...movedRefs, depth: depthFacts.optional(), hooks }),
  annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: true },
  run({ repo_path, remote, ...asked }, context) {
    const { scope, repositories } = context.scope;
    return repositories.transfer(scope, repo_path, context.signal, async (opened) => {
      const target = await targetOf(opened, context, remote, 'fetch');
      const { moved, output: printed, depth } = await fetchFrom(opened, target, asked);
      return {
        ...defined({ remote: target.name }),
        url: target.urls[0]!,
        ...movedFacts(moved),
        ...(depth !== undefined && { depth: { ...depth, ends: [...depth.ends] } }),
        ...defined({ output: printed, hooks: opened.hooksOff }),
      };
    });
  },
  render: (facts, { dry_run }) =>
    [
      `from ${facts.url}${dry_run ? ' (dry run: nothing was fetched)' : ''}`,
      ...(facts.moved.length === 0 && facts.depth === undefined ? ['nothing is new'] : movedLines(facts)),
      ...(facts.depth === undefined ? [] : [depthLine(facts.depth)]),
      ...(facts.output === undefined ? [] : [`remote: ${facts.output}`]),
    ].join('\n'),
});
