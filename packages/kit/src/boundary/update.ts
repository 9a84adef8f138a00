import type { Stats } from 'node:fs';
import { backendOf } from './backend.ts';
import { etagOf } from './etag.ts';
import { readSized } from './files.ts';
import { close } from './handle.ts';
import { install } from './install.ts';
import { openPlace, type Place } from './places.ts';
import { fromSystem, notFound, refuse } from './refusal.ts';
import { type Content, type Written, writeContent } from './replace.ts';
import type { Scope } from './scope.ts';

export interface UpdateOptions {
  /** the etag that the file must still have */
  ifMatch?: string;
  fsync?: boolean;
  /** the largest file that is read for this, 256 MiB unless given */
  maxBytes?: number;
}

export interface Updated extends Omit<Written, 'created'> {
  /** false when the change left the content as it was */
  readonly changed: boolean;
}

const defaultMaxBytes = 256 * 1024 * 1024;

/**
 * Reads a file, lets `change` make the new content, and replaces the file when nobody touched it meanwhile; undefined
 * from `change` leaves it alone. It runs without a pause, so changes of one process never overtake each other.
 */
export function updateFile(
  scope: Scope,
  path: string,
  change: (bytes: Buffer, stat: Stats) => Content | undefined,
  options: UpdateOptions = {},
): Updated {
  const place = openPlace(scope, path, true);
  try {
    if (place.stat === undefined) throw notFound(path);
    const { bytes, stat } = readAt(scope, place, path, options.maxBytes ?? defaultMaxBytes);
    if (options.ifMatch !== undefined && etagOf(stat) !== options.ifMatch)
      throw refuse('changed', path, 'read it again, then repeat the change');
    const content = change(bytes, stat);
    if (content === undefined)
      return { changed: false, bytes: bytes.length, etag: etagOf(stat), path: place.path };
    let written = 0;
    const facts = install(scope, place, path, {
      fill: (fd) => {
        written = writeContent(fd, content);
      },
      like: stat,
      expect: stat,
      fsync: options.fsync ?? false,
    });
    return { changed: true, bytes: written, etag: etagOf(facts), path: place.path };
  } catch (error) {
    throw fromSystem(error, path);
  } finally {
    place.folder.close();
  }
}

function readAt(scope: Scope, place: Place, shown: string, maxBytes: number): { bytes: Buffer; stat: Stats } {
  const handle = backendOf(scope).openRegular(scope, place.path, shown);
  try {
    if (handle.stat.size > maxBytes)
      throw refuse('too-large', shown, `the limit for a change is ${maxBytes} bytes`);
    return { bytes: readSized(handle.fd, handle.stat.size), stat: handle.stat };
  } finally {
    close(handle.fd);
  }
}
