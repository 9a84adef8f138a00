import type { Completion } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { type LogCommit, logCommand, parseLogPage } from '../../porcelain/log.ts';
import type { ObjectType } from '../../repository/answers.ts';
import type { Oid } from '../../run/oid.ts';
import { newestRefs } from './refs.ts';

const MOST_COMMITS = 500;
/** git resolves no shorter abbreviation */
const shortest = /^[0-9a-f]{4,}$/;

/**
 * Returns ids that begin with the typed text: of recent commits or their trees, of refs, and an object that is unique
 * for it.
 */
export async function completeIds(
  opened: Opened,
  type: Exclude<ObjectType, 'tag'>,
  typed: string,
): Promise<Completion> {
  const known = (await idsOf(opened, type)).filter((oid) => oid.startsWith(typed));
  if (known.length > 0 || !shortest.test(typed)) return [...new Set(known)];
  const answer = await opened.objects.look(`${typed}^{${type}}`);
  // a ref may have the same name
  return answer.kind === 'found' && answer.info.oid.startsWith(typed) ? [answer.info.oid] : [];
}

async function idsOf(opened: Opened, type: Exclude<ObjectType, 'tag'>): Promise<string[]> {
  if (type === 'blob') return [];
  // no commit yet
  const head = await opened.objects.info('HEAD^{commit}');
  const commits = head === undefined ? [] : await recentCommits(opened, head.oid, MOST_COMMITS);
  if (type === 'tree') return commits.map(({ tree }) => tree);
  const tips = (await newestRefs(opened))
    .map((ref) => ref.target ?? ref)
    .filter((tip) => tip.type === 'commit');
  return [...commits, ...tips].map(({ oid }) => oid);
}

/** Returns the last commits of a history. */
export async function recentCommits(opened: Opened, tip: Oid, limit: number): Promise<readonly LogCommit[]> {
  const query = { from: [tip] };
  const { stdout } = await opened.run(logCommand(query, { limit }));
  return parseLogPage(stdout, query, { limit }).items;
}
