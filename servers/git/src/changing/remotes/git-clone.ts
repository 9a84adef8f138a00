import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import { readHead } from '../../call/head.ts';
import { hooksLeftOut } from '../../call/hooks.ts';
import { tool } from '../../call/workspace.ts';
import { hooks } from '../safety/change-schema.ts';
import { cloneFrom } from './clone.ts';
import { reached } from './transfer-schema.ts';

const on = z.boolean().optional();

export const gitClone = tool({
  name: 'git_clone',
  title: 'Clone',
  description:
    'Clones a repository. No hooks run, and submodules are not cloned. https and ssh to any host, unless the operator allows other protocols. A failed clone leaves nothing behind.',
  input: z.strictObject({
    url: z.string(),
    path: z.string().describe('a new or empty folder'),
    branch: z.string().optional().describe('or tag'),
    depth: z.int().min(1).max(1_000_000).optional(),
    filter: z.enum(['blob:none', 'tree:0']).optional(),
    single_branch: on,
    bare: on,
    no_checkout: on,
  }),
  output: z.object({
    repository: z.string(),
    url: reached.url,
    branch: z.string().optional().describe('absent: HEAD is detached'),
    commit: z.string().optional().describe('absent: the other repository is empty'),
    output: reached.output,
    undo: z.string(),
    hooks,
  }),
  annotations: { destructiveHint: false, openWorldHint: true },
  async run(args, context) {
    const {
      url,
      output: printed,
      seen,
    } = await cloneFrom(args, context, async ({ displayPath, repository, objects, audit }, cloning) => {
      const { branch } = readHead(repository);
      const head = await objects.info('HEAD');
      return {
        repository: displayPath,
        ...defined({ branch }),
        ...(head !== undefined && { commit: head.oid }),
        ...defined({ hooks: hooksLeftOut(cloning, audit) }),
      };
    });
    return { ...seen, url, ...defined({ output: printed }), undo: 'delete the folder' };
  },
  render: ({ repository, url, branch, commit }) =>
    `cloned ${url} into ${repository}: ${branch ?? 'HEAD'} at ${commit?.slice(0, 12) ?? 'no commit'}`,
});
