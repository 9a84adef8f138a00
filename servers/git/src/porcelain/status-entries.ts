import type { Oid } from '../run/oid.ts';
import { nameOfByteString } from './names.ts';
import { oidOf, unexpected } from './records.ts';

/** The state of one side of a path: same, modified, type changed, added, deleted, renamed, copied. */
export type Letter = '.' | 'M' | 'T' | 'A' | 'D' | 'R' | 'C';

export interface Modules {
  readonly newCommits: boolean;
  readonly modified: boolean;
  readonly untracked: boolean;
}

/** One version of a path: its mode in octal digits, and its object where there is one. */
export interface Version {
  readonly mode: string;
  readonly oid: Oid | undefined;
}

export interface Changed {
  readonly kind: 'changed';
  readonly path: string;
  readonly index: Letter;
  readonly worktree: Letter;
  readonly head: Version;
  readonly staged: Version;
  readonly worktreeMode: string;
  /** only of a submodule: its changes besides the commit */
  readonly submodule: Modules | undefined;
  /** only where a side is renamed or copied: the source, and the similarity in percent */
  readonly from: { readonly path: string; readonly similarity: number } | undefined;
}

export type Conflict = keyof typeof conflicts;

export interface Unmerged {
  readonly kind: 'unmerged';
  readonly path: string;
  readonly conflict: Conflict;
  readonly base: Version;
  readonly ours: Version;
  readonly theirs: Version;
  readonly worktreeMode: string;
  readonly submodule: Modules | undefined;
}

/** An untracked or ignored path; a folder in which all are ends in a slash. */
export interface Unknown {
  readonly kind: 'untracked' | 'ignored';
  readonly path: string;
}

export type StatusEntry = Changed | Unmerged | Unknown;

/** Parses an entry of one record: all but renames. */
export function toEntry(record: string): StatusEntry {
  const path = record.slice(2);
  switch (record.slice(0, 2)) {
    case '1 ':
      return toChanged(fieldsOf(record, 8));
    case 'u ':
      return toUnmerged(fieldsOf(record, 10));
    case '? ':
      return { kind: 'untracked', path: nameOfByteString(path) };
    case '! ':
      return { kind: 'ignored', path: nameOfByteString(path) };
    default:
      throw unexpected('kind of status entry');
  }
}

/** Splits a number of fields from the rest, which is the path with its blanks. */
function fieldsOf(record: string, count: number): string[] {
  const fields: string[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const end = record.indexOf(' ', at);
    if (end === -1) throw unexpected('status entry');
    fields.push(record.slice(at, end));
    at = end + 1;
  }
  fields.push(record.slice(at));
  return fields;
}

function toChanged(fields: readonly string[], from?: Changed['from']): Changed {
  const [, xy, submodule, headMode, indexMode, worktreeMode, headOid, indexOid] = fields;
  return {
    kind: 'changed',
    path: nameOfByteString(fields.at(-1)!),
    index: toLetter(xy![0]),
    worktree: toLetter(xy![1]),
    head: toVersion(headMode, headOid),
    staged: toVersion(indexMode, indexOid),
    worktreeMode: worktreeMode!,
    submodule: toModules(submodule!),
    from,
  };
}

/** Parses an entry of the two records of a rename or copy. */
export function toRenamed(record: string, from: string): Changed {
  const fields = fieldsOf(record, 9);
  return toChanged(fields, { path: nameOfByteString(from), similarity: Number(fields[8]!.slice(1)) });
}

/** Returns git's two letters for an entry. */
export const conflicts = {
  'both-deleted': 'DD',
  'added-by-us': 'AU',
  'deleted-by-them': 'UD',
  'added-by-them': 'UA',
  'deleted-by-us': 'DU',
  'both-added': 'AA',
  'both-modified': 'UU',
} as const;
const conflictOf = new Map(
  Object.entries(conflicts).map(([conflict, letters]) => [letters as string, conflict as Conflict]),
);

function toUnmerged(fields: readonly string[]): Unmerged {
  const [, xy, submodule, mode1, mode2, mode3, worktreeMode, oid1, oid2, oid3, path] = fields;
  const conflict = conflictOf.get(xy!);
  if (conflict === undefined) throw unexpected('kind of conflict');
  return {
    kind: 'unmerged',
    path: nameOfByteString(path!),
    conflict,
    base: toVersion(mode1, oid1),
    ours: toVersion(mode2, oid2),
    theirs: toVersion(mode3, oid3),
    worktreeMode: worktreeMode!,
    submodule: toModules(submodule!),
  };
}

function toLetter(letter: string | undefined): Letter {
  if (letter === undefined || !'.MTADRC'.includes(letter)) throw unexpected('status letter');
  return letter as Letter;
}

function toVersion(mode: string | undefined, oid: string | undefined): Version {
  return { mode: mode!, oid: oidOf(oid!) };
}

function toModules(field: string): Modules | undefined {
  if (!field.startsWith('S')) return undefined;
  return { newCommits: field[1] === 'C', modified: field[2] === 'M', untracked: field[3] === 'U' };
}
