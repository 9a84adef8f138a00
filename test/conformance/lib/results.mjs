import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * One thing that a scenario looked at.
 * @typedef {object} Check
 * @property {string} id
 * @property {string} name
 * @property {'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'} status
 * @property {string} description
 * @property {string} [errorMessage]
 */

/** What the fixture client prints last when nothing went wrong. */
const ENDED_WELL = 'ended well\n';
/** What the suite puts around the name of a scenario to name its folder. */
const FOLDER = /^(?:server-)?(?<scenario>.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/**
 * The checks of every scenario that wrote some, by its name.
 * @param {string} folder where the suite wrote them
 * @returns {Map<string, Check[]>}
 */
export function readResults(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('checks.json'),
  );
  return new Map(
    files.map((path) => {
      const scenario = FOLDER.exec(dirname(path).replaceAll('\\', '/'))?.groups?.scenario;
      if (scenario === undefined) throw new Error(`the suite named a folder in a new way: ${path}`);
      const checks = JSON.parse(readFileSync(join(folder, path), 'utf8'));
      return [scenario, [...checks, ...endingOf(join(folder, dirname(path)))]];
    }),
  );
}

/**
 * The suite does not look at how a client ends, so what does not end well is a check of our own.
 * @param {string} folder of one scenario
 * @returns {Check[]}
 */
function endingOf(folder) {
  const words = join(folder, 'stdout.txt');
  if (!existsSync(words) || readFileSync(words, 'utf8').endsWith(ENDED_WELL)) return [];
  const errors = readFileSync(join(folder, 'stderr.txt'), 'utf8').split('\n');
  const error = errors.find((line) => /^\w*Error\b/.test(line)) ?? 'it was stopped, or said nothing';
  return [
    {
      id: 'client-ends-well',
      name: 'ClientEndsWell',
      status: 'FAILURE',
      description: 'The client ends by itself, and without an error.',
      errorMessage: `the client did not end well: ${error}`,
    },
  ];
}
