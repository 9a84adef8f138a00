import { readFileSync } from 'node:fs';

/** @typedef {import('./row.mjs').Finding} Finding */

const HEAD = `# Numbers

Written by \`npm run bench\`: each line is what the last run of that row found, and a run of some rows leaves the others as they are. \`ours\` and \`others\` are in the unit, ratios are ours over what the row is about; a row that is over its *must* says **fails**. Rows that nobody has measured since this page was begun are not in it.

| row | unit | ours | others | ratio | must | result | measured |
|---|---|---|---|---|---|---|---|
`;

/**
 * Returns the page of numbers with new findings, each in place of an older one of the same row.
 * @param {string} page as it is
 * @param {readonly Finding[]} findings
 * @param {string} measured when, and on what
 */
export function renderPage(page, findings, measured) {
  const lines = new Map(page.split('\n').flatMap((line) => entryOf(line)));
  for (const { row, relative } of findings) {
    const name = cell(`${row.workload}: ${row.row}`);
    const others = { ...(row.responder !== null && { responder: row.responder }), ...row.peers };
    const cells = [
      name,
      row.unit,
      cellOf(row.ours),
      Object.entries(others)
        .map(([who, value]) => `${who} ${cellOf(value)}`)
        .join(', '),
      row.ratio === null ? '' : `${row.ratio.toFixed(2)}x`,
      row.must === null ? '' : `${Number(row.must.toFixed(2))}${relative ? 'x' : ''}`,
      row.pass === null ? '' : row.pass ? 'holds' : '**fails**',
      measured,
    ];
    lines.set(name, `| ${cells.map(cell).join(' | ')} |`);
  }
  return `${HEAD}${[...lines.keys()]
    .sort()
    .map((name) => `${lines.get(name)}\n`)
    .join('')}`;
}

/** @param {string | URL} file */
export function readPage(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // created by the first run
    return '';
  }
}

/**
 * @param {string} line
 * @returns {[string, string][]}
 */
function entryOf(line) {
  const name = /^\| (.+?) \| /.exec(line)?.[1];
  return name === undefined || name === 'row' ? [] : [[name, line]];
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

/** @param {number | null} value */
function cellOf(value) {
  return value === null ? '-' : String(value);
}
