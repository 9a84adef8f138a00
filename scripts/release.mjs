// npm run release: builds and tests everything, then publishes what the version files name; --dry-run only lists it
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, install, pnpm, root } from './setup.mjs';

install();
build();
const { status } = spawnSync(process.execPath, [join(root, 'scripts', 'test.mjs'), '--only-run'], {
  stdio: 'inherit',
});
if (status !== 0) process.exit(status ?? 1);

const dry = process.argv.includes('--dry-run');
pnpm(dry ? ['pnpm', 'publish', '-r', '--dry-run', '--no-git-checks'] : ['changeset', 'publish']);
