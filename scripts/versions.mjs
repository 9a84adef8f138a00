// npm run versions: raises the versions that the changesets ask for, and those in what the MCP registry reads, and writes
// everywhere where the packages come from; --only-copy takes the versions of the packages as they are
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
  // the text around the versions stays as it is formatted
  const text = readFileSync(file, 'utf8').replace(/("version": )"[^"]*"/g, `$1"${version}"`);
  writeFileSync(file, text);
}
copyOrigin(root);
