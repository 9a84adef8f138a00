import { defined } from '@rootbound/kit/primitives';
import type { BlameCommit, BlameRun } from '../../porcelain/blame.ts';
import type { Oid } from '../../run/oid.ts';
import type { BlameOutput } from './blame-schema.ts';
import { toPerson } from './person.ts';

/** Returns the runs of a result, each commit once, in the order of the lines. */
export function runsOf(
  runs: readonly BlameRun[],
  path: string,
  ends: ReadonlySet<Oid> | undefined,
): Pick<BlameOutput, 'runs' | 'commits'> {
  const commits = new Map<Oid, BlameCommit>();
  for (const { commit } of runs) if (commit.oid !== undefined) commits.set(commit.oid, commit);
  return {
    runs: runs.map(({ start, count, commit, originalStart, path: from }) => ({
      start,
      count,
      ...defined({ commit: commit.oid }),
      from_line: originalStart,
      ...(from !== path && { from_path: from }),
    })),
    commits: [...commits].map(([oid, { author, summary, boundary }]) => ({
      oid,
      author: toPerson(author),
      subject: summary,
      // git reports the ends of a shallow clone as first commits
      ...((boundary || ends?.has(oid) === true) && { boundary: true }),
    })),
  };
}
