import { createHash } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { readSmall, statEntry, textOfBytes } from '@rootbound/kit/boundary';
import type { Opened } from '../../call/open-repository.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import type { Version } from '../../porcelain/status-entries.ts';
import { isNotFound } from '../../repository/refusals.ts';

const absent: Version = { mode: '000000', oid: undefined };
/** Bytes; larger files are not compared by their bytes. */
const MOST_BYTES = 4 << 20;

/** Returns git's mode for the file at a path; undefined for a folder, and for a file behind a link. */
export function versionAt({ repository: { place, reach } }: Opened, path: string): Version {
  const parts = bytesOfName(path).toString('latin1').split('/');
  const statOf = (count: number) => {
    const inside = textOfBytes(Buffer.from(parts.slice(0, count).join('/'), 'latin1'));
    return statEntry(reach, join(place.workTree!, inside)).stat;
  };
  try {
    for (let count = 1; count < parts.length; count++) if (!statOf(count).isDirectory()) return absent;
    const stat = statOf(parts.length);
    if (stat.isSymbolicLink()) return { mode: '120000', oid: undefined };
    if (!stat.isFile()) return absent;
    return { mode: (stat.mode & 0o100) === 0 ? '100644' : '100755', oid: undefined };
  } catch (error) {
    if (isNotFound(error)) return absent;
    throw error;
  }
}

/** Returns whether an untracked file or link has the bytes and the mode of a version. */
export function isSameFile(opened: Opened, path: string, seen: Version, { mode, oid }: Version): boolean {
  if (oid === undefined || seen.mode !== mode) return false;
  const bytes = mode === '120000' ? targetOf(opened, path) : contentOf(opened, path);
  if (bytes === undefined) return false;
  const hash = createHash(oid.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === oid;
}

function contentOf({ repository: { place, opened } }: Opened, path: string): Buffer | undefined {
  const file = join(place.workTree!, textOfBytes(bytesOfName(path)));
  return readSmall(opened.roots, file, MOST_BYTES)?.bytes;
}

function targetOf({ repository: { place } }: Opened, path: string): Buffer | undefined {
  try {
    const link = Buffer.concat([Buffer.from(`${place.workTree}/`), bytesOfName(path)]);
    return readlinkSync(link, { encoding: 'buffer' });
  } catch {
    // a link that cannot be read counts as different
    return undefined;
  }
}

/** Returns whether git, when it stages a file, takes its mode from the work tree and not from the index. */
export function readsModes({ repository: { settings } }: Opened): boolean {
  return ['core.filemode', 'core.symlinks'].every((key) => {
    const set = settings.obeyed.findLast((each) => each.key === key);
    return !/^(?:false|no|off|0|)$/i.test(set?.value ?? 'true');
  });
}
