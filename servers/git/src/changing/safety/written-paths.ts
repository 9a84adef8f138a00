import { join } from 'node:path';
import { statEntry, textOfBytes } from '@rootbound/kit/boundary';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName, nameOfByteString } from '../../porcelain/names.ts';
import { recordsOf } from '../../porcelain/records.ts';
import { isNotFound } from '../../repository/refusals.ts';
import { command } from '../../run/command.ts';
import type { Oid } from '../../run/oid.ts';

/** A path that differs between two commits, as a byte string. */
export interface Difference {
  readonly path: string;
  /** true when only the second has it */
  readonly added: boolean;
}

/** Returns the paths that differ between two commits; all of the second where there is no first. */
export async function differencesOf(opened: Opened, from: Oid | undefined, to: Oid): Promise<Difference[]> {
  if (from === to) return [];
  if (from === undefined) {
    const { stdout } = await opened.run(
      command('ls-tree', { flags: ['-z', '-r', '--name-only', '--full-tree'], revisions: [to] }),
    );
    return recordsOf(stdout).map((path) => ({ path, added: true }));
  }
  const { stdout } = await opened.run(
    command('diff', {
      flags: ['--name-status', '-z', '--no-renames', '--ignore-submodules=none'],
      revisions: [from, to],
    }),
  );
  const records = recordsOf(stdout);
  const found: Difference[] = [];
  for (let at = 0; at + 1 < records.length; at += 2)
    found.push({ path: records[at + 1]!, added: records[at] === 'A' });
  return found;
}

/** Returns the names of existing files in the places where new paths are written, except those of `known`. */
export function occupied(
  opened: Opened,
  differences: readonly Difference[],
  known: ReadonlySet<string>,
): string[] {
  const tracked = new Set(differences.filter(({ added }) => !added).map(({ path }) => path));
  const kinds = new Map<string, 'missing' | 'folder' | 'other'>();
  const found = new Set<string>();
  for (const { path, added } of differences) {
    if (!added) continue;
    const parts = path.split('/');
    for (let count = 1; count <= parts.length; count++) {
      const part = parts.slice(0, count).join('/');
      const kind = kinds.get(part) ?? kindAt(opened, part);
      kinds.set(part, kind);
      if (kind === 'folder' && count < parts.length) continue;
      if (kind !== 'missing' && !tracked.has(part)) found.add(nameOfByteString(part));
      break;
    }
  }
  return [...found].filter((name) => !known.has(name));
}

/** Returns whether a file exists where one is to be written: at its path, or in the place of a folder above. */
export function isOccupied(opened: Opened, name: string): boolean {
  const path = bytesOfName(name).toString('latin1');
  return occupied(opened, [{ path, added: true }], new Set()).length > 0;
}

function kindAt({ repository: { place, reach } }: Opened, path: string): 'missing' | 'folder' | 'other' {
  try {
    const { stat } = statEntry(reach, join(place.workTree!, textOfBytes(Buffer.from(path, 'latin1'))));
    return stat.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    if (isNotFound(error)) return 'missing';
    throw error;
  }
}
