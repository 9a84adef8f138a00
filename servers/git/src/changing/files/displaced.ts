import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName, nameOfByteString } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import { command } from '../../run/command.ts';
import { type Discarded, overwrittenBy } from '../safety/discarded.ts';
import { foldersAbove } from '../safety/nesting.ts';
import { naming } from '../safety/path-states.ts';
import type { Entry } from '../safety/staged.ts';
import { occupied } from '../safety/written-paths.ts';
import type { Effect } from './effects.ts';

/** The files that written files displace. */
export interface Displaced {
  readonly discarded: readonly Discarded[];
  /** files beside the paths that are restored */
  readonly files: readonly Effect[];
}

/** Returns the files that git would remove to make room; throws for a tracked file or a repository. */
export async function displacedBy(
  opened: Opened,
  coming: readonly string[],
  files: readonly Effect[],
): Promise<Displaced> {
  if (coming.length === 0) return { discarded: [], files: [] };
  const known = new Set(files.map(({ path }) => path));
  const differences = coming.map((path) => ({ path: bytesOfName(path).toString('latin1'), added: true }));
  const there = occupied(opened, differences, known);
  const tracked = (await trackedIn(opened, there)).filter((path) => !known.has(path));
  const discarded = await overwrittenBy(opened, coming);
  const repositories = discarded.map(({ path }) => path).filter((path) => path.endsWith('/'));
  refuse([...tracked, ...repositories]);
  const others = discarded.filter(({ path }) => !known.has(path));
  return { discarded, files: others.map(({ path }) => ({ path, change: 'deleted' })) };
}

/** Throws for entries that come into the index below a file that it has, and that git would remove for them. */
export async function refuseReplacing(opened: Opened, entries: readonly Entry[]): Promise<void> {
  const added = entries.flatMap(({ path, before }) => (before === undefined ? path : []));
  const restored = new Set(entries.map(({ path }) => path));
  const folders = foldersAbove(added).filter((folder) => !restored.has(folder));
  refuse(await trackedIn(opened, folders));
}

async function trackedIn(opened: Opened, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const wanted = new Set(names);
  const { stdout } = await opened.run(command('ls-files', { flags: ['-z', '--cached'] }));
  return recordsOf(stdout)
    .map(nameOfByteString)
    .filter((path) => wanted.has(path));
}

function refuse(paths: readonly string[]): void {
  if (paths.length === 0) return;
  throw new ToolError(`files are in the way of the restore: ${naming(paths)}`, {
    code: 'local-changes',
    hint: 'nothing was done; move it away, or restore that path, too',
  });
}
