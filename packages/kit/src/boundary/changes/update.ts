import type { Stats } from 'node:fs';
import { etagOf } from '../opening/etag.ts';
import { fromSystem, notFound, refuse } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { close } from '../verifying/handle.ts';
import { type ChangeOptions, type Content, readContent, writeContent } from './content.ts';
import { install } from './install.ts';
import { assertOneName } from './links.ts';
import { openToRead } from './open-to-change.ts';
import { assertSavable } from './overwrite.ts';
import { holdPlace } from './queue.ts';
import { assertMatch, brokenLinks, type Written } from './replace.ts';
import { perform, type Work, wait } from './work.ts';

export interface UpdateOptions extends ChangeOptions {
  /** the etag that the file must have */
  ifMatch?: string | undefined;
  /** bytes of the largest file that is read for this, 256 MiB unless given */
  maxBytes?: number | undefined;
}

export interface Updated extends Omit<Written, 'created'> {
  /** false when the change kept the content */
  readonly changed: boolean;
}

/** Returns the new content of a file for the old; undefined keeps the file. */
export type Change = (bytes: Buffer, stat: Stats) => Content | undefined | Promise<Content | undefined>;

const defaultMaxBytes = 256 * 1024 * 1024;

/**
 * Reads a file, lets `change` make the new content, and replaces the file when no other process changed it meanwhile.
 * Other changes of this process wait for it, so they never overtake each other; those of other processes make it fail.
 * A small file is changed without a pause; otherwise, or when `change` waits, the result is a promise.
 */
export function updateFile(
  scope: Scope,
  path: string,
  change: Change,
  options: UpdateOptions = {},
): Updated | Promise<Updated> {
  return perform(updating(scope, path, change, options), options);
}

function* updating(scope: Scope, path: string, change: Change, options: UpdateOptions): Work<Updated> {
  try {
    const { places, release } = yield* holdPlace(scope, path, true, options);
    try {
      const [place] = places;
      if (place.stat === undefined) throw notFound(path);
      const { fd, stat } = openToRead(place, path);
      let bytes: Buffer;
      try {
        assertOneName(stat, path, options.hardLinks);
        assertMatch(stat, options.ifMatch, path);
        const { maxBytes = defaultMaxBytes } = options;
        if (stat.size > maxBytes)
          throw refuse('too-large', path, `the limit for a change is ${maxBytes} bytes`);
        bytes = yield* readContent(fd, stat.size);
      } finally {
        close(fd);
      }
      const made = change(bytes, stat);
      const content = made instanceof Promise ? yield* wait(made) : made;
      if (content === undefined)
        return { changed: false, bytes: bytes.length, etag: etagOf(stat), path: place.path };
      let written = 0;
      assertSavable(place, path);
      const { stat: facts, ...kept } = yield* install(scope, place, path, {
        *fill(to) {
          written = yield* writeContent(to, content, options);
          return written;
        },
        like: stat,
        expect: stat,
        fsync: options.fsync,
      });
      return {
        changed: true,
        bytes: written,
        etag: etagOf(facts),
        path: place.path,
        ...brokenLinks(stat),
        ...kept,
      };
    } finally {
      release();
    }
  } catch (error) {
    throw fromSystem(error, path);
  }
}
