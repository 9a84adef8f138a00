import { isIndex } from '../../call/arguments.ts';
import { bytesOfName } from '../../porcelain/names.ts';
import type { Objects } from '../../repository/objects.ts';
import { parseTree, type TreeEntry } from '../../repository/tree.ts';
import type { Oid } from '../../run/oid.ts';
import { type Entries, type Entry, notStored } from './entry.ts';

/** Trees read for one page: some name each other so often that no listing would end. */
const MAX_TREES = 5000;
const MAX_TREE_BYTES = 32 << 20;

/** For each folder on the way, from the top, the index of the next entry. Trees never change. */
export type WalkPosition = readonly number[];

export function isWalkPosition(value: unknown): value is WalkPosition {
  return Array.isArray(value) && value.every(isIndex);
}

export interface WalkOptions {
  readonly objects: Objects;
  readonly signal: AbortSignal;
  /** the path of the tree, as a byte string */
  readonly path: string;
  /** folders that many levels below the tree are listed and not opened */
  readonly depth: number;
  readonly from?: WalkPosition | undefined;
}

interface Level {
  readonly entries: readonly TreeEntry[];
  /** a pattern of the paths of its entries */
  readonly prefix: string;
  at: number;
}

/** The entries below a tree, read from its objects as far as they are requested. */
export class TreeWalk implements Entries<WalkPosition> {
  readonly #options: WalkOptions;
  readonly #levels: Level[] = [];
  readonly #from: number[];
  #read = 0;
  /** until it is open */
  #start: Oid | undefined;

  constructor(tree: Oid, options: WalkOptions) {
    this.#options = options;
    this.#start = tree;
    this.#from = [...(options.from ?? [])];
  }

  async next(): Promise<Entry | undefined> {
    if (this.#start !== undefined) {
      const { path } = this.#options;
      const isHere = await this.#open(this.#start, path === '' ? '' : `${path}/`);
      if (!isHere) throw notStored(`tree ${this.#start}`);
      this.#start = undefined;
    }
    while (this.#levels.length > 0 && this.#read <= MAX_TREES) {
      const level = this.#levels.at(-1)!;
      const entry = level.entries[level.at];
      if (entry === undefined) {
        this.#leave();
        continue;
      }
      const path = level.prefix + bytesOfName(entry.name).toString('latin1');
      const { mode, oid } = entry;
      const isOpened = entry.type === 'tree' && this.#levels.length < this.#options.depth;
      if (isOpened && (await this.#open(oid, `${path}/`))) continue;
      level.at += 1;
      return { path, mode, oid, stage: 0, missing: isOpened };
    }
    return undefined;
  }

  get position(): WalkPosition | undefined {
    while (this.#levels.length > 0 && isDone(this.#levels.at(-1)!)) this.#leave();
    return this.#levels.length === 0 ? undefined : this.#levels.map(({ at }) => at);
  }

  close(): void {
    this.#levels.length = 0;
  }

  /** Enters a folder; returns false when its tree is missing. */
  async #open(tree: Oid, prefix: string): Promise<boolean> {
    const { objects, signal } = this.#options;
    const contents = await objects.read(tree, MAX_TREE_BYTES, signal);
    if (contents?.bytes === undefined) return false;
    // the way to the position is no progress
    if (this.#from.length === 0) this.#read += 1;
    this.#levels.push({ entries: parseTree(contents.bytes, tree), prefix, at: this.#from.shift() ?? 0 });
    return true;
  }

  #leave(): void {
    this.#levels.pop();
    const above = this.#levels.at(-1);
    if (above !== undefined) above.at += 1;
  }
}

function isDone({ entries, at }: Level): boolean {
  return at >= entries.length;
}
