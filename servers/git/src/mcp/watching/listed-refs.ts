import { join } from 'node:path';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { nameOfByteString } from '../../porcelain/names.ts';
import type { Repository } from '../../repository/repository.ts';
import { RefFiles } from './ref-files.ts';
import { Trace } from './trace.ts';
import type { PathKind } from './watched.ts';

export interface ListedRef {
  readonly repository: Repository;
  /** full name */
  readonly name: string;
}

/** Refs of one repository; the branch of HEAD is always among them. */
const MOST_OF_ONE = 100;
const MOST_OF_ALL = 1_000;
/** Repositories after which the listing yields to the event loop. */
const TURN = 50;

/**
 * Returns the branches and tags to list, read without git: none where they are stored otherwise than in files. Linked
 * work trees share them, so that a later one lists only the branch of its HEAD.
 */
export async function listRefs(
  repositories: readonly Repository[],
  onPath: (path: string, kind: PathKind) => void = () => {},
): Promise<readonly ListedRef[]> {
  const listed: ListedRef[] = [];
  const shared = new Set<string>();
  for (const [index, repository] of repositories.entries()) {
    const room = Math.min(MOST_OF_ONE, MOST_OF_ALL - listed.length);
    if (room === 0) break;
    if (index % TURN === TURN - 1) await yieldToEventLoop();
    const { reach, commonIdentity } = repository;
    const trace = new Trace(reach);
    const names = namesOf(trace, repository, shared.has(commonIdentity) ? 0 : room);
    for (const [path, kind] of trace.paths) onPath(path, kind);
    shared.add(commonIdentity);
    if (trace.unusual) continue;
    for (const name of names) listed.push({ repository, name: nameOfByteString(name) });
  }
  return listed;
}

/** Returns the first names in their order, as many as fit, and in any case the branch of HEAD. */
function namesOf(trace: Trace, repository: Repository, room: number): readonly string[] {
  const refs = new RefFiles(trace, repository);
  if (trace.unusual) return [];
  const names = refs.first(room);
  const text = trace.read(join(repository.place.gitDir, 'HEAD'))?.toString('latin1').trimEnd() ?? '';
  const branch = /^ref:\s*(refs\/heads\/.+)$/s.exec(text)?.[1];
  if (branch === undefined || names.includes(branch) || !refs.has(branch)) return names;
  return [...names.slice(0, Math.max(0, room - 1)), branch].sort();
}
