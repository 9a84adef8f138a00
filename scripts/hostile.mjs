// npm run hostile: generated hostile repositories against the git server; --count N, --seed S
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, install, root } from './setup.mjs';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '200' }, seed: { type: 'string', default: `${Date.now()}` } },
});
for (const [name, value] of Object.entries(values))
  if (!/^\d{1,15}$/.test(value)) {
    process.stderr.write(`rootbound: --${name} is a number\n`);
    process.exit(2);
  }

install();
build();

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const test = join(root, 'servers', 'git', 'test', 'hostile', 'hostile.test.ts');
const { status } = spawnSync(process.execPath, [vitest, 'run', test], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ROOTBOUND_HOSTILE_COUNT: values.count, ROOTBOUND_HOSTILE_SEED: values.seed },
});
process.exitCode = status ?? 1;
