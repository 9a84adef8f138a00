import { fstatSync, lstatSync, openSync, rmdirSync, type Stats, unlink, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { textOf } from '../names/bytes.ts';
import type { OpenDirectory } from '../opening/directories.ts';
import { type Entry, readEntries } from '../opening/entries.ts';
import { largeBytes } from '../opening/sizes.ts';
import { fromSystem, isNotFound, keeps, refuse, systemCode } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { backendOf } from '../verifying/backend.ts';
import { folderFlags } from '../verifying/flags.ts';
import { close } from '../verifying/handle.ts';
import { mountsBelow } from './mounts.ts';
import { steadfast, type Work, wait } from './work.ts';

/** A folder on the way through a tree, with its path as the client sees it. */
export interface Level {
  readonly folder: OpenDirectory;
  readonly displayPath: string;
}

/** The functions that a walk through a tree calls. */
export interface Visitor {
  /** makes the test for the entries of one folder: whether one is visited at all */
  takes?(level: Level): (entry: Entry) => boolean;
  /** called for an entry that is no folder */
  entry?(entry: Entry, level: Level, displayPath: string): Work<void>;
  /** called before the content of a folder */
  enter?(entry: Entry, sub: Level, level: Level): void;
  /** called after the content of a folder, which is open until then */
  leave?(entry: Entry, sub: Level, level: Level): Work<void>;
}

/** Returns the name of an entry for calls of the system. */
export function nameOf(entry: Entry): string | Buffer {
  return entry.bytes ?? entry.name;
}

// open folders at once, as each level holds one
const deepest = 500;

interface Frame {
  readonly level: Level;
  readonly entries: readonly Entry[];
  next: number;
  /** the entry of this folder in the one above */
  readonly of: Entry | undefined;
}

/** Walks through the content of a folder, from handle to handle and never through a link. */
export function* walk(scope: Scope, top: Level, visitor: Visitor): Work<void> {
  const frames: Frame[] = [yield* frameOf(top, visitor, undefined)];
  try {
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const entry = frame.entries[frame.next++];
      const { level } = frame;
      if (entry === undefined) {
        const above = frames.at(-2);
        // the top one belongs to the caller
        if (above !== undefined && frame.of !== undefined) {
          if (visitor.leave) yield* visitor.leave(frame.of, level, above.level);
          level.folder.close();
        }
        frames.pop();
        continue;
      }
      yield;
      const displayPath = `${level.displayPath}/${entry.name}`;
      if (entry.kind !== 'directory') {
        if (visitor.entry) yield* visitor.entry(entry, level, displayPath);
        continue;
      }
      if (frames.length >= deepest)
        throw refuse(
          'too-large',
          displayPath,
          `more than ${deepest} folders lie in one another; take the inner ones first`,
        );
      const sub = { folder: openListed(scope, level.folder, entry, displayPath), displayPath };
      try {
        visitor.enter?.(entry, sub, level);
        frames.push(yield* frameOf(sub, visitor, entry));
      } catch (error) {
        sub.folder.close();
        throw error;
      }
    }
  } finally {
    for (const { level, of } of frames) if (of !== undefined) level.folder.close();
  }
}

function* frameOf(level: Level, visitor: Visitor, of: Entry | undefined): Work<Frame> {
  const takes = visitor.takes?.(level);
  const entries: Entry[] = [];
  let looked = 0;
  for (const entry of readEntries(level.folder, level.displayPath)) {
    if (takes === undefined || takes(entry)) entries.push(entry);
    if (++looked % 64 === 0) yield;
  }
  return { level, entries, next: 0, of };
}

/** Opens a folder that existed a moment ago. */
function openListed(scope: Scope, parent: OpenDirectory, entry: Entry, displayPath: string): OpenDirectory {
  try {
    return openChildFolder(scope, parent, nameOf(entry), displayPath);
  } catch (error) {
    throw isNotFound(error) ? refuse('changed', displayPath, 'repeat the call', error) : error;
  }
}

/** Opens a folder in an open one, never through a link. */
export function openChildFolder(
  scope: Scope,
  parent: OpenDirectory,
  name: string | Buffer,
  displayPath: string,
): OpenDirectory {
  const { fd, stat } = openAndLook(parent.child(name), displayPath);
  const handle = { fd, path: join(parent.path, textOf(name)), root: parent.root, stat };
  const backend = backendOf(scope);
  let open = true;
  return {
    ...handle,
    child: (inner) => backend.child(handle, inner),
    close() {
      if (open) close(fd);
      open = false;
    },
  };
}

function openAndLook(path: string | Buffer, displayPath: string): { fd: number; stat: Stats } {
  let fd: number | undefined;
  try {
    fd = openSync(path, folderFlags);
    return { fd, stat: fstatSync(fd) };
  } catch (error) {
    if (fd !== undefined) close(fd);
    throw fromSystem(error, displayPath);
  }
}

// freeing the blocks of a large file takes long
const unlinking = promisify(unlink);

/** Removes a name that is no folder. */
export function* removeName(folder: OpenDirectory, name: string | Buffer): Work<void> {
  const stat = lstatSync(folder.child(name), { throwIfNoEntry: false });
  if (stat === undefined) return;
  if (stat.isFile() && stat.nlink === 1 && stat.size >= largeBytes) {
    yield steadfast;
    yield* wait(unlinking(folder.child(name)));
  } else unlinkSync(folder.child(name));
}

interface Removing {
  /** the folder's path for the client: a denied entry is not removed, even if it appeared only just now */
  readonly was?: string;
  /** called for each removed entry */
  removed?(): void;
}

/** Removes an empty folder. */
export function removeEmpty(parent: OpenDirectory, name: string | Buffer, displayPath: string): void {
  try {
    rmdirSync(parent.child(name));
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST')
      throw refuse('changed', displayPath, 'repeat the call', error);
    throw fromSystem(error, displayPath);
  }
}

/** Removes a folder with its content. */
export function* removeTree(
  scope: Scope,
  parent: OpenDirectory,
  name: string,
  displayPath: string,
  { was, removed }: Removing = {},
): Work<void> {
  const top = openChildFolder(scope, parent, name, displayPath);
  try {
    yield* walk(
      scope,
      { folder: top, displayPath },
      {
        takes({ folder }) {
          if (was === undefined) return () => true;
          const hides = scope.hiddenIn(was + folder.path.slice(top.path.length));
          return (entry) => {
            if (hides(textOf(nameOf(entry)))) throw keeps(displayPath);
            return true;
          };
        },
        *entry(entry, { folder }, where) {
          try {
            yield* removeName(folder, nameOf(entry));
          } catch (error) {
            throw fromSystem(error, where);
          }
          removed?.();
        },
        *leave(entry, sub, { folder }) {
          removeEmpty(folder, nameOf(entry), sub.displayPath);
          removed?.();
          yield;
        },
      },
    );
    removeEmpty(parent, name, displayPath);
    removed?.();
  } catch (error) {
    throw fromSystem(error, displayPath);
  } finally {
    top.close();
  }
}

/** The content of a tree. */
export interface Tally {
  /** entries that the caller may see, including folders, without the top */
  readonly entries: number;
  /** denied entries */
  readonly hidden: number;
  /** the first folder at which something is mounted */
  readonly mount: string | undefined;
}

/** Counts the content of a folder, as far as the caller may see it. */
export function* tally(scope: Scope, top: Level, most: number): Work<Tally> {
  let entries = 0;
  let hidden = 0;
  let mount: string | undefined;
  const isMount = mountsBelow(scope, top.folder);
  yield* walk(scope, top, {
    takes({ folder }) {
      const hides = scope.hiddenIn(folder.path);
      return (entry) => {
        const seen = !hides(textOf(nameOf(entry)));
        if (seen) entries++;
        else hidden++;
        if (entries > most)
          throw refuse(
            'too-large',
            top.displayPath,
            `the limit is ${most} entries; take its parts one by one`,
          );
        return seen;
      };
    },
    enter(_entry, sub) {
      if (isMount(sub.folder)) mount ??= sub.displayPath;
    },
  });
  return { entries, hidden, mount };
}
