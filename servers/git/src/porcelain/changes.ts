import { nameOfByteString, unquote } from './names.ts';
import { oidOf, recordsOf, unexpected } from './records.ts';
import type { Version } from './status-entries.ts';

const kinds = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  M: 'modified',
  R: 'renamed',
  T: 'type-changed',
  U: 'unmerged',
} as const;
export type ChangeKind = (typeof kinds)[keyof typeof kinds];

/** the numbers of lines, when asked for and where it is text */
export type Lines = { readonly added: number; readonly deleted: number } | 'binary' | undefined;

/** A path of a diff. A merge against all its parents has one old version for each of them. */
export interface Change {
  readonly path: string;
  readonly kind: ChangeKind;
  /** only for a rename or a copy: the source, and the similarity in percent */
  readonly from: { readonly path: string; readonly similarity: number } | undefined;
  readonly old: readonly Version[];
  /** without an object in the work tree */
  readonly new: Version;
  /** in a merge, against the first parent */
  readonly lines: Lines;
}

/** Reads the records of `--raw -z`, and of `--numstat` beside it. */
export function parseChanges(bytes: Buffer): Change[] {
  const tokens = recordsOf(bytes);
  const changes: Change[] = [];
  const counts = new Map<string, Lines>();
  for (let at = 0; at < tokens.length; ) {
    const read = tokens[at]!.startsWith(':') ? toChange(tokens, at) : undefined;
    if (read !== undefined) changes.push(read.change);
    // for a path in conflict only the second pair of numbers compares contents
    const counted = read === undefined ? toCount(tokens, at) : undefined;
    if (counted !== undefined) counts.set(counted.path, counted.lines);
    const next = (read ?? counted)?.next;
    if (next === undefined) break;
    at = next;
  }
  const unmerged = new Set(changes.filter(({ kind }) => kind === 'unmerged').map(({ path }) => path));
  return changes
    .filter(({ kind, path }) => kind === 'unmerged' || !unmerged.has(path))
    .map((change) => ({ ...change, lines: counts.get(change.path) }));
}

/** Reads lines of `--raw`, which quote names, before a patch. */
export function parseListing(bytes: Buffer): Change[] {
  const lines = bytes.toString('latin1').split('\n').filter(Boolean);
  return lines.map((line) => {
    const [facts, ...names] = line.split('\t');
    const plain = names.map((name) => (name.startsWith('"') ? unquote(name) : name));
    const read = toChange([facts!, ...plain], 0);
    if (read === undefined) throw unexpected('change');
    return read.change;
  });
}

/**
 * Returns the change whose record begins at an index, and the index of the next; undefined where the record is
 * incomplete.
 */
export function toChange(
  tokens: readonly string[],
  at: number,
): { readonly change: Change; readonly next: number } | undefined {
  const [, colons, rest] = /^\n?(:+)([^:].*)$/.exec(tokens[at]!) ?? [];
  if (colons === undefined) throw unexpected('change');
  const parents = colons.length;
  const fields = rest!.split(' ');
  const versions = Array.from({ length: parents + 1 }, (_, index) => ({
    mode: fields[index]!,
    oid: oidOf(fields[parents + 1 + index] ?? 'missing'),
  }));
  const letters = fields.at(-1)!;
  const twoNames = parents === 1 && /^[RC]/.test(letters);
  const [first, second] = [tokens[at + 1], tokens[at + 2]];
  const path = twoNames ? second : first;
  if (path === undefined) return undefined;
  const change = {
    path: nameOfByteString(path),
    kind: parents === 1 ? kindOf(letters[0]!) : kindOfMerged(versions),
    from: twoNames ? { path: nameOfByteString(first!), similarity: Number(letters.slice(1)) } : undefined,
    old: versions.slice(0, -1),
    new: versions.at(-1)!,
    lines: undefined,
  };
  return { change, next: at + (twoNames ? 3 : 2) };
}

function kindOf(letter: string): ChangeKind {
  const kind = kinds[letter as keyof typeof kinds];
  if (kind === undefined) throw unexpected('letter of a change');
  return kind;
}

function kindOfMerged(versions: readonly Version[]): ChangeKind {
  if (versions.at(-1)!.mode === '000000') return 'deleted';
  return versions.slice(0, -1).every(({ mode }) => mode === '000000') ? 'added' : 'modified';
}

function toCount(tokens: readonly string[], at: number) {
  const [, added, deleted, single] = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(tokens[at]!) ?? [];
  if (single === undefined) throw unexpected('count of lines');
  const path = single === '' ? tokens[at + 2] : single;
  if (path === undefined) return undefined;
  const lines: Lines = added === '-' ? 'binary' : { added: Number(added), deleted: Number(deleted) };
  return { path: nameOfByteString(path), lines, next: at + (single === '' ? 3 : 1) };
}
