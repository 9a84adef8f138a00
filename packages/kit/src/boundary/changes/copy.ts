import { readlinkSync, symlinkSync } from 'node:fs';
import { type OpenDirectory, openFolderAt } from '../opening/directories.ts';
import { type EntryKind, kindOf } from '../opening/entries.ts';
import { etagOf } from '../opening/etag.ts';
import { splitPlace } from '../opening/paths.ts';
import { assertEnding, choose } from '../opening/places.ts';
import { fromSystem, notFound, refuse } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { backendOf } from '../verifying/backend.ts';
import { close, type Sighting } from '../verifying/handle.ts';
import { isSameFile } from '../verifying/identity.ts';
import { copyFolder } from './copy-folder.ts';
import { type Copy, type CopyOptions, changed, copyWhole } from './copy-job.ts';
import { install, syncFolder } from './install.ts';
import { assertOneName } from './links.ts';
import { holdPlace } from './queue.ts';
import { perform, type Work } from './work.ts';

export interface Copied {
  /** its real path */
  readonly from: string;
  /** the real path of the copy */
  readonly to: string;
  readonly kind: EntryKind;
  /** the number of copied entries, including the top */
  readonly entries: number;
  /** of all files */
  readonly bytes: number;
  /** entries that were left out: denied ones, FIFOs, devices and sockets */
  readonly skipped: number;
  /** of a file */
  readonly etag?: string;
}

/**
 * Copies a file, a link (its text, wherever that leads) or a folder to a free name, never over anything. The copy
 * appears in one step when it is complete; a failure or a cancellation leaves nothing. Modes are kept; the owner,
 * times, access lists and extended attributes are those of new files.
 */
export function copyEntry(
  scope: Scope,
  from: string,
  to: string,
  options: CopyOptions = {},
): Copied | Promise<Copied> {
  return perform(copying(scope, from, to, options), options);
}

function* copying(scope: Scope, from: string, to: string, options: CopyOptions): Work<Copied> {
  const { seen } = choose(scope, from, false, notFound);
  if (seen === undefined) throw notFound(from);
  const { places, release } = yield* holdPlace(scope, to, false, options);
  try {
    const [target] = places;
    if (target.stat !== undefined) throw refuse('exists', to, 'choose a name that is free');
    assertEnding(from, seen.stat);
    assertEnding(to, seen.stat);
    const copy = { scope, from, to, seen, target, options };
    const kind = kindOf(seen.stat);
    if (kind === 'other') throw refuse('not-a-file', from, 'FIFOs, devices and sockets are not copied');
    const made =
      kind === 'directory'
        ? yield* copyFolder(copy)
        : { entries: 1, skipped: 0, ...(kind === 'file' ? yield* copyFile(copy) : copyLink(copy)) };
    if (options.fsync) yield* syncFolder(target.folder);
    return { from: seen.path, to: target.path, kind, ...made };
  } finally {
    release();
  }
}

function* copyFile({ scope, from, to, seen, target, options }: Copy): Work<{ bytes: number; etag: string }> {
  const { fd, stat } = backendOf(scope).openRegular(scope, seen.path, from);
  try {
    if (!isSameFile(stat, seen.stat)) throw changed(from);
    assertOneName(stat, from, options.hardLinks);
    let bytes = 0;
    const { stat: facts } = yield* install(scope, target, to, {
      *fill(into) {
        bytes = yield* copyWhole(fd, into, stat, from, options);
        return bytes;
      },
      mode: stat.mode & 0o777,
      exclusive: true,
      fsync: options.fsync,
    });
    return { bytes, etag: etagOf(facts) };
  } catch (error) {
    throw fromSystem(error, from);
  } finally {
    close(fd);
  }
}

function copyLink({ scope, from, to, seen, target }: Copy): { bytes: number } {
  const { folder: parent, name } = parentOf(scope, seen, from);
  try {
    symlinkSync(readlinkSync(parent.child(name), { encoding: 'buffer' }), target.folder.child(target.name));
    return { bytes: 0 };
  } catch (error) {
    throw fromSystem(error, to);
  } finally {
    parent.close();
  }
}

function parentOf(
  scope: Scope,
  seen: Sighting,
  displayPath: string,
): { folder: OpenDirectory; name: string } {
  const { folder, name } = splitPlace(seen.path);
  return { folder: openFolderAt(scope, folder, displayPath), name };
}
