// npm run create -- <folder>: creates a server, or with --from a fork of one of ours, with the packages of this checkout
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, install, pnpm, root } from './setup.mjs';

const PACKED = ['@rootbound/protocol', '@rootbound/kit', '@rootbound/sqlite-node20'];
const creator = '@rootbound/create-server';
/** The folder of the user, to which paths are relative: npm runs scripts at the top of the repository. */
const { INIT_CWD = process.cwd() } = process.env;

install({ only: ['rootbound', ...[creator, ...PACKED].map((name) => `${name}...`)] });
build({ only: [creator, ...PACKED] });
const packages = mkdtempSync(join(tmpdir(), 'rootbound-packages-'));
try {
  const filters = PACKED.map((name) => `--filter=${name}`);
  pnpm(['pnpm', ...filters, 'pack', '--pack-destination', packages], { quiet: true });
  const program = join(root, 'packages', 'create-server', 'dist', 'cli.js');
  const own = ['--packages', packages, '--checkout', root];
  const { status } = spawnSync(process.execPath, [program, ...own, ...process.argv.slice(2)], {
    cwd: INIT_CWD,
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(packages, { recursive: true, force: true });
}
