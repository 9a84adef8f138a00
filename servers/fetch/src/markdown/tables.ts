import { type Blocks, flatten, type Held } from './blocks.ts';
import type { Attributes } from './parse.ts';
import { type GridCell, renderTable } from './table.ts';

interface Cell {
  readonly held: readonly Held[];
  readonly isHead: boolean;
  readonly attributes: Attributes;
}

/** A table as its cells come; what it turns out to be shows at its end. */
export class Table {
  readonly isLayout: boolean;
  readonly #rows: { readonly isHead: boolean; readonly cells: Cell[] }[] = [];

  constructor(isLayout = false) {
    this.isLayout = isLayout;
  }

  /** One that only places what is in it: its cells are written as they come. */
  static layout(): Table {
    return new Table(true);
  }

  get isOpen(): boolean {
    return !this.isLayout;
  }

  startRow(isHead: boolean): void {
    if (!this.isLayout) this.#rows.push({ isHead, cells: [] });
  }

  add(held: readonly Held[], isHead: boolean, attributes: Attributes): void {
    if (this.#rows.length === 0) this.startRow(false);
    this.#rows[this.#rows.length - 1]!.cells.push({ held, isHead, attributes });
  }

  /** Writes it as a table, or its cells one after the other where it is none. */
  put(blocks: Blocks): void {
    const rows = this.#rows.filter(({ cells }) => cells.length > 0);
    if (!rows.some(({ cells }) => cells.some(({ held }) => held.length > 0))) return;
    if (!this.#isData(rows.map(({ cells }) => cells))) {
      for (const { cells } of rows) for (const { held } of cells) blocks.release(held);
      return;
    }
    const grid = rows.map(({ cells }) => cells.map(toGrid));
    const hasHead = rows[0]!.isHead || rows[0]!.cells.every(({ isHead }) => isHead);
    blocks.put({ kind: 'table', body: renderTable(grid, hasHead) });
  }

  #isData(rows: readonly (readonly Cell[])[]): boolean {
    let [heads, widest] = [0, 0];
    for (const row of rows) {
      let filled = 0;
      for (const { held, isHead } of row) {
        if (isHead) heads += 1;
        if (held.length > 0) filled += 1;
        if (held.some(({ block }) => block.kind === 'table' || (block.kind === 'heading' && !isHead)))
          return false;
        if (heads === 0 && held.some(({ block }) => block.kind === 'code')) return false;
      }
      widest = Math.max(widest, filled);
    }
    return heads > 0 || (rows.length > 1 && widest > 1);
  }
}

function toGrid({ held, isHead, attributes }: Cell): GridCell {
  const said = attributes.align ?? /text-align\s*:\s*(\w+)/.exec((attributes.style ?? '').slice(0, 500))?.[1];
  return {
    text: flatten(held),
    columns: span(attributes.colspan, 1_000),
    rows: span(attributes.rowspan, 65_534),
    isHead,
    align: said?.toLowerCase(),
  };
}

function span(value: string | undefined, most: number): number {
  const number = Number.parseInt(value ?? '1', 10);
  return number > 0 ? Math.min(number, most) : 1;
}
