import { readdir } from 'node:fs';
import { type EntryKind, fromSystem, type OpenDirectory, readEntries } from '@rootbound/kit/boundary';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { byteName } from './names.ts';

/** A directory up to this many entries is read at once: a pause would cost more than the read. */
const FEW = 1000;
/** Names that are passed between two breaths of the event loop: a few milliseconds of work. */
const NAMES_PER_TURN = 65_536;

export type Kinds = ReadonlyMap<string, EntryKind>;

/** The names of a directory in byte order, and their characters altogether. */
export interface Names {
  readonly names: readonly string[];
  readonly characters: number;
  /** what each was when it was read; of a large directory only the names are read */
  readonly kinds: Kinds | undefined;
}

/**
 * All names of a directory in byte order, without those that `isHidden`; a large one is read and sorted beside the
 * event loop.
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

/** The thread pool reads the names, and on most systems brings them in byte order. */
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
    return unknown; // not a system error: it goes on as it is
  }
}
