import { type Dir, type Dirent, lstatSync, opendirSync, readdirSync, type Stats } from 'node:fs';
import { decodeName } from '../names/names.ts';
import { fromSystem, isNotFound, systemCode } from '../scope/refusal.ts';
import type { Scope } from '../scope/scope.ts';
import { backendOf } from '../verifying/backend.ts';
import type { Sighting } from '../verifying/handle.ts';
import type { OpenDirectory } from './directories.ts';
import { firstFound } from './paths.ts';

export type EntryKind = 'file' | 'directory' | 'symlink' | 'other';

/** A name in a folder and its kind, without a look at the entry itself. */
export interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
  /** the name itself when it is not UTF-8; `name` then has the invalid bytes as \xNN */
  readonly bytes?: Buffer;
}

/** The facts of an entry itself; for a link also those of its target, when that is inside. */
export interface EntryFacts extends Sighting {
  readonly target?: Sighting;
}

/**
 * Yields the folder's entries in its own order, read as they are requested; `displayPath` names the folder in a
 * failure.
 */
export function* readEntries(folder: OpenDirectory, displayPath: string): Generator<Entry, void> {
  const path = folder.child('.');
  let given = 0;
  let stream: Dir | undefined;
  try {
    // Latin-1 keeps every byte of a name, at a third of the cost of buffers
    stream = opendirSync(path, { encoding: 'latin1' as BufferEncoding, bufferSize: 64 });
    for (let entry = stream.readSync(); entry !== null; entry = stream.readSync()) {
      given++;
      yield { ...decodeName(entry.name), kind: kindOf(entry) };
    }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw fromSystem(error, displayPath);
    // the file system gives no types, and Node's lstat instead does not find a Latin-1 name
    yield* readEntriesByName(folder, displayPath, given);
  } finally {
    stream?.closeSync();
  }
}

/** Does the same for a file system that gives no types: slower, with an lstat for each entry. */
export function* readEntriesByName(
  folder: OpenDirectory,
  displayPath: string,
  from = 0,
): Generator<Entry, void> {
  let names: Buffer[];
  try {
    names = readdirSync(folder.child('.'), { encoding: 'buffer' });
  } catch (error) {
    throw fromSystem(error, displayPath);
  }
  for (const bytes of names.slice(from)) {
    const stat = lstatSync(folder.child(bytes), { throwIfNoEntry: false });
    if (stat !== undefined) yield { ...decodeName(bytes.toString('latin1')), kind: kindOf(stat) };
  }
}

/** Returns a name's own facts, for a link its own; undefined when it is deleted. */
export function statChild(folder: OpenDirectory, name: string | Buffer): Stats | undefined {
  try {
    return lstatSync(folder.child(name), { throwIfNoEntry: false });
  } catch (error) {
    throw fromSystem(error, String(name));
  }
}

/**
 * Returns the facts of the entry that a path names, without following a final link; and of its target when that is
 * inside.
 */
export function statEntry(scope: Scope, path: string): EntryFacts {
  const backend = backendOf(scope);
  return firstFound(scope, path, (candidate) => {
    const own = backend.sight(scope, candidate, path, false);
    if (!own.stat.isSymbolicLink()) return own;
    try {
      return { ...own, target: backend.sight(scope, candidate, path, true) };
    } catch (error) {
      // outside, missing and unreachable targets look the same
      if (isNotFound(error) || systemCode(error) !== undefined) return own;
      throw error;
    }
  });
}

/** Returns the kind of entry that the facts describe. */
export function kindOf(facts: Dirent | Stats): EntryKind {
  if (facts.isFile()) return 'file';
  if (facts.isDirectory()) return 'directory';
  return facts.isSymbolicLink() ? 'symlink' : 'other';
}
