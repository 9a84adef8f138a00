import { readdir } from 'node:fs';
import { type EntryKind, fromSystem, type OpenDirectory, readEntries } from '@rootbound/kit/boundary';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { byteName } from './names.ts';

/** A directory of up to this many entries is read synchronously: a thread costs more than the read. */
const FEW = 1000;
/** Names that are filtered in one turn of the event loop: a few milliseconds of work. */
const NAMES_PER_TURN = 65_536;

export type Kinds = ReadonlyMap<string, EntryKind>;

/** The names of a directory in byte order, and the sum of their lengths. */
export interface Names {
  readonly names: readonly string[];
  readonly characters: number;
  /** the type of each entry; undefined for a large directory, of which only names are read */
  readonly kinds: Kinds | undefined;
}

/**
 * Reads all names of a directory in byte order, without those for which `isHidden` returns true. A large directory is
 * read in the thread pool.
 */
export async function readNames(
  folder: OpenDirectory,
  path: string,
  isHidden: (name: string) => boolean,
): Promise<Names> {
  const kinds = readFew(folder, path);
  const all = kinds === undefined ? await readMany(folder, path) : [...kinds.keys()];
  const names: string[] = [];
  let characters = 0;
  let sorted = true;
  for (let index = 0; index < all.length; index++) {
    if (index > 0 && index % NAMES_PER_TURN === 0) await yieldToEventLoop();
    const name = all[index]!;
    if (isHidden(name)) continue;
    if (names.length > 0 && names[names.length - 1]! > name) sorted = false;
    names.push(name);
    characters += name.length;
  }
  return { names: sorted ? names : names.sort(), characters, kinds };
}

function readFew(folder: OpenDirectory, path: string): Kinds | undefined {
  const kinds = new Map<string, EntryKind>();
  for (const entry of readEntries(folder, path)) {
    if (kinds.size === FEW) return undefined;
    kinds.set(byteName(entry), entry.kind);
  }
  return kinds;
}

/** Reads names in the thread pool; most systems return them in byte order. */
function readMany(folder: OpenDirectory, path: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    readdir(folder.child('.'), 'latin1', (error, names) => {
      if (error === null) resolve(names);
      else reject(asRefusal(error, path));
    });
  });
}

function asRefusal(error: Error, path: string): unknown {
  try {
    return fromSystem(error, path);
  } catch (unknown) {
    return unknown; // not a system error
  }
}
