// npm run bundles: prints the size of each server's build, plain and compressed, and writes a bundle of each for Claude
// Desktop into the folder bundles, or --out DIR; --only-pack uses the existing builds
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build, install, root } from './setup.mjs';

const { values: flags } = parseArgs({
  options: { 'only-pack': { type: 'boolean' }, out: { type: 'string' } },
});
const out = flags.out === undefined ? join(root, 'bundles') : resolve(flags.out);

const servers = readdirSync(join(root, 'servers')).filter((name) =>
  existsSync(join(root, 'servers', name, 'package.json')),
);

if (!flags['only-pack']) {
  install({ only: ['rootbound', ...servers.map((name) => `@rootbound/server-${name}...`)] });
  build({ only: servers.map((name) => `@rootbound/server-${name}`) });
}
// loaded after the installation of its packages
const { makeBundle } = await import('./mcpb.mjs');
mkdirSync(out, { recursive: true });

for (const server of servers) {
  const dist = join(root, 'servers', server, 'dist');
  const files = readdirSync(dist)
    .filter((name) => name.endsWith('.js'))
    .map((name) => weigh(name, readFileSync(join(dist, name))))
    .sort((a, b) => b.bytes - a.bytes);
  process.stdout.write(`server-${server}: bytes, gzip\n`);
  for (const file of [...files, total(files)]) {
    process.stdout.write(
      `${String(file.bytes).padStart(9)} ${String(file.compressed).padStart(8)}  ${file.name}\n`,
    );
  }
  const { name, bytes } = await makeBundle(server);
  writeFileSync(join(out, name), bytes);
  process.stdout.write(`${String(bytes.length).padStart(18)}  ${name}\n`);
}

/**
 * @param {string} name
 * @param {Buffer} content
 */
function weigh(name, content) {
  return { name, bytes: content.length, compressed: gzipSync(content).length };
}

/** @param {{ bytes: number, compressed: number }[]} files */
function total(files) {
  const sum = (/** @type {'bytes' | 'compressed'} */ field) =>
    files.reduce((all, file) => all + file[field], 0);
  return { name: 'all', bytes: sum('bytes'), compressed: sum('compressed') };
}
