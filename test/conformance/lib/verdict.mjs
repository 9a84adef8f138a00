/** @typedef {import('./results.mjs').Check} Check */

/**
 * The result of one scenario.
 * @typedef {object} Verdict
 * @property {string} set
 * @property {string} scenario
 * @property {boolean} scored
 * @property {'passed' | 'expected' | 'failed'} outcome
 * @property {number} succeeded how many checks succeeded
 * @property {number} judged how many checks succeeded, failed or warned
 * @property {Finding[]} findings checks that did not succeed
 */

/** @typedef {{ check: string, problem: string, reason: string | undefined }} Finding */

/** The name of the check of a scenario without any checks. */
const NOT_EXERCISED = 'not exercised';
/** The check that every scenario has. */
const OF_EVERY_SCENARIO = 'wire-schema-valid';

/**
 * Returns the verdict of one scenario: each failure must be explained, and each explained check must fail. An
 * explanation does not excuse a failed scored scenario.
 * @param {{ set: string, scenario: string, scored: boolean }} about
 * @param {readonly Check[] | undefined} checks undefined when the suite could not run it
 * @param {readonly import('./expected.mjs').Expectation[]} expectations those of this scenario
 * @returns {Verdict}
 */
export function decide(about, checks, expectations) {
  const judged = (checks ?? []).filter(({ status }) => /^(?:SUCCESS|FAILURE|WARNING)$/.test(status));
  const problems = new Map([...groundsOf(checks, judged), ...problemsOf(judged)]);
  const findings = [...problems].map(([check, problem]) => ({
    check,
    problem,
    reason: expectations.find((expectation) => expectation.check === check)?.reason,
  }));
  const stale = expectations
    .filter(({ check }) => !problems.has(check))
    .map(({ check }) => ({
      check,
      problem: 'succeeds, so its explanation must be removed',
      reason: undefined,
    }));
  const failed = problems.has(NOT_EXERCISED) || judged.some(({ status }) => status === 'FAILURE');
  return {
    ...about,
    outcome: outcomeOf([...findings, ...stale], failed, about.scored),
    succeeded: judged.filter(({ status }) => status === 'SUCCESS').length,
    judged: judged.length,
    findings: [...findings, ...stale],
  };
}

/**
 * Returns the outcome. A scenario with an explained warning passes.
 * @param {readonly Finding[]} findings
 * @param {boolean} failed
 * @param {boolean} scored
 */
function outcomeOf(findings, failed, scored) {
  if (findings.some(({ reason }) => reason === undefined) || (scored && failed)) return 'failed';
  return failed ? 'expected' : 'passed';
}

/**
 * Returns the reason why nothing was checked, if so.
 * @param {readonly Check[] | undefined} checks
 * @param {readonly Check[]} judged
 * @returns {[string, string][]}
 */
function groundsOf(checks, judged) {
  if (judged.some(({ id }) => id !== OF_EVERY_SCENARIO)) return [];
  const skipped = checks?.find(({ status }) => status === 'SKIPPED');
  const grounds = checks === undefined ? 'the suite could not run it' : 'nothing was checked';
  return [[NOT_EXERCISED, skipped === undefined ? grounds : `skipped: ${problemOf(skipped)}`]];
}

/**
 * Returns the problem of each check that failed or warned.
 * @param {readonly Check[]} judged
 * @returns {Map<string, string>}
 */
function problemsOf(judged) {
  const problems = new Map();
  for (const check of judged.filter(({ status }) => status !== 'SUCCESS')) {
    const problem = `${check.status.toLowerCase()}: ${problemOf(check)}`;
    const before = problems.get(check.id);
    problems.set(check.id, before === undefined ? problem : `${before}; ${problem}`);
  }
  return problems;
}

/** @param {Check} check */
function problemOf({ errorMessage, description }) {
  const [line = ''] = (errorMessage ?? description).replace(/^Skipped: /, '').split('\n');
  return line.length > 400 ? `${line.slice(0, 400)}...` : line;
}
