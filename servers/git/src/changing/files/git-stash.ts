import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { movement, pointOf } from '../safety/point.ts';
import { takeBack } from './stash-apply.ts';
import { branch, drop, store } from './stash-list.ts';
import { namedStash } from './stash-name.ts';
import { putAside } from './stash-push.ts';
import { type Arguments, input, output, type StashResult } from './stash-schema.ts';

export const gitStash = tool({
  name: 'git_stash',
  title: 'Stash',
  description: 'Stashes changes, applies and drops stashes; store restores a dropped one.',
  input,
  output,
  annotations: { destructiveHint: true, openWorldHint: false },
  run(args, { scope: { scope, repositories }, signal }) {
    return repositories.change(scope, args.repo_path, signal, async (opened) => {
      if (opened.repository.place.workTree === undefined) throw noWorkTree();
      const before = await pointOf(opened);
      const { undo, ...facts } = await act(opened, args);
      return { ...movement(opened, before, await pointOf(opened), undo), ...facts };
    });
  },
  render({ state, stash, conflicts = [], next, branch: at }, { action }) {
    if (state === 'nothing') return 'nothing to stash';
    const short = stash?.slice(0, 12);
    if (state === 'conflicts') {
      const paths = conflicts.map(({ path, conflict }) => `  ${path} (${conflict})`);
      return [`conflicts with stash ${short}, which is kept:`, ...paths, `next: ${next?.join(', ')}`].join(
        '\n',
      );
    }
    const where = action === 'branch' ? ` on ${at}` : '';
    return `${verbs[action]} ${short}${where}`;
  },
});

const verbs = {
  push: 'stashed as',
  apply: 'applied and kept',
  pop: 'applied and dropped',
  drop: 'dropped',
  branch: 'applied and dropped',
  store: 'stored',
} as const;

async function act(opened: Opened, args: Arguments): Promise<StashResult> {
  const { action, stash, expected, message, index = false, branch_name } = args;
  if (action === 'push') return putAside(opened, args);
  if (action === 'store') return store(opened, stash, message);
  const found = await namedStash(opened, stash, expected);
  if (action === 'branch') return branch(opened, found, branch_name);
  if (action === 'drop') return drop(opened, found.commit);
  const taken = await takeBack(opened, found, index);
  if (action === 'apply' || taken.state === 'conflicts') return taken;
  // the applied changes may have met other changes: no call separates them again
  const { undo: _, ...dropped } = await drop(opened, found.commit);
  return dropped;
}

function noWorkTree(): ToolError {
  return new ToolError('a bare repository has no work tree', { code: 'unsupported' });
}
