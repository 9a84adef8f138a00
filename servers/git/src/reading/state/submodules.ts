import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { showPath, statEntry, textOfBytes } from '@rootbound/kit/boundary';
import { defined } from '@rootbound/kit/primitives';
import * as z from 'zod';
import { toPaths } from '../../call/arguments.ts';
import { readHead } from '../../call/head.ts';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import { parseStatus, statusCommand } from '../../porcelain/status.ts';
import type { StatusEntry } from '../../porcelain/status-entries.ts';
import { type Gitlink, gitlinksCommand, joinSubmodules, parseGitlinks } from '../../porcelain/submodules.ts';
import { openRepository } from '../../repository/open.ts';
import { isNotFound } from '../../repository/refusals.ts';
import type { PathArgument } from '../../run/command.ts';
import { declaredOf } from './gitmodules.ts';
import { withSubmodules } from './submodule-status.ts';

/** Bytes of paths on a command line: Windows ends one at 32 KiB. */
const MOST_PATHS = 16_384;

/** The differences between a submodule and the commit that its repository records. */
export const drift = {
  new_commits: z.boolean().optional(),
  modified: z.boolean().optional(),
  untracked: z.boolean().optional(),
};

export const submodule = z.object({
  path: z.string(),
  state: z.enum(['checked-out', 'absent', 'unmerged']),
  commit: z.string().optional().describe('that is recorded'),
  branch: z.string().optional().describe('that is checked out'),
  detached: z.string().optional(),
  ...drift,
  name: z.string().optional().describe('absent: .gitmodules does not declare it'),
  url: z.string().optional(),
  follows: z.string().optional().describe('the branch that updates take'),
  update: z.string().optional(),
});

export type SubmoduleFacts = z.output<typeof submodule>;
export type Drift = z.output<z.ZodObject<typeof drift>>;

export interface Submodules {
  readonly submodules: readonly SubmoduleFacts[];
  /** the reason for which something is unknown */
  readonly problem: string | undefined;
}

/** Returns the submodules of the index with their state. */
export async function submodulesIn(opened: Opened): Promise<Submodules> {
  const links = await linksOf(opened);
  if (links.length === 0) return { submodules: [], problem: undefined };
  const [status, declared] = await Promise.all([
    // git dies of a .gitmodules that it cannot read, and of a command in one
    opened.run(statusCommand(pathsOf(links)), { okay: [0, 128] }),
    declaredOf(opened),
  ]);
  const compared = status.status === 0;
  const asked = pathsOf(links);
  const entries = compared ? await withSubmodules(opened, parseStatus(status.stdout).entries, asked) : [];
  const drifts = driftsOf(entries);
  const submodules = joinSubmodules(links, declared ?? []).map(({ path, commit, declared: declaration }) => ({
    path,
    ...placeOf(opened, path, commit === undefined),
    ...defined({ commit }),
    ...drifts.get(path),
    ...(declaration !== undefined && { name: declaration.name }),
    ...(declaration?.url !== undefined && { url: declaration.url }),
    ...(declaration?.branch !== undefined && { follows: declaration.branch }),
    ...(declaration?.update !== undefined && { update: declaration.update }),
  }));
  if (declared === undefined) return { submodules, problem: 'git cannot read .gitmodules' };
  return { submodules, problem: compared ? undefined : 'git refuses to compare them, as by .gitmodules' };
}

/** Returns the paths for a status; all paths where a command line cannot name them. */
function pathsOf(links: readonly Gitlink[]): { paths?: PathArgument[] } {
  // git does not start in a folder whose path is not text, so nothing can be checked out there
  const paths = toPaths(links.map(({ path }) => path)).filter(
    (path) => typeof path === 'string' || isUtf8(path),
  );
  const bytes = paths.reduce((sum, path) => sum + path.length, 0);
  return paths.length > 0 && bytes <= MOST_PATHS ? { paths } : {};
}

/** by path, a status's facts of submodules */
export function driftsOf(entries: readonly StatusEntry[]): Map<string, Drift> {
  const found = new Map<string, Drift>();
  for (const entry of entries) {
    if (!('submodule' in entry) || entry.submodule === undefined) continue;
    const { newCommits, modified, untracked } = entry.submodule;
    if (!newCommits && !modified && !untracked) continue;
    found.set(entry.path, {
      ...(newCommits && { new_commits: true }),
      ...(modified && { modified }),
      ...(untracked && { untracked }),
    });
  }
  return found;
}

/** Reads the submodules of an index, which are few among many files. */
async function linksOf(opened: Opened): Promise<Gitlink[]> {
  const { chunks, finished } = opened.stream(gitlinksCommand());
  const kept: string[] = [];
  let rest = '';
  for await (const chunk of chunks) {
    const text = chunk.toString('latin1');
    // a long name comes in many chunks
    if (!text.includes('\0')) {
      rest += text;
      continue;
    }
    const records = (rest + text).split('\0');
    rest = records.pop()!;
    kept.push(...records.filter((record) => record.startsWith('160000 ')));
  }
  await finished;
  return parseGitlinks(Buffer.from(kept.map((record) => `${record}\0`).join(''), 'latin1'));
}

function placeOf(
  { repository: { place, reach, opened } }: Opened,
  path: string,
  unmerged: boolean,
): Pick<SubmoduleFacts, 'state' | 'branch' | 'detached'> {
  const top = join(place.workTree!, textOfBytes(bytesOfName(path)));
  try {
    statEntry(reach, join(top, '.git'));
  } catch (error) {
    if (isNotFound(error)) return { state: unmerged ? 'unmerged' : 'absent' };
    throw error;
  }
  const { branch, commit } = readHead(openRepository(opened.roots, top, opened.allowed));
  return {
    state: unmerged ? 'unmerged' : 'checked-out',
    ...defined({ branch, detached: commit }),
  };
}

/** Returns the mark of `git submodule status`, the path, and the other facts. */
export function submoduleLine(facts: SubmoduleFacts): string {
  const { path, state, commit, branch, detached, name, url } = facts;
  const mark = state === 'absent' ? '-' : state === 'unmerged' ? 'U' : facts.new_commits ? '+' : ' ';
  const at = branch ?? detached?.slice(0, 12);
  const notes = [
    state === 'absent' ? 'not checked out' : at === undefined ? '' : `at ${at}`,
    ...driftWords(facts),
    name === undefined ? 'not declared' : '',
  ].filter((note) => note !== '');
  const from = url === undefined ? '' : ` ${showPath(url)}`;
  return `${mark}${(commit ?? '').slice(0, 12).padEnd(12)} ${path}${from} (${notes.join(', ')})`;
}

export function driftWords({ new_commits, modified, untracked }: Drift): string[] {
  return [
    ...(new_commits ? ['new commits'] : []),
    ...(modified ? ['modified content'] : []),
    ...(untracked ? ['untracked content'] : []),
  ];
}
