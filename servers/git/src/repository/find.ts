import { join } from 'node:path';
import {
  type OpenDirectory,
  openDirectory,
  readEntries,
  type Scope,
  textOfBytes,
} from '@rootbound/kit/boundary';
import { yieldToEventLoop } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { scopeOfFiles } from './files.ts';
import { openRepository } from './open.ts';
import type { Allowed, Repository } from './repository.ts';

export interface FindLimits {
  /** folders below a root that are searched in depth, 6 unless given */
  readonly depth?: number;
  /** repositories that are reported at most, 200 unless given */
  readonly count?: number;
  /** folders that are searched at most, 20,000 unless given */
  readonly folders?: number;
  /** false to leave out repositories inside of others, true unless given */
  readonly nested?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** called with each folder that is searched */
  readonly onFolder?: (path: string) => void;
}

export interface Found {
  /** the higher ones first */
  readonly repositories: readonly Repository[];
  /** the paths of refused repositories, with the reasons */
  readonly refused: readonly { readonly path: string; readonly error: ToolError }[];
  /** whether a limit ended the search */
  readonly truncated: boolean;
}

/** Folders that programs fill and nobody edits. */
const skipped = new Set(['node_modules', '.git', '.hg', '.svn', '.cache', '.venv', '__pycache__']);
/** Folders after which the search yields to the event loop. */
const turnFolders = 100;

interface Level {
  readonly path: string;
  readonly depth: number;
  /** whether it is in a work tree: a bare repository there came with the files, and only its own path opens it */
  readonly inside: boolean;
}

/** Finds the repositories in the roots, nested ones too, and those that are refused. */
export async function findRepositories(
  scope: Scope,
  allowed: Allowed,
  limits: FindLimits = {},
): Promise<Found> {
  const { depth = 6, count = 200, folders = 20_000, nested = true, signal, onFolder } = limits;
  const repositories = new Map<string, Repository>();
  const refused: { path: string; error: ToolError }[] = [];
  const waiting: Level[] = scope.roots.map((root) => ({ path: root.real, depth: 0, inside: false }));
  const seen = new Set<string>();
  for (let at = 0; at < waiting.length; at++) {
    const level = waiting[at]!;
    if (seen.has(level.path)) continue;
    seen.add(level.path);
    if (seen.size > folders || repositories.size + refused.length >= count)
      return { repositories: [...repositories.values()], refused, truncated: true };
    if (at % turnFolders === turnFolders - 1) await yieldToEventLoop(signal);
    onFolder?.(level.path);
    const names = namesOf(scopeOfFiles(scope), level.path);
    if (names === undefined) continue;
    const isTop = names.dotGit;
    const isBare = !isTop && !level.inside && names.looksBare;
    let found = false;
    if (isTop || isBare) {
      try {
        const repository = openRepository(scope, level.path, allowed);
        repositories.set(repository.identity, repository);
        found = true;
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        found = error.code !== 'not-a-repository';
        if (found) refused.push({ path: level.path, error });
      }
    }
    if (isBare || (found && !nested) || level.depth >= depth) continue;
    const inside = level.inside || isTop;
    for (const name of names.folders)
      waiting.push({ path: join(level.path, name), depth: level.depth + 1, inside });
  }
  return { repositories: [...repositories.values()], refused, truncated: false };
}

interface Names {
  readonly dotGit: boolean;
  readonly looksBare: boolean;
  readonly folders: readonly string[];
}

function namesOf(scope: Scope, path: string): Names | undefined {
  let folder: OpenDirectory;
  try {
    folder = openDirectory(scope, path);
  } catch (error) {
    // deleted, denied, or not readable: nothing is found there
    if (error instanceof ToolError) return undefined;
    throw error;
  }
  const folders: string[] = [];
  const ofBare = new Set<string>();
  let dotGit = false;
  try {
    for (const { name, bytes, kind } of readEntries(folder, path)) {
      if (name === '.git') dotGit = true;
      if (name === 'HEAD' || name === 'objects' || name === 'refs') ofBare.add(name);
      if (kind === 'directory' && !skipped.has(name))
        folders.push(bytes === undefined ? name : textOfBytes(bytes));
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
  } finally {
    folder.close();
  }
  return { dotGit, looksBare: ofBare.size === 3, folders: folders.sort() };
}
