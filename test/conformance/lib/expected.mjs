import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * A check that does not succeed, with the reason.
 * @typedef {object} Expectation
 * @property {string} set
 * @property {string} scenario
 * @property {string} check its id, or `not exercised` for a scenario in which nothing succeeds or fails
 * @property {string} reason
 */

const HEADING = '## What does not succeed, and why';

/**
 * Returns the table of the README, which lists these checks.
 * @returns {Expectation[]}
 */
export function readExpectations() {
  const text = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8');
  const section = text.split(HEADING)[1];
  if (section === undefined) throw new Error(`test/conformance/README.md has no heading "${HEADING}"`);
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [sets = '', scenario = '', check = '', reason = ''] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return unquoted(sets).map((set) => ({
        set,
        scenario: unquoted(scenario)[0] ?? '',
        check: unquoted(check)[0] ?? '',
        reason,
      }));
    });
}

/** @param {string} cell */
function unquoted(cell) {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text]) => /** @type {string} */ (text));
}
