import type { Blocks, Held } from './blocks.ts';
import type { Attributes } from './html-parser.ts';
import { type GridCell, renderGrid } from './table-grid.ts';

interface Cell {
  readonly held: readonly Held[];
  readonly isHead: boolean;
  readonly attributes: Attributes;
}

/** The cells of a table that is being read; whether it holds data is decided at its end. */
export class Table {
  readonly #rows: { readonly isHead: boolean; readonly cells: Cell[] }[] = [];

  startRow(isHead: boolean): void {
    this.#rows.push({ isHead, cells: [] });
  }

  add(held: readonly Held[], isHead: boolean, attributes: Attributes): void {
    if (this.#rows.length === 0) this.startRow(false);
    this.#rows[this.#rows.length - 1]!.cells.push({ held, isHead, attributes });
  }

  /** Writes a data table, or the cells of a layout table in sequence. */
  put(blocks: Blocks): void {
    const rows = this.#rows.filter(({ cells }) => cells.length > 0);
    if (!rows.some(({ cells }) => cells.some(({ held }) => held.length > 0))) return;
    if (!this.#isData(rows.map(({ cells }) => cells))) {
      for (const { cells } of rows) for (const { held } of cells) blocks.release(held);
      return;
    }
    const grid = rows.map(({ cells }) => cells.map(toGrid));
    const hasHead = rows[0]!.isHead || rows[0]!.cells.every(({ isHead }) => isHead);
    blocks.put({ kind: 'table', body: renderGrid(grid, hasHead) });
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
  const alignment =
    attributes.align ?? /text-align\s*:\s*(\w+)/.exec((attributes.style ?? '').slice(0, 500))?.[1];
  return {
    text: flatten(held),
    columns: span(attributes.colspan, 1_000),
    rows: span(attributes.rowspan, 65_534),
    isHead,
    align: alignment?.toLowerCase(),
  };
}

function span(value: string | undefined, most: number): number {
  const number = Number.parseInt(value ?? '1', 10);
  return number > 0 ? Math.min(number, most) : 1;
}

/** Returns blocks as one line of Markdown, for a cell. */
function flatten(held: readonly Held[]): string {
  const lines: string[] = [];
  for (const { block, first } of held) {
    if (block.kind === 'rule') continue;
    const marker = first.trim() === '' ? '' : `${first.trim()} `;
    const body = block.inCell?.() ?? block.body;
    body.split('\n').forEach((line, index) => {
      const text = line.trim();
      if (text !== '') lines.push(index === 0 ? marker + text : text);
    });
  }
  return lines.join('<br>').replaceAll('|', '\\|');
}
