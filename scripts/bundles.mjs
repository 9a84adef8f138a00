// npm run bundles: what each server's build weighs, as it is and compressed
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build, install, root } from './setup.mjs';

const servers = readdirSync(join(root, 'servers')).filter((name) =>
  existsSync(join(root, 'servers', name, 'package.json')),
);

install({ only: ['rootbound', ...servers.map((name) => `@rootbound/server-${name}...`)] });
build({ only: servers.map((name) => `@rootbound/server-${name}`) });

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
