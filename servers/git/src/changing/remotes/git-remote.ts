import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { tool } from '../../call/workspace.ts';
import { hooks } from '../safety/change-schema.ts';
import { changeRemote, type RemoteChange, remotesIn } from './configured.ts';
import { refsThere } from './list-refs.ts';
import { targetOf } from './remote-target.ts';

const input = z.strictObject({
  repo_path: repoPath,
  action: z.enum(['add', 'remove', 'rename', 'set_url', 'list_refs']),
  name: z.string().optional().describe('of the remote'),
  new_name: z.string().optional(),
  url: z.string().optional(),
  push: z.boolean().optional().describe('set_url: where pushes go'),
});

/** References of another repository that one result names at most. */
const MOST_REFS = 1_000;

export const gitRemote = tool({
  name: 'git_remote',
  title: 'Remotes',
  description:
    'Changes the remotes of a repository (git_overview lists them), or lists the refs that another repository has now, with list_refs.',
  input,
  output: z.object({
    remotes: z
      .array(z.object({ name: z.string(), url: z.string().optional(), push_urls: z.array(z.string()) }))
      .optional(),
    url: z.string().optional().describe('where git went'),
    refs: z.array(z.object({ ref: z.string(), oid: z.string() })).optional(),
    more_refs: z.int().optional(),
    undo: z.string().optional().describe('the undo; absent: there is none'),
    hooks,
  }),
  annotations: { destructiveHint: true, openWorldHint: true },
  run(args, context) {
    const { scope, repositories, network } = context.scope;
    const { repo_path, action, name } = args;
    if (action === 'list_refs') {
      return repositories.use(scope, repo_path, context.signal, async (opened) => {
        const target = await targetOf(opened, context, name ?? args.url, 'fetch');
        const refs = [...(await refsThere(opened, target))].map(([ref, oid]) => ({ ref, oid }));
        const more = refs.length - MOST_REFS;
        return {
          url: target.urls[0]!,
          refs: refs.slice(0, MOST_REFS),
          ...(more > 0 && { more_refs: more }),
        };
      });
    }
    const change = changeOf({ ...args, action });
    return repositories.change(scope, repo_path, context.signal, async (opened) => {
      const undo = await changeRemote(opened, network, change);
      const remotes = (await remotesIn(opened)).map((remote) => ({
        name: remote.name,
        ...defined({ url: remote.fetchUrl }),
        push_urls: [...remote.pushUrls],
      }));
      return { remotes, ...defined({ undo, hooks: opened.hooksOff }) };
    });
  },
  render: ({ remotes = [], url, refs, more_refs }) =>
    refs === undefined
      ? remotes.map((remote) => `${remote.name}\t${remote.url ?? ''}`).join('\n') || 'no remotes'
      : [
          `at ${url}`,
          ...refs.map(({ ref, oid }) => `${oid} ${ref}`),
          ...(more_refs === undefined ? [] : [`and ${more_refs} more`]),
        ].join('\n'),
});

type Asked = Omit<z.output<typeof input>, 'action'> & { action: RemoteChange['action'] };

function changeOf({ action, name, new_name, url, push = false }: Asked): RemoteChange {
  if (name === undefined) throw lacks(action, 'name');
  if (action === 'remove') return { action, name };
  if (action === 'rename') {
    if (new_name === undefined) throw lacks(action, 'new_name');
    return { action, name, new_name };
  }
  if (url === undefined) throw lacks(action, 'url');
  return { action, name, url, push };
}

function lacks(action: string, argument: string): ToolError {
  return new ToolError(`${action} needs ${argument}`, { code: 'invalid-arguments' });
}
