// npm run versions: raises the versions that the changesets ask for, also in server.json, and writes the origin of the
// packages into them; --only-copy does not raise versions
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOrigin } from './origin.mjs';
import { install, pnpm, root } from './setup.mjs';

if (!process.argv.includes('--only-copy')) {
  install({ only: ['rootbound'] });
  pnpm(['changeset', 'version']);
}

for (const server of readdirSync(join(root, 'servers'))) {
  const file = join(root, 'servers', server, 'server.json');
  const { version } = JSON.parse(readFileSync(join(root, 'servers', server, 'package.json'), 'utf8'));
  // the text around the versions stays
  const text = readFileSync(file, 'utf8').replace(/("version": )"[^"]*"/g, `$1"${version}"`);
  writeFileSync(file, text);
}
copyOrigin(root);
