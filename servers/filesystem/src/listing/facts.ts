import type { Stats } from 'node:fs';
import {
  type EntryKind,
  kindOf,
  type OpenDirectory,
  type Scope,
  showName,
  statChild,
} from '@rootbound/kit/boundary';
import { formatBytes } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import { shownName, systemName } from './names.ts';
import { targetOf } from './target.ts';

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
export interface Described {
  readonly scope: Scope;
  readonly folder: OpenDirectory;
  readonly details: boolean;
}

/** The facts of a name in an open directory; undefined when it is gone. */
export function entryOf(place: Described, name: string): ListedEntry | undefined {
  const stat = look(place.folder, name);
  if (stat === undefined) return undefined;
  // a directory that can be listed and not entered says no more than names
  return stat === 'hidden'
    ? { ...shownName(name), type: 'other' }
    : describe(place, name, kindOf(stat), stat);
}

/** An entry whose type the directory itself told. */
export function typedEntry(place: Described, name: string, type: EntryKind): ListedEntry {
  const stat = place.details ? look(place.folder, name) : undefined;
  return describe(place, name, type, stat === 'hidden' ? undefined : stat);
}

function describe(
  { scope, folder, details }: Described,
  name: string,
  type: EntryKind,
  stat: Stats | undefined,
): ListedEntry {
  const shown = shownName(name);
  if (!details || stat === undefined) return { ...shown, type };
  const modified = isoTime(stat.mtimeMs);
  // a path is text, so a link whose name is none cannot be followed by it
  const target =
    type === 'symlink' && shown.bytes === undefined ? targetOf(scope, folder, shown.name) : undefined;
  return {
    ...shown,
    type,
    ...(type === 'file' && { size: stat.size }),
    ...defined({ modified, target }),
  };
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
