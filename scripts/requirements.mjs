// npm run requirements: lists the requirements of the specification that tests have proved; --json FILE writes them
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, install, root } from './setup.mjs';

const { values } = parseArgs({ options: { json: { type: 'string' } } });

install();
build();

const folder = join('test', 'requirements');
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const reporters = ['--reporter=dot', `--reporter=${join(root, folder, 'reporter.ts')}`];
const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, folder, ...testsThatProve()], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(values.json !== undefined && { REQUIREMENTS_JSON: resolve(values.json) }) },
});
process.exitCode = status ?? 1;

/** Returns the test files of other folders that prove requirements. */
function testsThatProve() {
  return ['packages', 'servers', 'test']
    .flatMap((parent) => testFiles(join(root, parent)))
    .filter((file) => readFileSync(file, 'utf8').includes('requirements/prove.ts'));
}

/**
 * @param {string} directory
 * @returns {string[]}
 */
function testFiles(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}
