import { showName } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import { readHead } from '../../call/head.ts';
import { messageOf } from '../../call/list-message.ts';
import type { Opened } from '../../call/open-repository.ts';
import { remotesOf } from '../../porcelain/remotes.ts';
import type { Status } from '../../porcelain/status.ts';
import type { Suppressed } from '../../repository/audit.ts';
import { parseCommit } from '../../repository/commit.ts';
import { findLocks } from '../../repository/locks.ts';
import { foreignStateIn } from '../../repository/states/assert.ts';
import { suppressedIn } from '../../repository/trust.ts';
import { type Oid, toOid } from '../../run/oid.ts';
import { subjectOf } from '../history/commit-message.ts';
import { isoDate, nameAndEmail, toPerson } from '../history/person.ts';
import { filtersOffIn } from './filters-off.ts';
import { operationsOf } from './operations.ts';
import type { Head, Lists } from './overview-facts.ts';
import { readStatus } from './read-status.ts';
import { driftsOf } from './submodules.ts';
import { worktreesOf } from './worktrees.ts';

/** Bytes of a commit that is read for its message; a larger one is reported without it. */
const MOST_BYTES = 256 << 10;

/** Reads the whole overview, whether or not it fits. */
export async function readOverview(opened: Opened): Promise<{ head: Head; lists: Lists }> {
  const { repository, audit, state } = opened;
  const bare = audit.facts.bare;
  const [status, remotes, worktrees] = await Promise.all([
    bare ? undefined : readStatus(opened),
    remotesIn(opened),
    worktreesOf(opened),
  ]);
  const where = status === undefined ? await headOfBare(opened) : headOf(status);
  const head: Head = {
    repository: opened.displayPath,
    kind: repository.kind,
    ...(repository.readOnly && { read_only: true }),
    ...where,
    ...(where.commit !== undefined && (await lastCommit(opened, toOid(where.commit)))),
    ...(status !== undefined && countsOf(status)),
    ...(status !== undefined && (await filtersOff(opened, status))),
    ...(status?.problem !== undefined && { problem: status.problem }),
    facts: factsOf(opened),
    trust: state,
    containment: repository.reach.containment,
  };
  const drifts = driftsOf(status?.entries ?? []);
  const lists: Lists = {
    operations: operationsOf(repository),
    worktrees,
    submodules: [...drifts].map(([path, drift]) => ({ path, ...drift })),
    remotes,
    suppressed: [...suppressedIn(audit, state), ...foreignStates(opened)],
    locks: findLocks(repository).map(({ name, ageMs }) => ({ name, age_seconds: Math.floor(ageMs / 1000) })),
  };
  return { head, lists };
}

/**
 * Returns the features that are suppressed while an operation is in progress, each with the first file that causes it.
 */
function foreignStates({ repository, state }: Opened): Suppressed[] {
  const file = state === 'trusted' ? undefined : foreignStateIn(repository);
  return file === undefined ? [] : [{ key: showName(file), scope: 'local', what: 'state' }];
}

function headOf({ branch: { head, commit, upstream, track } }: Status): Partial<Head> {
  return {
    ...defined({ branch: head, commit, upstream }),
    ...track,
  };
}

/** git has no status of a bare repository */
async function headOfBare({ repository, objects }: Opened): Promise<Partial<Head>> {
  const { branch } = readHead(repository);
  const info = await objects.info('HEAD^{commit}');
  return { ...defined({ branch }), ...(info !== undefined && { commit: info.oid }) };
}

async function lastCommit({ objects }: Opened, oid: Oid): Promise<Partial<Head>> {
  const bytes = (await objects.read(oid, MOST_BYTES))?.bytes;
  if (bytes === undefined) return {};
  const { author, message } = parseCommit(bytes);
  const date = isoDate(author?.time, author?.zone);
  return {
    subject: messageOf(subjectOf(message)).message,
    ...(author !== undefined && { author: messageOf(nameAndEmail(toPerson(author))).message }),
    ...defined({ date }),
  };
}

function countsOf({ entries, stashes }: Status): Partial<Head> {
  const counts = { staged: 0, changed: 0, untracked: 0, unmerged: 0, stashes };
  for (const entry of entries) {
    if (entry.kind === 'unmerged') counts.unmerged++;
    else if (entry.kind === 'untracked') counts.untracked++;
    else if (entry.kind === 'changed') {
      if (entry.index !== '.') counts.staged++;
      if (entry.worktree !== '.') counts.changed++;
    }
  }
  return counts;
}

async function filtersOff(opened: Opened, { entries }: Status): Promise<Pick<Head, 'filters_off'>> {
  const names = new Set((await filtersOffIn(opened, entries)).values());
  return names.size === 0 ? {} : { filters_off: [...names].sort() };
}

/** Returns the unusual properties of a repository. */
export function factsOf({ audit: { facts } }: Opened): string[] {
  const { objectFormat, refFormat, shallow, partial, sparse, lfs } = facts;
  const formats = { sha256: objectFormat === 'sha256', reftable: refFormat === 'reftable' };
  return Object.entries({ ...formats, shallow, partial, sparse, lfs }).flatMap(([fact, is]) =>
    is ? [fact] : [],
  );
}

export async function remotesIn(opened: Opened): Promise<Lists['remotes']> {
  return remotesOf(await opened.config()).map(({ name, fetchUrl, pushUrls }) => {
    const differ = pushUrls.length !== 1 || pushUrls[0] !== fetchUrl;
    return {
      name,
      ...defined({ url: fetchUrl }),
      ...(differ && pushUrls.length > 0 && { push_urls: pushUrls.slice(0, 10) }),
    };
  });
}
