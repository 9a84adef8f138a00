import type { Stats } from 'node:fs';
import { type EntryKind, kindOf, type OpenDirectory, showName, statChild } from '@rootbound/kit/boundary';
import { formatBytes } from '@rootbound/kit/budget';
import { ToolError } from '@rootbound/protocol';
import { shownName, systemName } from './names.ts';

/** An entry of a directory as results carry it. */
export interface ListedEntry {
  name: string;
  bytes?: string;
  type: EntryKind;
  /** of files only: what a link's size tells is the length of its target */
  size?: number;
  modified?: string;
}

/** The facts of a name in an open directory; undefined when it is gone. */
export function entryOf(folder: OpenDirectory, name: string, details: boolean): ListedEntry | undefined {
  const stat = look(folder, name);
  if (stat === undefined) return undefined;
  // a directory that can be listed and not entered says no more than names
  return stat === 'hidden'
    ? { ...shownName(name), type: 'other' }
    : describeEntry(name, kindOf(stat), details ? stat : undefined);
}

/** An entry whose type the directory itself told. */
export function typedEntry(
  folder: OpenDirectory,
  name: string,
  type: EntryKind,
  details: boolean,
): ListedEntry {
  const stat = details ? look(folder, name) : undefined;
  return describeEntry(name, type, stat === 'hidden' ? undefined : stat);
}

function describeEntry(name: string, type: EntryKind, stat: Stats | undefined): ListedEntry {
  const modified = stat && isoTime(stat.mtimeMs);
  return {
    ...shownName(name),
    type,
    ...(stat !== undefined && type === 'file' && { size: stat.size }),
    ...(modified !== undefined && { modified }),
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
export function entryLine({ name, type, size, modified }: ListedEntry): string {
  const details = [size === undefined ? undefined : formatBytes(size), modified];
  return [`${tags[type]} ${showName(name)}`, ...details.filter((detail) => detail !== undefined)].join('  ');
}
