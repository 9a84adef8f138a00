import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readSmall, statEntry, textOfBytes } from '@rootbound/kit/boundary';
import type { Opened } from '../opened.ts';
import { bytesOfName } from '../porcelain/names.ts';
import type { Version } from '../porcelain/status-entries.ts';
import { isNotFound } from '../repository/refusals.ts';

const absent: Version = { mode: '000000', oid: undefined };
/** A larger file is not compared by its bytes. */
const MOST_BYTES = 4 << 20;

/** Returns the mode that git would have for the file at a path; a folder is none. */
export function versionAt({ repository: { place, reach } }: Opened, path: string): Version {
  try {
    const { stat } = statEntry(reach, placeOf(place.workTree!, path));
    if (stat.isSymbolicLink()) return { mode: '120000', oid: undefined };
    if (!stat.isFile()) return absent;
    return { mode: (stat.mode & 0o100) === 0 ? '100644' : '100755', oid: undefined };
  } catch (error) {
    if (isNotFound(error)) return absent;
    throw error;
  }
}

/** Whether the file at a path, which git does not track, has the bytes and the mode of a version. */
export function isSameFile(opened: Opened, path: string, seen: Version, { mode, oid }: Version): boolean {
  const { place, opened: boundary } = opened.repository;
  if (oid === undefined || seen.mode !== mode || !mode.startsWith('100')) return false;
  const bytes = readSmall(boundary.roots, placeOf(place.workTree!, path), MOST_BYTES)?.bytes;
  if (bytes === undefined) return false;
  const hash = createHash(oid.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === oid;
}

function placeOf(workTree: string, path: string): string {
  return join(workTree, textOfBytes(bytesOfName(path)));
}
