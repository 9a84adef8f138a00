// npm test: everything that needs Node and npm alone; --full adds soaks, long races and the version matrix;
// --only-run runs the tests that are built already, under this Node
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, pnpm, root } from './setup.mjs';

const flags = new Set(process.argv.slice(2));

if (!flags.has('--only-run')) {
  install();
  build();
  pnpm(['turbo', 'run', 'typecheck', 'lint', '//#lint:root', '--output-logs=errors-only']);
}

const folder = mkdtempSync(join(tmpdir(), 'rootbound-results-'));
const report = join(folder, 'results.json');
try {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(
    process.execPath,
    [vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...(flags.has('--full') && { ROOTBOUND_FULL: '1' }) },
    },
  );
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  const skipped = numPendingTests + numTodoTests;
  process.stdout.write(
    `\n${numPassedTests} passed, ${numFailedTests} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`,
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
