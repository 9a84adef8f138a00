// npm run histories -- --from DIR: the git server against git itself on the repositories in a folder; --count N
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build, install, root } from './setup.mjs';

const { values } = parseArgs({
  options: { from: { type: 'string', default: root }, count: { type: 'string', default: '1000' } },
});
if (!/^\d{1,9}$/.test(values.count)) fail('--count is a number');
if (!statSync(values.from, { throwIfNoEntry: false })?.isDirectory()) fail('--from is a folder');

install();
build();

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const test = join(root, 'servers', 'git', 'test', 'proofs', 'real-history.test.ts');
const { status } = spawnSync(process.execPath, [vitest, 'run', test], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    ROOTBOUND_HISTORIES: resolve(values.from),
    ROOTBOUND_HISTORIES_COUNT: values.count,
  },
});
process.exitCode = status ?? 1;

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`rootbound: ${message}\n`);
  process.exit(2);
}
