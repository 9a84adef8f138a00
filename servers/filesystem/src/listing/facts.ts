import type { Stats } from 'node:fs';
import { join, relative } from 'node:path';
import {
  type EntryKind,
  kindOf,
  type OpenDirectory,
  type Scope,
  showName,
  statChild,
  statEntry,
} from '@rootbound/kit/boundary';
import { formatBytes } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { displayName, systemName } from './names.ts';

/** An entry of a directory in a result. */
export interface ListedEntry {
  name: string;
  bytes?: string;
  type: EntryKind;
  /** of files only; the size of a link is the length of its target path */
  size?: number;
  modified?: string;
  /** the target of a link, if it is inside the roots */
  target?: string;
}

/** A directory whose entries are listed, and whether with sizes, times and targets. */
export interface DescribedDirectory {
  readonly scope: Scope;
  readonly folder: OpenDirectory;
  readonly details: boolean;
}

/** Returns the entry of a name in an open directory, or undefined if it no longer exists. */
export function entryOf(directory: DescribedDirectory, name: string): ListedEntry | undefined {
  const stat = statName(directory.folder, name);
  if (stat === undefined) return undefined;
  // a directory that can be listed but not entered gives names only
  return stat === 'hidden'
    ? { ...displayName(name), type: 'other' }
    : describe(directory, name, kindOf(stat), stat);
}

/** Returns an entry whose type is known from the directory. */
export function typedEntry(directory: DescribedDirectory, name: string, type: EntryKind): ListedEntry {
  const stat = directory.details ? statName(directory.folder, name) : undefined;
  return describe(directory, name, type, stat === 'hidden' ? undefined : stat);
}

function describe(
  { scope, folder, details }: DescribedDirectory,
  name: string,
  type: EntryKind,
  stat: Stats | undefined,
): ListedEntry {
  const displayed = displayName(name);
  if (!details || stat === undefined) return { ...displayed, type };
  const modified = isoTime(stat.mtimeMs);
  // paths are text, so a link whose name is not UTF-8 has no path to follow
  const target =
    type === 'symlink' && displayed.bytes === undefined ? targetOf(scope, folder, displayed.name) : undefined;
  return {
    ...displayed,
    type,
    ...(type === 'file' && { size: stat.size }),
    ...defined({ modified, target }),
  };
}

/**
 * Returns the target of a link in an open directory as a path below a root as it was given, with a slash after a
 * directory; undefined if the target is outside the roots or missing.
 */
function targetOf(scope: Scope, folder: OpenDirectory, name: string): string | undefined {
  try {
    const { target } = statEntry(scope, join(folder.path, name));
    if (target === undefined) return undefined;
    const path = join(target.root.path, relative(target.root.real, target.path));
    return target.stat.isDirectory() && !path.endsWith('/') ? `${path}/` : path;
  } catch (error) {
    if (error instanceof ToolError) return undefined; // deleted meanwhile, outside the roots, or denied
    throw error;
  }
}

/** Returns the lstat of a name; 'hidden' without the permission, undefined if it does not exist. */
export function statName(folder: OpenDirectory, name: string): Stats | 'hidden' | undefined {
  try {
    return statChild(folder, systemName(name));
  } catch (error) {
    if (error instanceof ToolError && error.code === 'permission') return 'hidden';
    if (error instanceof ToolError && error.code === 'not-found') return undefined;
    throw error;
  }
}

/** Returns a time in ISO 8601, or undefined if it is out of range. */
export function isoTime(ms: number): string | undefined {
  const date = new Date(Math.round(ms));
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

const tags: Readonly<Record<EntryKind, string>> = {
  file: '[FILE]',
  directory: '[DIR]',
  symlink: '[LINK]',
  other: '[OTHER]',
};

/** Returns an entry as one line of text. */
export function entryLine({ name, type, size, modified, target }: ListedEntry): string {
  const details = [
    size === undefined ? undefined : formatBytes(size),
    modified,
    target === undefined ? undefined : `-> ${showName(target)}`,
  ];
  return [`${tags[type]} ${showName(name)}`, ...details.filter((detail) => detail !== undefined)].join('  ');
}
