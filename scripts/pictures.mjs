// npm run pictures: runs the commands of each picture in docs/pictures and draws their output; -- git draws only that one,
// -- map the map of the packages. Pages of clients need a chromium on the PATH, and VS Code also --code-server PROGRAM
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build, install, root } from './setup.mjs';

const { values: flags, positionals: wanted } = parseArgs({
  options: { 'only-draw': { type: 'boolean' }, 'code-server': { type: 'string' } },
  allowPositionals: true,
});
const isWanted = (/** @type {{ name: string }} */ { name }) => wanted.length === 0 || wanted.includes(name);
if (!flags['only-draw']) {
  install();
  // the map is drawn from the sources
  if (wanted.join() !== 'map') build();
}
// loaded after the installation of their packages
const { drawMap } = await import('./map.mjs');
const { record, scenes } = await import('./pictures/scenes.mjs');
const { screensWith } = await import('./pictures/screens.mjs');

const folder = join(root, 'docs', 'pictures');
mkdirSync(folder, { recursive: true });

if (isWanted({ name: 'map' })) keep('map.svg', drawMap(root));
for (const scene of scenes.filter(isWanted)) {
  const { svg, statuses } = await record(scene);
  const wrong = scene.steps.filter(([, status], at) => statuses[at] !== status);
  for (const [line] of wrong)
    process.stderr.write(`rootbound: this command ended with another status: ${line}\n`);
  if (wrong.length > 0) process.exitCode = 1;
  keep(`${scene.name}.svg`, svg);
}
for (const screen of screensWith(flags['code-server']).filter(isWanted))
  keep(`${screen.name}.png`, await screen.take());

/**
 * Writes a picture and prints its size.
 * @param {string} name
 * @param {string | Uint8Array} content
 */
function keep(name, content) {
  writeFileSync(join(folder, name), content);
  process.stdout.write(`${String(Buffer.byteLength(content)).padStart(7)}  ${name}\n`);
}
