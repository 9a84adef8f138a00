import { fchmodSync, fstatSync, ftruncateSync, readSync, type Stats } from 'node:fs';
import { ToolError } from '@rootbound/protocol';
import { etagOf } from '../etag.ts';
import { close } from '../handle.ts';
import { showName } from '../names/names.ts';
import { namesFolder } from '../paths.ts';
import type { Place } from '../places.ts';
import { fromSystem, noFile, notFound, refuse } from '../refusal.ts';
import type { Scope } from '../scope.ts';
import { type ChangeOptions, type Content, copyContent, sync, writeContent } from './content.ts';
import { install } from './install.ts';
import { assertOneName, otherNames } from './links.ts';
import { type OpenAt, openToAppend, openToRead } from './opening.ts';
import { holdPlace } from './queue.ts';
import { assertMatch, brokenLinks, makeParents, type Written } from './replace.ts';
import { perform, type Work } from './work.ts';

export interface AppendOptions extends ChangeOptions {
  /** the etag that the file must still have */
  ifMatch?: string | undefined;
  /** make the folders above that are missing */
  createParents?: boolean | undefined;
  /** the content is UTF-8: a file in another encoding is refused */
  text?: boolean | undefined;
}

export interface Appended extends Written {
  /** of the whole file */
  readonly size: number;
}

/**
 * Adds content at the end of a file, which is made when it is missing. The file grows in place: whoever reads at the
 * same time may see a part. What a failure or a cancellation leaves half done is taken back, unless somebody else
 * appended behind it. A file with other names is replaced instead, so that they keep the old content.
 */
export function appendFile(
  scope: Scope,
  path: string,
  content: Content,
  options: AppendOptions = {},
): Appended | Promise<Appended> {
  return perform(appending(scope, path, content, options), options);
}

function* appending(scope: Scope, path: string, content: Content, options: AppendOptions): Work<Appended> {
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
  content: Content,
  options: AppendOptions,
): Work<Appended> {
  let bytes = 0;
  const facts = yield* install(scope, place, path, {
    *fill(fd) {
      bytes = yield* writeContent(fd, content, options);
    },
    exclusive: true,
    fsync: options.fsync,
  });
  return { created: true, bytes, size: facts.size, etag: etagOf(facts), path: place.path };
}

function* extend(place: Place, path: string, content: Content, options: AppendOptions): Work<Appended> {
  const open = openToAppend(place, path);
  const { fd, stat } = open;
  try {
    assertExtendable(open, path, options);
    // a second name that came just now would grow too
    if (otherNames(stat) > 0) throw refuse('changed', path, 'repeat the call');
    let bytes = 0;
    try {
      yield* writeContent(fd, content, options, (count) => {
        bytes += count;
      });
      if (stat.mode & 0o6000) fchmodSync(fd, stat.mode & 0o777);
      if (options.fsync) yield* sync(fd);
      const facts = fstatSync(fd);
      return { created: false, bytes, size: facts.size, etag: etagOf(facts), path: place.path };
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
    // the failure that brought this about is what the caller learns
  }
}

function* replaceLonger(
  scope: Scope,
  place: Place,
  path: string,
  content: Content,
  options: AppendOptions,
): Work<Appended> {
  const open = openToRead(place, path);
  const { fd, stat } = open;
  try {
    assertExtendable(open, path, options);
    let bytes = 0;
    const facts = yield* install(scope, place, path, {
      *fill(to) {
        yield* copyContent(fd, to, stat.size, { fsync: options.fsync });
        bytes = yield* writeContent(to, content, options);
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
    };
  } finally {
    close(fd);
  }
}

function assertExtendable({ fd, stat }: OpenAt, path: string, { ifMatch, text }: AppendOptions): void {
  assertMatch(stat, ifMatch, path);
  if (!text || stat.size < 2) return;
  const mark = Buffer.alloc(2);
  readSync(fd, mark, 0, 2, 0);
  const word = mark.readUInt16BE();
  if (word !== 0xfffe && word !== 0xfeff) return;
  throw new ToolError(`UTF-8 cannot be appended to a UTF-16 file: ${showName(path)}`, {
    code: 'unsupported',
    hint: 'send UTF-16 bytes with encoding base64, or use edit_file',
  });
}
