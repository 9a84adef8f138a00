// npm run release: builds and tests everything, then publishes the packages whose version npm does not have; --dry-run
// only lists them, and with --only-run uses the existing builds
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build, install, pnpm, root } from './setup.mjs';
import { listRelease } from './shipment.mjs';

const flags = new Set(process.argv.slice(2));

if (!flags.has('--only-run')) {
  install();
  build();
}
if (flags.has('--dry-run')) process.stdout.write(`${await listRelease()}\n`);
else {
  const tests = [join(root, 'scripts', 'test.mjs'), '--only-run'];
  const { status } = spawnSync(process.execPath, tests, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  pnpm(['changeset', 'publish']);
}
