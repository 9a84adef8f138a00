import { clientCommand, startServer } from './fixtures.mjs';
import { scenariosOf } from './sets.mjs';
import { decide } from './verdict.mjs';

/** @typedef {import('./referee.mjs').Referee} Referee */
/** @typedef {import('./sets.mjs').ScenarioSet} ScenarioSet */

/** Scenarios that measure time; the suite starts all clients of a set at once, which slows them down. */
const TIMED = ['sse-retry'];

/**
 * Returns the verdicts of a set's scenarios, and the output of the suite.
 * @param {Referee} referee
 * @param {ScenarioSet} set
 * @param {readonly import('./expected.mjs').Expectation[]} expectations
 */
export async function judgeSet(referee, set, expectations) {
  const { results, output } =
    set.role === 'server' ? await judgeServer(referee, set) : await judgeClient(referee, set);
  const unknown = [...results.keys()].filter((scenario) => !scenariosOf(set).includes(scenario));
  if (unknown.length > 0)
    throw new Error(`the suite ran scenarios that it did not list: ${unknown.join(', ')}`);
  const verdicts = scenariosOf(set).map((scenario) =>
    decide(
      { set: set.name, scenario, scored: set.scored.includes(scenario) },
      results.get(scenario),
      expectations.filter((expectation) => expectation.set === set.name && expectation.scenario === scenario),
    ),
  );
  return { verdicts, output };
}

/**
 * @param {Referee} referee
 * @param {ScenarioSet} set
 */
async function judgeServer(referee, { args }) {
  const { url, stop } = await startServer();
  try {
    return await referee.judge(['server', '--url', url, ...args]);
  } finally {
    await stop();
  }
}

/**
 * @param {Referee} referee
 * @param {ScenarioSet} set
 */
async function judgeClient(referee, { args, revision }) {
  const client = ['client', '--command', clientCommand];
  const judged = await referee.judge([...client, ...args]);
  for (const scenario of TIMED) {
    const checks = judged.results.get(scenario) ?? [];
    if (revision === undefined || !checks.some(({ status }) => /^(?:FAILURE|WARNING)$/.test(status)))
      continue;
    process.stderr.write(`${scenario} measures time, so it is run again alone\n`);
    const alone = await referee.judge([...client, '--scenario', scenario, '--spec-version', revision]);
    for (const [name, again] of alone.results) judged.results.set(name, again);
  }
  return judged;
}
