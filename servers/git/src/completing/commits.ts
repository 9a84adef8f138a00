import type { Completion } from '@rootbound/protocol';
import type { Opened } from '../opened.ts';
import { type LogCommit, logCommand, parseLogPage } from '../porcelain/log.ts';
import type { ObjectType } from '../repository/answers.ts';
import type { Oid } from '../run/oid.ts';
import { newestRefs } from './refs.ts';

const MOST_COMMITS = 500;
/** git takes no fewer digits for an object. */
const shortest = /^[0-9a-f]{4,}$/;

/** Ids that begin as typed: of the last commits or their trees, of refs, and any other that it alone may be. */
export async function completeIds(
  opened: Opened,
  type: Exclude<ObjectType, 'tag'>,
  typed: string,
): Promise<Completion> {
  const known = (await idsOf(opened, type)).filter((oid) => oid.startsWith(typed));
  if (known.length > 0 || !shortest.test(typed)) return [...new Set(known)];
  const answer = await opened.objects.look(`${typed}^{${type}}`);
  // a ref may have that name, too
  return answer.kind === 'found' && answer.info.oid.startsWith(typed) ? [answer.info.oid] : [];
}

async function idsOf(opened: Opened, type: Exclude<ObjectType, 'tag'>): Promise<string[]> {
  if (type === 'blob') return [];
  // there is none before the first commit
  const head = await opened.objects.info('HEAD^{commit}');
  const commits = head === undefined ? [] : await recentCommits(opened, head.oid, MOST_COMMITS);
  if (type === 'tree') return commits.map(({ tree }) => tree);
  const tips = (await newestRefs(opened))
    .map((ref) => ref.target ?? ref)
    .filter((tip) => tip.type === 'commit');
  return [...commits, ...tips].map(({ oid }) => oid);
}

/** The last commits of a history. */
export async function recentCommits(opened: Opened, tip: Oid, limit: number): Promise<readonly LogCommit[]> {
  const query = { from: [tip] };
  const { stdout } = await opened.run(logCommand(query, { limit }));
  return parseLogPage(stdout, query, { limit }).items;
}
