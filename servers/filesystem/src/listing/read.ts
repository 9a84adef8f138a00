import { readdir } from 'node:fs';
import { fromSystem, isStagingName, type OpenDirectory, readEntries } from '@rootbound/kit/boundary';
import { byteName } from './names.ts';

/** A directory up to this many entries is read at once: a pause would cost more than the read. */
const FEW = 1000;

/** All names of a directory in byte order, without ours for writing; a large one is read and sorted beside the event loop. */
export async function readNames(folder: OpenDirectory, shown: string): Promise<string[]> {
  const names = readFew(folder, shown) ?? (await readMany(folder, shown));
  return withoutStaging(isSorted(names) ? names : names.sort());
}

function readFew(folder: OpenDirectory, shown: string): string[] | undefined {
  const names: string[] = [];
  for (const entry of readEntries(folder, shown)) {
    if (names.length === FEW) return undefined;
    names.push(byteName(entry));
  }
  return names;
}

/** The thread pool reads the names, and on most systems brings them in byte order. */
function readMany(folder: OpenDirectory, shown: string): Promise<string[]> {
  return new Promise((resolve, reject) => {
    readdir(folder.child('.'), 'latin1', (error, names) => {
      if (error === null) resolve(names);
      else reject(asRefusal(error, shown));
    });
  });
}

function asRefusal(error: Error, shown: string): unknown {
  try {
    return fromSystem(error, shown);
  } catch (unknown) {
    return unknown; // not a system error: it goes on as it is
  }
}

function isSorted(names: readonly string[]): boolean {
  for (let index = 1; index < names.length; index++) if (names[index - 1]! > names[index]!) return false;
  return true;
}

function withoutStaging(names: string[]): string[] {
  // the prefix decides for nearly every name at a tenth of the cost
  return names.filter((name) => !(name.startsWith('.rootbound-') && isStagingName(name)));
}

/** Lets everything else that waits for the event loop go first. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
