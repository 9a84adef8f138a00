import { ToolError } from '@rootbound/protocol';
import type { Oid } from '../../run/oid.ts';

export type EntryKind = 'file' | 'executable' | 'link' | 'folder' | 'submodule';

/** An entry of a tree or of the index. */
export interface Entry {
  /** a byte string */
  readonly path: string;
  readonly mode: string;
  /** undefined for a folder of the index */
  readonly oid: Oid | undefined;
  /** for a conflict in the index: 1 base, 2 ours, 3 theirs */
  readonly stage: number;
  /** a folder whose tree is missing */
  readonly missing: boolean;
}

/** Entries in git's order, one by one. */
export interface Entries<Position> {
  /** undefined after the last, and when enough was read */
  next(): Promise<Entry | undefined>;
  /** the position after which `next` continues; undefined at the end */
  readonly position: Position | undefined;
  close(): void;
}

/** Returns whether a path contains no others. */
export class SingleEntry implements Entries<never> {
  #entry: Entry | undefined;
  readonly position = undefined;

  constructor(entry: Entry) {
    this.#entry = entry;
  }

  next(): Promise<Entry | undefined> {
    const entry = this.#entry;
    this.#entry = undefined;
    return Promise.resolve(entry);
  }

  close(): void {
    this.#entry = undefined;
  }
}

export const FOLDER = '040000';

const kinds: Readonly<Record<string, EntryKind>> = {
  '100755': 'executable',
  '120000': 'link',
  [FOLDER]: 'folder',
  '160000': 'submodule',
};

export function kindOf(mode: string): EntryKind {
  return kinds[mode] ?? 'file';
}

/** the object is known by its name alone */
export function notStored(what: string): ToolError {
  return new ToolError(`${what} is not stored here`, {
    code: 'not-found',
    hint: 'a partial clone has not fetched it, or the repository is damaged',
  });
}
