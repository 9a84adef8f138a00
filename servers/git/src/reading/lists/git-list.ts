import { type Reply, ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { restFacts } from '../../call/list-rest.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { submodule } from '../state/submodules.ts';
import { worktree } from '../state/worktrees.ts';
import { input, type Kind, type ListArguments, ofKind } from './list-schema.ts';
import { listReflog, reflogEntry } from './reflog-list.ts';
import { listStashes, stash } from './stash-list.ts';
import { listSubmodules } from './submodule-list.ts';
import { listTags, tag } from './tag-list.ts';
import { listWorktrees } from './worktree-list.ts';

const lists: Readonly<
  Record<Kind, (opened: Opened, args: ListArguments, maxOutput: number) => Promise<Reply>>
> = {
  tags: listTags,
  stashes: listStashes,
  worktrees: listWorktrees,
  submodules: listSubmodules,
  reflog: listReflog,
};

export const gitList = tool({
  name: 'git_list',
  title: 'List',
  description: 'Tags, stashes, work trees, submodules, or the earlier positions of a ref (reflog).',
  input,
  output: z.object({
    tags: z.array(tag).optional(),
    stashes: z.array(stash).optional(),
    worktrees: z.array(worktree).optional(),
    submodules: z.array(submodule).optional(),
    entries: z.array(reflogEntry).optional().describe('of the reflog'),
    problem: z.string().optional().describe('the facts that could not be read'),
    ...restFacts,
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories, maxOutput }, signal }) {
    assertOwn(args);
    return repositories.use(scope, args.repo_path, signal, (opened) =>
      lists[args.kind](opened, args, maxOutput),
    );
  },
});

/** Throws for an argument that another kind has. */
function assertOwn(args: ListArguments): void {
  for (const [name, kind] of Object.entries(ofKind)) {
    if (args[name as keyof typeof ofKind] === undefined || args.kind === kind) continue;
    throw new ToolError(`${name} is of kind ${kind}, and kind is ${args.kind}`, {
      code: 'invalid-arguments',
    });
  }
}
