/** @typedef {import('./row.mjs').Finding} Finding */

const HEAD = ['workload', 'row', 'unit', 'ours', 'responder', 'others', 'ratio', 'must', 'aim', 'result'];

/**
 * Renders the findings as a table for a terminal, with notes below.
 * @param {readonly Finding[]} findings
 */
export function renderTable(findings) {
  const lines = findings.map(({ row, relative }) => [
    row.workload,
    row.row,
    row.unit,
    show(row.ours),
    show(row.responder),
    Object.entries(row.peers)
      .map(([name, value]) => `${name} ${show(value)}`)
      .join(', '),
    row.ratio === null ? '' : `${row.ratio.toFixed(2)}x`,
    row.must === null ? '' : limit(row.must, relative),
    row.aim === null ? '' : limit(row.aim, relative),
    result(row),
  ]);
  const widths = HEAD.map((title, i) => Math.max(title.length, ...lines.map((line) => line[i]?.length ?? 0)));
  const table = [HEAD, ...lines].map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = findings
    .filter(({ notes }) => notes.length > 0)
    .map(({ row, notes }) => `  ${row.workload}, ${row.row}: ${notes.join('; ')}`);
  return [...table, '', 'notes', ...notes, ''].join('\n');
}

/** @param {Finding['row']} row */
function result(row) {
  if (row.pass === null) return row.must === null ? '' : 'not run';
  if (!row.pass) return 'FAILS';
  const compared = row.ratio ?? row.ours ?? 0;
  return row.aim !== null && compared <= row.aim ? 'aim' : 'must';
}

/**
 * @param {number} value
 * @param {boolean} relative
 */
function limit(value, relative) {
  return relative ? `${value}x` : String(value);
}

/** @param {number | null} value */
function show(value) {
  return value === null ? '-' : String(value);
}
