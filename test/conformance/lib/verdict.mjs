/** @typedef {import('./results.mjs').Check} Check */

/**
 * What became of one scenario.
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

/** What stands for the check of a scenario in which nothing was looked at. */
const NOT_EXERCISED = 'not exercised';
/** The check that a scenario has whatever it looks at. */
const OF_EVERY_SCENARIO = 'wire-schema-valid';

/**
 * Decides over one scenario: what failed must be explained, and what is explained must have failed. An
 * explanation does not help a scored scenario that failed.
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
    .map(({ check }) => ({ check, problem: 'succeeds, so its explanation must go', reason: undefined }));
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
 * A warning that is explained does not keep a scenario from passing.
 * @param {readonly Finding[]} findings
 * @param {boolean} failed
 * @param {boolean} scored
 */
function outcomeOf(findings, failed, scored) {
  if (findings.some(({ reason }) => reason === undefined) || (scored && failed)) return 'failed';
  return failed ? 'expected' : 'passed';
}

/**
 * Why nothing was looked at, where that is so.
 * @param {readonly Check[] | undefined} checks
 * @param {readonly Check[]} judged
 * @returns {[string, string][]}
 */
function groundsOf(checks, judged) {
  if (judged.some(({ id }) => id !== OF_EVERY_SCENARIO)) return [];
  const skipped = checks?.find(({ status }) => status === 'SKIPPED');
  const grounds = checks === undefined ? 'the suite could not run it' : 'nothing was judged';
  return [[NOT_EXERCISED, skipped === undefined ? grounds : `skipped: ${saidOf(skipped)}`]];
}

/**
 * What each check that failed or warned says.
 * @param {readonly Check[]} judged
 * @returns {Map<string, string>}
 */
function problemsOf(judged) {
  const problems = new Map();
  for (const check of judged.filter(({ status }) => status !== 'SUCCESS')) {
    const said = `${check.status.toLowerCase()}: ${saidOf(check)}`;
    const before = problems.get(check.id);
    problems.set(check.id, before === undefined ? said : `${before}; ${said}`);
  }
  return problems;
}

/** @param {Check} check */
function saidOf({ errorMessage, description }) {
  const [line = ''] = (errorMessage ?? description).replace(/^Skipped: /, '').split('\n');
  return line.length > 400 ? `${line.slice(0, 400)}...` : line;
}
