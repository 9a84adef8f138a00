import { ToolError } from '@rootbound/protocol';
import { readHead } from '../../call/head.ts';
import type { Opened } from '../../call/open-repository.ts';
import { nameOfByteString } from '../../porcelain/names.ts';
import type { Oid } from '../../run/oid.ts';
import type { Waiting } from '../sequences/attempt.ts';
import { merge } from '../sequences/merge.ts';
import { rebase } from '../sequences/rebase.ts';
import type { Sequenced } from '../sequences/sequence-schema.ts';
import { type Fetched, fetchFrom } from './fetch.ts';
import { type Target, targetOf } from './remote-target.ts';
import type { Call } from './transfer-call.ts';

export const strategies = ['ff-only', 'merge', 'rebase'] as const;
type Strategy = (typeof strategies)[number];

/** The ways of git pull. */
const flags = { 'ff-only': '--ff-only', merge: '--no-rebase', rebase: '--rebase' } as const;

/** The arguments of a pull. */
export interface PullAsked {
  readonly remote?: string | undefined;
  readonly branch?: string | undefined;
  readonly strategy: Strategy;
}

/** The fetched commits that are not in HEAD yet. */
export interface Brought extends Fetched {
  readonly target: Target;
  /** the reason in the reflog, by which hooks recognise a pull */
  readonly action: { readonly GIT_REFLOG_ACTION: string };
  /** the branch there */
  readonly branch: string;
  readonly commit: Oid;
}

/** Fetches one branch of another repository: the upstream of the current branch, unless another is named. */
export async function bring(
  opened: Opened,
  call: Call,
  { remote, branch, strategy }: PullAsked,
): Promise<Brought> {
  const there = branch ?? (await upstreamBranch(opened));
  const target = await targetOf(opened, call, remote, 'fetch');
  // an address may hold a password
  const named = remote === undefined || target.name === undefined ? [] : [target.name, branch ?? ''];
  const action = { GIT_REFLOG_ACTION: ['pull', flags[strategy], ...named].join(' ').trimEnd() };
  const { options } = target;
  const pulling = { ...target, options: { ...options, environment: { ...options.environment, ...action } } };
  const fetched = await fetchFrom(opened, pulling, { refs: [`refs/heads/${there}`] });
  return { ...fetched, target, action, branch: there, commit: await opened.resolve('FETCH_HEAD', 'commit') };
}

async function upstreamBranch(opened: Opened): Promise<string> {
  const { branch } = readHead(opened.repository);
  if (branch === undefined || branch.startsWith('refs/'))
    throw noUpstream(`HEAD is at ${branch ?? 'no branch'}`);
  const key = `branch.${Buffer.from(branch).toString('latin1')}`;
  const entries = await opened.config();
  const last = (name: string) => entries.findLast((entry) => entry.key === `${key}.${name}`)?.value;
  const merge = last('merge');
  if (last('remote') === '.') throw noUpstream('the upstream is a branch here, and nothing is to be fetched');
  if (merge?.startsWith('refs/heads/') !== true) throw noUpstream('the branch has no upstream');
  return nameOfByteString(merge.slice('refs/heads/'.length));
}

/** Merges or rebases the fetched commits into the current branch and the work tree. */
export async function integrate(
  opened: Opened,
  { commit, branch, action, target: { name } }: Brought,
  strategy: Strategy,
  waiting: Waiting,
): Promise<Sequenced> {
  if (strategy === 'rebase') return rebase(opened, { upstream: commit }, waiting, action);
  const tracking = `${name}/${branch}`;
  const isTracked = (await opened.objects.info(`refs/remotes/${tracking}`))?.oid === commit;
  const revisions = [name !== undefined && isTracked ? tracking : commit];
  if (strategy === 'merge') return merge(opened, { revisions }, waiting, action);
  try {
    return await merge(opened, { revisions, fast_forward: 'only' }, waiting, action);
  } catch (error) {
    if (error instanceof ToolError && error.code === 'non-fast-forward') throw diverged(commit, error);
    throw error;
  }
}

function diverged(commit: Oid, cause: ToolError): ToolError {
  return new ToolError('both branches have commits of their own; it is fetched, and nothing else was done', {
    code: 'non-fast-forward',
    hint: `git_pull with strategy "merge" or "rebase", or look at ${commit.slice(0, 12)} first`,
    cause,
  });
}

function noUpstream(why: string): ToolError {
  return new ToolError(`there is nothing to pull from: ${why}`, {
    code: 'no-upstream',
    hint: 'name remote and branch',
  });
}
