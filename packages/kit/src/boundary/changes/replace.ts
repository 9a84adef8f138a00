import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { etagOf } from '../opening/etag.ts';
import { namesFolder } from '../opening/paths.ts';
import { choose, type Place } from '../opening/places.ts';
import { fromSystem, noFile, notFound, refuse } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { close } from '../verifying/handle.ts';
import {
  type Before,
  type ChangeOptions,
  type Content,
  contentOf,
  type Making,
  writeContent,
} from './content.ts';
import { makeFolders } from './folders.ts';
import { type Installation, install, type Kept } from './install.ts';
import { assertOneName, otherNames } from './links.ts';
import { openToRead } from './open-to-change.ts';
import { assertSavable } from './overwrite.ts';
import { holdPlace } from './queue.ts';
import { perform, type Work } from './work.ts';

export interface ReplaceOptions extends ChangeOptions {
  /** the etag that the file must have */
  ifMatch?: string | undefined;
  /** creates missing folders above it */
  createParents?: boolean | undefined;
  /** throws when anything exists there */
  exclusive?: boolean | undefined;
  /** the permissions of a new file; the system's default unless given */
  mode?: number | undefined;
}

export interface Written extends Kept {
  readonly created: boolean;
  readonly bytes: number;
  readonly etag: string;
  /** its real path */
  readonly path: string;
  /** other names of the file, which keep the old content; undefined when there are none */
  readonly brokenLinks?: number;
}

/**
 * Writes a whole file in one step. A final link inside the boundary leads to its target; mode and owner stay, and other
 * hard links keep the old content: they may be names outside. Content from 1 MiB on is written in pieces, and the
 * result is then a promise, as it is with `fsync` or when another change of the file is in progress.
 */
export function replaceFile(
  scope: Scope,
  path: string,
  content: Making,
  options: ReplaceOptions = {},
): Written | Promise<Written> {
  return perform(
    replacing(scope, path, (before) => contentFor(content, before, path, options), options),
    options,
  );
}

function* contentFor(
  making: Making,
  place: Place,
  path: string,
  options: ReplaceOptions,
): Work<(fd: number) => Work<number>> {
  const content = yield* makeContent(making, place, path);
  return (fd) => writeContent(fd, content, options);
}

function* makeContent(making: Making, place: Place, path: string): Work<Content> {
  if (typeof making !== 'function' || place.stat === undefined) return yield* contentOf(making, undefined);
  const before = new Look(place, path, place.stat);
  try {
    return yield* contentOf(making, before);
  } finally {
    before.close();
  }
}

/** A file that is opened when it is first read. */
class Look implements Before {
  readonly #place: Place;
  readonly #displayPath: string;
  readonly stat: Stats;
  #open: number | undefined;

  constructor(place: Place, displayPath: string, stat: Stats) {
    this.#place = place;
    this.#displayPath = displayPath;
    this.stat = stat;
  }

  get fd(): number {
    this.#open ??= openToRead(this.#place, this.#displayPath).fd;
    return this.#open;
  }

  close(): void {
    if (this.#open !== undefined) close(this.#open);
  }
}

/** Replaces a whole file by the content that `prepare` returns, and returns the number of bytes. */
export function* replacing(
  scope: Scope,
  path: string,
  prepare: (place: Place) => Work<(fd: number) => Work<number>>,
  options: ReplaceOptions,
  begun: () => Pick<Installation, 'staged' | 'leave'> = () => ({}),
): Work<Written> {
  const { ifMatch, fsync } = options;
  try {
    if (namesFolder(path)) throw refuse('not-a-file', path, 'leave out the separator at the end');
    if (options.createParents && ifMatch === undefined) yield* makeParents(scope, path, fsync);
    const { places, release } = yield* holdPlace(scope, path, true, options);
    try {
      const [place] = places;
      const { stat } = place;
      if (stat !== undefined && options.exclusive)
        throw refuse('exists', path, 'leave out exclusive to replace it');
      if (stat !== undefined && !stat.isFile()) throw noFile(path, stat);
      if (stat !== undefined) assertOneName(stat, path, options.hardLinks);
      assertMatch(stat, ifMatch, path);
      if (stat !== undefined) assertSavable(place, path);
      const fill = yield* prepare(place);
      let bytes = 0;
      const { stat: facts, ...kept } = yield* install(scope, place, path, {
        *fill(fd) {
          bytes = yield* fill(fd);
          return bytes;
        },
        like: stat,
        mode: options.mode,
        expect: ifMatch === undefined ? undefined : stat,
        exclusive: options.exclusive ?? false,
        fsync,
        ...begun(),
      });
      return {
        created: stat === undefined,
        bytes,
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

/** Creates the missing folders above a path. */
export function* makeParents(scope: Scope, path: string, fsync: boolean | undefined): Work<void> {
  const { candidate, seen } = choose(scope, path, true);
  if (seen === undefined && !scope.isRoot(candidate))
    yield* makeFolders(scope, dirname(candidate), path, fsync);
}

/** Throws when the file there has another etag than the caller expects. */
export function assertMatch(stat: Stats | undefined, ifMatch: string | undefined, path: string): void {
  if (ifMatch === undefined) return;
  if (stat === undefined) throw notFound(path);
  if (etagOf(stat) !== ifMatch) throw refuse('changed', path, 'read it again, then repeat the change');
}

/** Returns the result's member about other names of the replaced file. */
export function brokenLinks(stat: Stats | undefined): { brokenLinks?: number } {
  const others = stat === undefined ? 0 : otherNames(stat);
  return others === 0 ? {} : { brokenLinks: others };
}
