import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';
import { readDeclined } from './declined.ts';
import type { Proof } from './prove.ts';
import { printTally, tally } from './tally.ts';

/**
 * Prints the requirements that passed tests of this run have proved, and writes them as JSON to the file in
 * `REQUIREMENTS_JSON`. An invalid list of declined requirements fails the run.
 */
export default class RequirementsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const { counts, problems } = tally(proofsOf(modules), readDeclined());
    process.stdout.write(`\n${printTally(counts)}`);
    const file = process.env.REQUIREMENTS_JSON;
    if (file !== undefined) writeFileSync(file, `${JSON.stringify(counts, undefined, 2)}\n`);
    for (const problem of problems) process.stderr.write(`requirements: ${problem}\n`);
    if (problems.length > 0) process.exitCode = 1;
  }
}

function proofsOf(modules: readonly TestModule[]): Proof[] {
  return modules.flatMap((module) =>
    [...module.children.allTests('passed')].flatMap((test) => test.meta().proofs ?? []),
  );
}
