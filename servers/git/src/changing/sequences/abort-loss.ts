import type { Opened } from '../../call/open-repository.ts';
import { parseMarkers } from '../../porcelain/conflict-markers.ts';
import { type ConflictedPath, parseConflicts } from '../../porcelain/conflicts.ts';
import { parseStatus, statusCommand } from '../../porcelain/status.ts';
import { hasMarkers } from '../../reading/state/conflict-facts.ts';
import { inWorkTree, markerSizes } from '../../reading/state/conflict-sources.ts';
import { command } from '../../run/command.ts';
import type { Loss } from '../safety/consent.ts';
import type { Standing } from './in-progress.ts';

export type Action = 'continue' | 'skip' | 'abort' | 'quit';

/** Paths that are named to the user at most. */
const MOST_NAMED = 10;

/** Returns the paths with the user's work that an abort or a skip discards: resolved conflicts and changed files. */
export async function lostBy(
  opened: Opened,
  { operation, conflicts }: Standing,
  action: Action,
): Promise<string[]> {
  if (operation === undefined || (action !== 'abort' && action !== 'skip')) return [];
  const lost = new Set<string>();
  const open = new Set(conflicts.map(({ path }) => path));
  // one that was opened again is remembered, too
  for (const path of await resolvedIn(opened)) if (!open.has(path)) lost.add(path);
  for (const path of await editedIn(opened, conflicts)) lost.add(path);
  // the others restore only their own changes
  const resetsAll = operation.kind === 'rebase' || action === 'skip';
  if (resetsAll || operation.amending === true) {
    const { stdout } = await opened.run(statusCommand({ untracked: 'none', renames: false }));
    for (const entry of parseStatus(stdout).entries) {
      if (entry.kind !== 'changed') continue;
      const staged = operation.amending === true && entry.index !== '.';
      if (staged || entry.worktree !== '.') lost.add(entry.path);
    }
  }
  return [...lost].sort();
}

export function lossOf(kind: string, action: Action, paths: readonly string[]): Loss | undefined {
  if (paths.length === 0) return undefined;
  const more = paths.length > MOST_NAMED ? ` and ${paths.length - MOST_NAMED} more` : '';
  return {
    question: `${action} the ${kind} and lose the work in ${paths.slice(0, MOST_NAMED).join(', ')}${more}?`,
    label: 'Lose it',
    facts: [kind, action, paths],
  };
}

/** the index remembers the conflicts that were resolved in it */
async function resolvedIn(opened: Opened): Promise<string[]> {
  const asked = command('ls-files', { flags: ['--resolve-undo', '-z'] });
  return parseConflicts((await opened.run(asked)).stdout).map(({ path }) => path);
}

/** Returns the files in conflict that have no markers any more. */
async function editedIn(opened: Opened, conflicts: readonly ConflictedPath[]): Promise<string[]> {
  const texts = conflicts.filter((one) => hasMarkers(one) && one.ours!.oid !== one.theirs!.oid);
  const sizes = await markerSizes(
    opened,
    texts.map(({ path }) => path),
  );
  const read = inWorkTree(opened);
  const edited: string[] = [];
  for (const { path, ours } of texts) {
    const bytes = await read(path);
    if (
      bytes === undefined ||
      parseMarkers(bytes, sizes.get(path)).regions.some(({ kind }) => kind === 'conflict')
    )
      continue;
    // git keeps our version of a file that it cannot merge, such as a binary one
    if (!(await isObject(opened, bytes, ours!.oid))) edited.push(path);
  }
  return edited;
}

async function isObject(opened: Opened, bytes: Buffer, oid: string): Promise<boolean> {
  const { stdout } = await opened.run(command('hash-object', { input: bytes }));
  return stdout.toString().trim() === oid;
}
