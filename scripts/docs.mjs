// npm run docs: builds the documents as a site in docs/.vitepress/dist, with the reference of the packages' exports;
// -- --open serves it on this machine, at an address that it prints
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { install, root } from './setup.mjs';

const folder = join(root, 'docs');
install({ only: ['rootbound', '@rootbound/docs...'] });
const commands = [
  ['typedoc', 'bin/typedoc', '--options', 'docs/typedoc.json'],
  ['vitepress', 'bin/vitepress.js', 'build', 'docs'],
];
if (process.argv.includes('--open')) commands.push(['vitepress', 'bin/vitepress.js', 'preview', 'docs']);
for (const [name = '', program = '', ...args] of commands) {
  const path = join(folder, 'node_modules', name, program);
  const { status } = spawnSync(process.execPath, [path, ...args], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
