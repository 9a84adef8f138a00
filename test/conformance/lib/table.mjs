import { visible } from '../../../scripts/visible.mjs';

/** @typedef {import('./verdict.mjs').Verdict} Verdict */

/**
 * Returns one line per set and kind of scenario, with the numbers of passed scenarios and checks.
 * @param {readonly Verdict[]} verdicts
 */
export function renderTable(verdicts) {
  const rows = [['set', 'scenarios', 'checks', 'expected', 'failed']];
  for (const [title, group] of grouped(verdicts)) rows.push(rowOf(title, group));
  rows.push(rowOf('all', verdicts));
  const widths = (rows[0] ?? []).map((_cell, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) => row.map((cell, column) => pad(cell, widths[column] ?? 0, column)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/**
 * Returns every check that did not succeed, with its reason if it has one.
 * @param {readonly Verdict[]} verdicts
 */
export function renderFindings(verdicts) {
  const lines = [];
  for (const { set, scenario, outcome, findings } of verdicts) {
    for (const { check, problem, reason } of findings) {
      const word = outcome === 'failed' ? 'FAILED  ' : 'expected';
      const what = [set, scenario, check].map(visible).join(', ');
      lines.push(`${word} ${what}\n         ${visible(problem)}\n`);
      if (reason !== undefined) lines.push(`         because ${reason}\n`);
    }
  }
  return lines.join('');
}

/** @param {Verdict} verdict */
function titleOf({ set, scored }) {
  return scored ? set : `${set}, not scored`;
}

/** @param {readonly Verdict[]} verdicts */
function grouped(verdicts) {
  /** @type {Map<string, Verdict[]>} */
  const groups = new Map();
  for (const verdict of verdicts) {
    const title = titleOf(verdict);
    groups.set(title, [...(groups.get(title) ?? []), verdict]);
  }
  return groups;
}

/**
 * @param {string} title
 * @param {readonly Verdict[]} verdicts
 */
function rowOf(title, verdicts) {
  const count = (/** @type {Verdict['outcome']} */ outcome) =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length;
  const sum = (/** @type {'succeeded' | 'judged'} */ field) =>
    verdicts.reduce((all, verdict) => all + verdict[field], 0);
  return [
    title,
    `${count('passed')}/${verdicts.length}`,
    `${sum('succeeded')}/${sum('judged')}`,
    String(count('expected')),
    String(count('failed')),
  ];
}

/**
 * @param {string} cell
 * @param {number} width
 * @param {number} column
 */
function pad(cell, width, column) {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}
