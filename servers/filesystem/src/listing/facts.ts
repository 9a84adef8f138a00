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

/** An entry of a directory as results carry it. */
export interface ListedEntry {
  name: string;
  bytes?: string;
  type: EntryKind;
  /** of files only: what a link's size tells is the length of its target */
  size?: number;
  modified?: string;
  /** where a link leads, when that is inside */
  target?: string;
}

/** A directory whose entries are described, and whether with sizes, times and targets. */
export interface DescribedDirectory {
  readonly scope: Scope;
  readonly folder: OpenDirectory;
  readonly details: boolean;
}

/** The facts of a name in an open directory; undefined when it is gone. */
export function entryOf(directory: DescribedDirectory, name: string): ListedEntry | undefined {
  const stat = look(directory.folder, name);
  if (stat === undefined) return undefined;
  // a directory that can be listed and not entered says no more than names
  return stat === 'hidden'
    ? { ...displayName(name), type: 'other' }
    : describe(directory, name, kindOf(stat), stat);
}

/** An entry whose type the directory itself told. */
export function typedEntry(directory: DescribedDirectory, name: string, type: EntryKind): ListedEntry {
  const stat = directory.details ? look(directory.folder, name) : undefined;
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
  // a path is text, so a link whose name is none cannot be followed by it
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
 * Where a link in an open directory leads, in the words that the roots were given in, a directory with a slash at its
 * end; undefined when that is outside or missing.
 */
function targetOf(scope: Scope, folder: OpenDirectory, name: string): string | undefined {
  try {
    const { target } = statEntry(scope, join(folder.path, name));
    if (target === undefined) return undefined;
    const path = join(target.root.path, relative(target.root.real, target.path));
    return target.stat.isDirectory() && !path.endsWith('/') ? `${path}/` : path;
  } catch (error) {
    if (error instanceof ToolError) return undefined; // gone meanwhile, or not for the caller
    throw error;
  }
}

/** The facts of a name itself, a link's its own. */
export function look(folder: OpenDirectory, name: string): Stats | 'hidden' | undefined {
  try {
    return statChild(folder, systemName(name));
  } catch (error) {
    if (error instanceof ToolError && error.code === 'permission') return 'hidden';
    if (error instanceof ToolError && error.code === 'not-found') return undefined;
    throw error;
  }
}

/** An ISO 8601 time, or undefined for one that no calendar holds. */
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

/** An entry as one line of text. */
export function entryLine({ name, type, size, modified, target }: ListedEntry): string {
  const details = [
    size === undefined ? undefined : formatBytes(size),
    modified,
    target === undefined ? undefined : `-> ${showName(target)}`,
  ];
  return [`${tags[type]} ${showName(name)}`, ...details.filter((detail) => detail !== undefined)].join('  ');
}
