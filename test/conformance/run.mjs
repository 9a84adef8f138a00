import { parseArgs } from 'node:util';
import { readExpectations } from './lib/expected.mjs';
import { judgeSet } from './lib/judging.mjs';
import { Referee } from './lib/referee.mjs';
import { scenarioSets, scenariosOf } from './lib/sets.mjs';
import { renderFindings, renderTable } from './lib/table.mjs';

const HELP = `npm run conformance -- [options]

  --only TEXT      only the sets whose name contains TEXT (repeatable)
  --verbose        also prints the output of the suite
`;

process.exitCode = await main().catch((error) => {
  process.stderr.write(`conformance: ${error.message}\n`);
  return 1;
});

async function main() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', multiple: true, default: [] },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const verdicts = await judge(values);
  process.stdout.write(`\n${renderTable(verdicts)}\n${renderFindings(verdicts)}`);
  const count = (/** @type {string} */ outcome) =>
    verdicts.filter((verdict) => verdict.outcome === outcome).length;
  if (count('expected') > 0)
    process.stdout.write(`\n${count('expected')} more did not succeed, as expected\n`);
  process.stdout.write(`\n${count('passed')} passed, ${count('failed')} failed\n`);
  return count('failed') > 0 || verdicts.length === 0 ? 1 : 0;
}

/** @param {{ only: readonly string[], verbose: boolean }} options */
async function judge({ only, verbose }) {
  const referee = new Referee();
  const expectations = readExpectations();
  const sets = await scenarioSets(referee);
  assertKnown(sets, expectations);
  /** @type {import('./lib/verdict.mjs').Verdict[]} */
  const all = [];
  for (const set of sets) {
    if (only.length > 0 && !only.some((text) => set.name.includes(text))) continue;
    process.stderr.write(`${set.name}: ${scenariosOf(set).length} scenarios\n`);
    const { verdicts, output } = await judgeSet(referee, set, expectations);
    if (verbose) process.stderr.write(output);
    all.push(...verdicts);
  }
  return all;
}

/**
 * Throws for an explanation of a scenario that is not run, because it would never be found to be obsolete.
 * @param {readonly import('./lib/sets.mjs').ScenarioSet[]} sets
 * @param {readonly import('./lib/expected.mjs').Expectation[]} expectations
 */
function assertKnown(sets, expectations) {
  for (const { set, scenario } of expectations) {
    if (sets.some((known) => known.name === set && scenariosOf(known).includes(scenario))) continue;
    throw new Error(`README.md explains ${scenario} of ${set}, which the suite does not have`);
  }
}
