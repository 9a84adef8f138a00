import { join } from 'node:path';
import {
  type OpenDirectory,
  openChildFile,
  openDirectory,
  openFile,
  readEntries,
  type Scope,
  textOfBytes,
} from '@rootbound/kit/boundary';
import { ToolError } from '@rootbound/protocol';
import { type Header, readHeader } from './header.ts';

/** A database file found below a root. */
export interface FoundDatabase {
  /** its path in a form that tools accept */
  readonly path: string;
  readonly size: number;
  readonly readOnly: boolean;
  /** undefined for an empty file, which is an empty database */
  readonly header: Header | undefined;
  /** endings of side files beside it, such as `-wal` */
  readonly beside: readonly string[];
}

/** A step of the search: a folder about to be read, a database, or the entry limit reached. */
export type SearchStep =
  | { readonly folder: string }
  | { readonly database: FoundDatabase }
  | { readonly full: true };

export interface FindLimits {
  /** depth of folders below a root, default 6 */
  readonly depth?: number;
  /** most folder entries to read, default 50,000 */
  readonly entries?: number;
}

const usualName = /\.(?:db|db3|sqlite|sqlite3|s3db|sl3|sdb|gpkg|mbtiles)$/i;
const besideName = /-(?:journal|wal|shm)$/;
/** Depth to which files of any name are opened; below it only files with usual names. */
const LOOKED_INTO_DEPTH = 1;
/** Folders of other programs that are not searched. */
const skipped = new Set(['node_modules', '__pycache__']);

interface Level {
  readonly path: string;
  readonly depth: number;
}

/**
 * Yields the databases in the roots, those nearest to the roots first, each folder before it is read, and `full` at the
 * entry limit.
 */
export function* findDatabases(scope: Scope, limits: FindLimits = {}): Generator<SearchStep, void> {
  const { depth: deepest = 6, entries: most = 50_000 } = limits;
  const waiting: Level[] = scope.roots.map(({ real }) => ({ path: real, depth: 0 }));
  const seen = new Set<string>();
  let looked = 0;
  for (let at = 0; at < waiting.length; at++) {
    const { path, depth } = waiting[at]!;
    if (seen.has(path)) continue;
    seen.add(path);
    yield { folder: path };
    const folder = tryOpenFolder(scope, path);
    if (folder === undefined) {
      const file = depth === 0 ? rootFile(scope, path) : undefined;
      if (file !== undefined) yield { database: file };
      continue;
    }
    try {
      const listed = listFolder(folder, path, scope.hiddenIn(folder.path), most - looked);
      looked += listed.looked;
      for (const name of listed.files) {
        if (!usualName.test(name) && depth > LOOKED_INTO_DEPTH) continue;
        const database = readDatabase(folder, path, name, listed.beside);
        if (database !== undefined && !seen.has(database.path)) {
          seen.add(database.path);
          yield { database };
        }
      }
      if (looked >= most) return yield { full: true };
      if (depth < deepest)
        for (const name of listed.folders) waiting.push({ path: join(path, name), depth: depth + 1 });
    } finally {
      folder.close();
    }
  }
}

function tryOpenFolder(scope: Scope, path: string): OpenDirectory | undefined {
  try {
    return openDirectory(scope, path);
  } catch (error) {
    // a root that is a file, or a missing or unreadable folder
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function listFolder(folder: OpenDirectory, path: string, isDenied: (name: string) => boolean, most: number) {
  const files: string[] = [];
  const folders: string[] = [];
  const beside = new Set<string>();
  let looked = 0;
  try {
    for (const { name: displayName, bytes, kind } of readEntries(folder, path)) {
      if (++looked > most) break;
      const name = bytes === undefined ? displayName : textOfBytes(bytes);
      if (isDenied(name)) continue;
      if (kind === 'file') {
        if (besideName.test(name)) beside.add(name);
        else files.push(name);
      } else if (kind === 'directory' && !name.startsWith('.') && !skipped.has(name)) folders.push(name);
    }
  } catch (error) {
    // entries of an unreadable folder are skipped
    if (!(error instanceof ToolError)) throw error;
  }
  return { files: files.sort(), folders: folders.sort(), beside, looked };
}

function readDatabase(
  folder: OpenDirectory,
  path: string,
  name: string,
  beside: ReadonlySet<string>,
): FoundDatabase | undefined {
  try {
    const file = openChildFile(folder, name);
    if (file === undefined) return undefined;
    try {
      return databaseIn(file, join(path, name), usualName.test(name), (end) => beside.has(name + end));
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** Returns the database of a root that is a file; its side files are outside the root. */
function rootFile(scope: Scope, path: string): FoundDatabase | undefined {
  try {
    const file = openFile(scope, path);
    try {
      return databaseIn(file, path, true, () => false);
    } finally {
      file.close();
    }
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function databaseIn(
  { fd, stat: { size }, root }: { fd: number; stat: { size: number }; root: { readOnly: boolean } },
  path: string,
  emptyCounts: boolean,
  has: (end: string) => boolean,
): FoundDatabase | undefined {
  const header = size === 0 ? undefined : readHeader(fd, size);
  if (header === undefined && !(size === 0 && emptyCounts)) return undefined;
  const beside = ['-journal', '-wal', '-shm'].filter(has);
  return { path, size, readOnly: root.readOnly, header, beside };
}
