import { crc32 } from 'node:zlib';
import { pointersOf } from './cells.ts';
import type { FileSnapshot } from './file-snapshot.ts';

interface Node {
  above: number;
  /** pages that it points to, including whole overflow chains */
  below: readonly number[];
  readonly isOverflow: boolean;
  /** checksum of the page */
  readonly sum: number;
}

/** A page that its former parent no longer points to. */
type Unlinked = readonly [page: number, above: number];

/** The set of pages of a b-tree, updated from the pages that commits write. */
export class Tree {
  readonly root: number;
  /** Most pages that are tracked; the pages of a larger tree are unknown. */
  readonly most: number;
  readonly #nodes = new Map<number, Node>();

  constructor(snapshot: FileSnapshot, root: number, most: number) {
    this.root = root;
    this.most = most;
    this.#attach(snapshot, root, 0, []);
  }

  /** Whether the tree is too large to track: then any change may concern it. */
  get isUnknown(): boolean {
    return this.#nodes.size > this.most;
  }

  /** Number of known pages. */
  get size(): number {
    return this.#nodes.size;
  }

  /** Returns whether one of its pages has changed. */
  differs(snapshot: FileSnapshot): boolean {
    if (this.isUnknown) return true;
    for (const [page, { sum }] of this.#nodes) if (crc32(snapshot.page(page)) !== sum) return true;
    return false;
  }

  /**
   * Returns whether one of these pages belongs to the tree. Every change of a tree writes a page that it had before.
   */
  hasAny(pages: ReadonlySet<number>): boolean {
    if (this.isUnknown) return true;
    if (pages.size > this.#nodes.size) {
      for (const page of this.#nodes.keys()) if (pages.has(page)) return true;
      return false;
    }
    for (const page of pages) if (this.#nodes.has(page)) return true;
    return false;
  }

  /** Updates the tree from the written pages. */
  update(snapshot: FileSnapshot, written: ReadonlySet<number>): void {
    const done = new Set<number>();
    const unlinked: Unlinked[] = [];
    // a page may now belong to another tree, so only pages reached from the root are read; these may reach further ones
    for (;;) {
      const reached = [...written].filter((page) => this.#isDue(snapshot, page, written, done));
      if (reached.length === 0) break;
      for (const page of reached) {
        done.add(page);
        this.#reread(snapshot, page, unlinked);
      }
    }
    for (const [page, above] of unlinked) this.#drop(page, above);
    for (const page of written) this.#refreshSum(snapshot, page);
  }

  /** Updates the checksum of an overflow page, which may be written without its parent. */
  #refreshSum(snapshot: FileSnapshot, page: number): void {
    const node = this.#nodes.get(page);
    if (node?.isOverflow === true) this.#nodes.set(page, { ...node, sum: crc32(snapshot.page(page)) });
  }

  /** Updates the children of one page. */
  #reread(snapshot: FileSnapshot, page: number, unlinked: Unlinked[]): void {
    const before = this.#nodes.get(page)!.below;
    const below = this.#set(snapshot, page, this.#nodes.get(page)!.above, unlinked);
    for (const each of below) this.#attach(snapshot, each, page, unlinked);
    const now = new Set(this.#nodes.get(page)!.below);
    for (const each of before) if (!now.has(each)) unlinked.push([each, page]);
  }

  /** Reads a page and its overflow chains; returns its child pages. */
  #set(snapshot: FileSnapshot, page: number, above: number, unlinked: Unlinked[]): readonly number[] {
    const { below, chains, sum } = this.#read(snapshot, page);
    this.#nodes.set(page, { above, below: [...below, ...chains.keys()], isOverflow: false, sum });
    for (const [each, own] of chains) {
      // former children, if it was a page of another kind
      for (const left of this.#nodes.get(each)?.below ?? []) unlinked.push([left, each]);
      this.#nodes.set(each, { above: page, below: [], isOverflow: true, sum: own });
    }
    return below;
  }

  /** Adds a page below another, with its subtree if it is new. */
  #attach(snapshot: FileSnapshot, root: number, above: number, unlinked: Unlinked[]): void {
    const waiting: Unlinked[] = [[root, above]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [page, from] = next;
      const known = this.#nodes.get(page);
      if (known?.isOverflow === false) known.above = from;
      else if (!this.isUnknown)
        for (const each of this.#set(snapshot, page, from, unlinked)) waiting.push([each, page]);
    }
  }

  #isDue(
    snapshot: FileSnapshot,
    page: number,
    written: ReadonlySet<number>,
    done: ReadonlySet<number>,
  ): boolean {
    if (done.has(page) || this.#nodes.get(page)?.isOverflow !== false) return false;
    for (let at = page, steps = 0; steps < MOST_DEPTH; steps++) {
      if (at === this.root) return true;
      const above = this.#nodes.get(at)?.above;
      if (above === undefined) return false;
      if (written.has(above) && !this.#pointsTo(snapshot, above, at, done)) return false;
      at = above;
    }
    return false;
  }

  #pointsTo(snapshot: FileSnapshot, above: number, page: number, done: ReadonlySet<number>): boolean {
    const node = this.#nodes.get(above);
    if (node === undefined || node.isOverflow) return false;
    return (done.has(above) ? node.below : this.#read(snapshot, above).below).includes(page);
  }

  #drop(root: number, from: number): void {
    const waiting: Unlinked[] = [[root, from]];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [page, above] = next;
      const node = this.#nodes.get(page);
      // a page that now has another parent stays in the tree
      if (node === undefined || node.above !== above) continue;
      this.#nodes.delete(page);
      for (const each of node.below) waiting.push([each, page]);
    }
  }

  #read(snapshot: FileSnapshot, page: number): Read {
    const bytes = snapshot.page(page);
    const sum = crc32(bytes);
    const { header } = snapshot.stamp;
    if (header === undefined || bytes.length < header.pageSize) return { below: [], chains: new Map(), sum };
    const { below, overflow } = pointersOf(bytes, page, header.usable);
    const last = snapshot.pages;
    const inside = (each: number): boolean => each > 1 && each <= last;
    const chains = new Map<number, number>();
    for (const first of overflow)
      for (const [each, held] of chainOf(snapshot, first)) {
        chains.set(each, crc32(held));
        if (chains.size > this.most) break;
      }
    return { below: below.filter(inside), chains, sum };
  }
}

const MOST_DEPTH = 64;

interface Read {
  readonly below: readonly number[];
  /** overflow pages with their checksums */
  readonly chains: ReadonlyMap<number, number>;
  readonly sum: number;
}

/** Yields the pages of an overflow chain with their content. */
export function* chainOf(snapshot: FileSnapshot, first: number): Generator<[page: number, held: Buffer]> {
  const seen = new Set<number>();
  for (let page = first; page > 1 && page <= snapshot.pages && !seen.has(page); ) {
    seen.add(page);
    const held = snapshot.page(page);
    yield [page, held];
    if (held.length < 4) return;
    page = held.readUInt32BE(0);
  }
}
