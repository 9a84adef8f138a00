/** A table cell: its line of Markdown, its size and its alignment. */
export interface GridCell {
  readonly text: string;
  readonly columns: number;
  readonly rows: number;
  readonly isHead: boolean;
  readonly align: string | undefined;
}

const MOST_COLUMNS = 500;
const delimiters = new Map<string | undefined, string>([
  ['left', ':---'],
  ['center', ':---:'],
  ['right', '---:'],
]);
/** blank cells for each other cell, and for every table */
const BLANK_SHARE = 4;
const BLANKS = 1_000;

/** Places cells in their columns, with blank cells where others span; the number of blank cells is limited. */
function layGrid(rows: readonly (readonly GridCell[])[]): string[][] {
  let blanks = BLANKS;
  for (const row of rows) blanks += BLANK_SHARE * row.length;
  const until: number[] = [];
  return rows.map((row, index) => {
    const line: string[] = [];
    for (const cell of row) {
      while ((until[line.length] ?? 0) > index && blanks > 0) {
        line.push('');
        blanks -= 1;
      }
      const columns = Math.min(cell.columns, Math.max(1, MOST_COLUMNS - line.length), Math.max(1, blanks));
      for (let column = 0; column < columns; column++) {
        if (cell.rows > 1) until[line.length] = index + cell.rows;
        line.push(column === 0 ? cell.text : '');
      }
      blanks -= columns - 1;
    }
    return line;
  });
}

/** Returns a Markdown table; the first row is its head, or the head is blank. */
export function renderGrid(rows: readonly (readonly GridCell[])[], hasHead: boolean): string {
  const grid = layGrid(rows);
  let width = 1;
  for (const line of grid) {
    let end = line.length;
    while (end > 0 && line[end - 1] === '') end -= 1;
    if (end > width) width = end;
  }
  const head = hasHead ? grid[0]! : [];
  const body = hasHead ? grid.slice(1) : grid;
  let room = BLANKS + BLANK_SHARE * grid.reduce((sum, line) => sum + line.length, 0);
  const aligns = alignments(rows, width);
  const lines = [lineOf(head, width), `| ${aligns.join(' | ')} |`];
  for (const line of body) {
    const missing = Math.max(0, width - line.length);
    const fill = Math.min(missing, Math.max(0, room));
    room -= fill;
    lines.push(lineOf(line, Math.min(width, line.length + fill)));
  }
  return lines.join('\n');
}

function lineOf(cells: readonly string[], width: number): string {
  let line = '|';
  for (let at = 0; at < width; at++) {
    const text = cells[at] ?? '';
    line += text === '' ? '  |' : ` ${text} |`;
  }
  return line;
}

function alignments(rows: readonly (readonly GridCell[])[], width: number): string[] {
  const first = rows[0] ?? [];
  const aligns: string[] = [];
  for (const cell of first) {
    const align = delimiters.get(cell.align) ?? '---';
    for (let column = 0; column < cell.columns && aligns.length < width; column++) aligns.push(align);
    if (aligns.length >= width) break;
  }
  while (aligns.length < width) aligns.push('---');
  return aligns;
}
