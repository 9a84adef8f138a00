import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * A check of a scenario.
 * @typedef {object} Check
 * @property {string} id
 * @property {string} name
 * @property {'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'} status
 * @property {string} description
 * @property {string} [errorMessage]
 */

/** The last output of the fixture client if nothing failed. */
const ENDED_WELL = 'ended well\n';
/** The name of a scenario's result folder. */
const FOLDER = /^(?:server-)?(?<scenario>.+)-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/;

/**
 * Returns the checks of every scenario with results, by its name.
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
      if (scenario === undefined)
        throw new Error(`the suite named a result folder in an unknown way: ${path}`);
      const checks = JSON.parse(readFileSync(join(folder, path), 'utf8'));
      return [scenario, [...checks, ...endingOf(join(folder, dirname(path)))]];
    }),
  );
}

/**
 * Returns the check of a client's exit, which the suite does not check.
 * @param {string} folder of one scenario
 * @returns {Check[]}
 */
function endingOf(folder) {
  const words = join(folder, 'stdout.txt');
  if (!existsSync(words) || readFileSync(words, 'utf8').endsWith(ENDED_WELL)) return [];
  const errors = readFileSync(join(folder, 'stderr.txt'), 'utf8').split('\n');
  const error = errors.find((line) => /^\w*Error\b/.test(line)) ?? 'it was killed, or printed nothing';
  return [
    {
      id: 'client-ends-well',
      name: 'ClientEndsWell',
      status: 'FAILURE',
      description: 'The client exits by itself and without an error.',
      errorMessage: `the client failed: ${error}`,
    },
  ];
}
