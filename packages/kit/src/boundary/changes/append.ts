import { fchmodSync, fstatSync, ftruncateSync, type Stats } from 'node:fs';
import { etagOf } from '../opening/etag.ts';
import { namesFolder } from '../opening/paths.ts';
import type { Place } from '../opening/places.ts';
import { fromSystem, noFile, notFound, refuse } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { close } from '../verifying/handle.ts';
import { type ChangeOptions, contentOf, copyContent, type Making, sync, writeContent } from './content.ts';
import { install } from './install.ts';
import { assertOneName, otherNames } from './links.ts';
import { openToAppend, openToRead } from './open-to-change.ts';
import { holdPlace } from './queue.ts';
import { assertMatch, brokenLinks, makeParents, type Written } from './replace.ts';
import { perform, type Work } from './work.ts';

export interface AppendOptions extends ChangeOptions {
  /** the etag that the file must have */
  ifMatch?: string | undefined;
  /** creates missing folders above it */
  createParents?: boolean | undefined;
}

export interface Appended extends Written {
  /** of the whole file */
  readonly size: number;
}

/**
 * Appends content to a file, which is created when it is missing. The file grows in place: a concurrent reader may see
 * a part. A failure or a cancellation removes the part again, unless another process appended after it. A file with
 * other names is replaced instead, so that they keep the old content.
 */
export function appendFile(
  scope: Scope,
  path: string,
  content: Making,
  options: AppendOptions = {},
): Appended | Promise<Appended> {
  return perform(appending(scope, path, content, options), options);
}

function* appending(scope: Scope, path: string, content: Making, options: AppendOptions): Work<Appended> {
  try {
    if (namesFolder(path)) throw refuse('not-a-file', path, 'leave out the separator at the end');
    if (options.createParents && options.ifMatch === undefined)
      yield* makeParents(scope, path, options.fsync);
    const { places, release } = yield* holdPlace(scope, path, true, options);
    try {
      const [place] = places;
      const { stat } = place;
      if (stat === undefined) {
        if (options.ifMatch !== undefined) throw notFound(path);
        return yield* create(scope, place, path, content, options);
      }
      if (!stat.isFile()) throw noFile(path, stat);
      assertOneName(stat, path, options.hardLinks);
      return otherNames(stat) === 0
        ? yield* extend(place, path, content, options)
        : yield* replaceLonger(scope, place, path, content, options);
    } finally {
      release();
    }
  } catch (error) {
    throw fromSystem(error, path);
  }
}

function* create(
  scope: Scope,
  place: Place,
  path: string,
  content: Making,
  options: AppendOptions,
): Work<Appended> {
  const made = yield* contentOf(content, undefined);
  let bytes = 0;
  const { stat: facts } = yield* install(scope, place, path, {
    *fill(fd) {
      bytes = yield* writeContent(fd, made, options);
      return bytes;
    },
    exclusive: true,
    fsync: options.fsync,
  });
  return { created: true, bytes, size: facts.size, etag: etagOf(facts), path: place.path };
}

function* extend(place: Place, path: string, content: Making, options: AppendOptions): Work<Appended> {
  const open = openToAppend(place, path);
  const { fd, stat } = open;
  try {
    assertMatch(stat, options.ifMatch, path);
    // a second name that was created meanwhile would grow, too
    if (otherNames(stat) > 0) throw refuse('changed', path, 'repeat the call');
    const made = yield* contentOf(content, open);
    let bytes = 0;
    try {
      yield* writeContent(fd, made, options, (count) => {
        bytes += count;
      });
      const lostSetId = (stat.mode & 0o6000) !== 0;
      if (lostSetId) fchmodSync(fd, stat.mode & 0o1777);
      if (options.fsync) yield* sync(fd);
      const facts = fstatSync(fd);
      return {
        created: false,
        bytes,
        size: facts.size,
        etag: etagOf(facts),
        path: place.path,
        ...(lostSetId && { lostSetId }),
      };
    } catch (error) {
      takeBack(fd, stat, bytes);
      throw error;
    }
  } finally {
    close(fd);
  }
}

function takeBack(fd: number, before: Stats, bytes: number): void {
  try {
    if (bytes > 0 && fstatSync(fd).size === before.size + bytes) ftruncateSync(fd, before.size);
  } catch {
    // the caller gets the failure that caused this
  }
}

function* replaceLonger(
  scope: Scope,
  place: Place,
  path: string,
  content: Making,
  options: AppendOptions,
): Work<Appended> {
  const open = openToRead(place, path);
  const { fd, stat } = open;
  try {
    assertMatch(stat, options.ifMatch, path);
    const made = yield* contentOf(content, open);
    let bytes = 0;
    const { stat: facts, ...kept } = yield* install(scope, place, path, {
      *fill(to) {
        const copied = yield* copyContent(fd, to, stat.size, { fsync: options.fsync });
        bytes = yield* writeContent(to, made, options);
        return copied + bytes;
      },
      like: stat,
      expect: stat,
      fsync: options.fsync,
    });
    return {
      created: false,
      bytes,
      size: facts.size,
      etag: etagOf(facts),
      path: place.path,
      ...brokenLinks(stat),
      ...kept,
    };
  } finally {
    close(fd);
  }
}
