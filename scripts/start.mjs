// npm start: the tour; npm start -- <server> [args]: that server over stdio
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, install, root } from './setup.mjs';
import { visible } from './visible.mjs';

const [name, ...args] = process.argv.slice(2);
const server = name ?? 'filesystem';

if (!existsSync(join(root, 'servers', server, 'package.json'))) {
  process.stderr.write(
    `rootbound: there is no server ${visible(server)}; try npm start -- filesystem <folder>\n`,
  );
  process.exit(2);
}

const workspace = `@rootbound/server-${server}`;
install({ only: ['rootbound', `${workspace}...`] });
build({ only: [workspace] });

if (name === undefined) {
  const { tour } = await import('./tour.mjs');
  process.exitCode = await tour();
} else {
  const child = spawn(process.execPath, [join(root, 'servers', server, 'dist', 'cli.js'), ...args], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)));
}
