import { join } from 'node:path';
import {
  type OpenDirectory,
  openDirectory,
  readEntries,
  type Scope,
  statChild,
} from '@rootbound/kit/boundary';
import { isNotFound } from './refusals.ts';
import type { Repository } from './repository.ts';

/** An existing lock: a running git holds it, or a killed one left it. */
export interface Lock {
  /** its path in the git dir, or in the common dir */
  readonly name: string;
  readonly ageMs: number;
}

/** The places where git creates locks, besides one beside each ref. */
const places = ['', 'info', 'objects', 'objects/info', 'reftable', 'refs'];
/** Folders of refs that are searched at most. */
const mostFolders = 2_000;

/** Returns the locks of a repository. They are reported and never removed: no lock tells whether its owner is alive. */
export function findLocks({
  place,
  commonDir,
  reach,
}: Pick<Repository, 'place' | 'commonDir' | 'reach'>): Lock[] {
  const found = new Map<string, Lock>();
  for (const top of new Set([place.gitDir, commonDir])) {
    const waiting = [...places];
    for (let looked = 0; looked < mostFolders && waiting.length > 0; looked++) {
      const folder = waiting.pop()!;
      const { locks, folders } = lookIn(reach, join(top, folder));
      const prefix = folder === '' ? '' : `${folder}/`;
      for (const { name, ageMs } of locks) found.set(prefix + name, { name: prefix + name, ageMs });
      if (prefix.startsWith('refs/')) waiting.push(...folders.map((name) => prefix + name));
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function lookIn(reach: Scope, path: string): { locks: Lock[]; folders: string[] } {
  let folder: OpenDirectory;
  try {
    folder = openDirectory(reach, path);
  } catch (error) {
    // not every repository has each of them, and git removes empty ones
    if (isNotFound(error)) return { locks: [], folders: [] };
    throw error;
  }
  try {
    const locks: Lock[] = [];
    const folders: string[] = [];
    for (const { name, bytes = name, kind } of readEntries(folder, path)) {
      if (kind === 'directory') folders.push(name);
      if (kind !== 'file' || !name.endsWith('.lock')) continue;
      const stat = statChild(folder, bytes);
      // it may have vanished again
      if (stat !== undefined) locks.push({ name, ageMs: Math.max(0, Date.now() - stat.mtimeMs) });
    }
    return { locks, folders };
  } finally {
    folder.close();
  }
}

/** Returns the age of a lock in a readable unit. */
export function ageOf({ ageMs }: Lock): string {
  const seconds = Math.floor(ageMs / 1000);
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second']
      : seconds < 7_200
        ? [Math.floor(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.floor(seconds / 3_600), 'hour']
          : [Math.floor(seconds / 86_400), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
