import { crc32 } from 'node:zlib';
import { pointersOf } from './cells.ts';
import type { FileSnapshot } from './file-snapshot.ts';

interface Node {
  above: number;
  /** pages that it points to; a chain of overflow pages as a whole */
  below: readonly number[];
  readonly isOverflow: boolean;
  /** of what it holds */
  readonly sum: number;
}

/** A page that another one does not point to any more. */
type Unlinked = readonly [page: number, above: number];

/** Which pages a b-tree has, kept up to date by looking at those that were written. */
export class Tree {
  readonly root: number;
  /** Of a tree with more pages it is not known which ones they are. */
  readonly most: number;
  readonly #nodes = new Map<number, Node>();

  constructor(snapshot: FileSnapshot, root: number, most: number) {
    this.root = root;
    this.most = most;
    this.#attach(snapshot, root, 0, []);
  }

  /** Whether it is too large to be followed: then any change may be one of it. */
  get isUnknown(): boolean {
    return this.#nodes.size > this.most;
  }

  /** Pages that are known. */
  get size(): number {
    return this.#nodes.size;
  }

  /** Whether one of its pages holds something else now. */
  differs(snapshot: FileSnapshot): boolean {
    if (this.isUnknown) return true;
    for (const [page, { sum }] of this.#nodes) if (crc32(snapshot.page(page)) !== sum) return true;
    return false;
  }

  /** Whether one of these pages is its own. Whatever changes a tree writes a page that it had before. */
  hasAny(pages: ReadonlySet<number>): boolean {
    if (this.isUnknown) return true;
    if (pages.size > this.#nodes.size) {
      for (const page of this.#nodes.keys()) if (pages.has(page)) return true;
      return false;
    }
    for (const page of pages) if (this.#nodes.has(page)) return true;
    return false;
  }

  /** Takes over what the written pages point to now. */
  update(snapshot: FileSnapshot, written: ReadonlySet<number>): void {
    const done = new Set<number>();
    const unlinked: Unlinked[] = [];
    // pages of other trees may stand where its own were, so only what is reached from the root is read; what is read
    // may reach others
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

  /** A page of a chain may be written without the one that points to it. */
  #refreshSum(snapshot: FileSnapshot, page: number): void {
    const node = this.#nodes.get(page);
    if (node?.isOverflow === true) this.#nodes.set(page, { ...node, sum: crc32(snapshot.page(page)) });
  }

  /** Takes over where one page points to. */
  #reread(snapshot: FileSnapshot, page: number, unlinked: Unlinked[]): void {
    const before = this.#nodes.get(page)!.below;
    const below = this.#set(snapshot, page, this.#nodes.get(page)!.above, unlinked);
    for (const each of below) this.#attach(snapshot, each, page, unlinked);
    const now = new Set(this.#nodes.get(page)!.below);
    for (const each of before) if (!now.has(each)) unlinked.push([each, page]);
  }

  /** Reads a page and its chains: the pages below it. */
  #set(snapshot: FileSnapshot, page: number, above: number, unlinked: Unlinked[]): readonly number[] {
    const { below, chains, sum } = this.#read(snapshot, page);
    this.#nodes.set(page, { above, below: [...below, ...chains.keys()], isOverflow: false, sum });
    for (const [each, own] of chains) {
      // what was below it when it was a page of another kind
      for (const left of this.#nodes.get(each)?.below ?? []) unlinked.push([left, each]);
      this.#nodes.set(each, { above: page, below: [], isOverflow: true, sum: own });
    }
    return below;
  }

  /** Puts a page below another, with all that is below it where it is new. */
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
      // one that hangs elsewhere now is still its own
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
  /** the pages of chains, and the sums of what they hold */
  readonly chains: ReadonlyMap<number, number>;
  readonly sum: number;
}

/** The pages of a chain of overflow pages, and what they hold, one after the other. */
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
