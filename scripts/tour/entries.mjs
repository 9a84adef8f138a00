import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../setup.mjs';
import { cli } from './session.mjs';

const run = promisify(execFile);

const clients = [
  { name: 'Claude Desktop', option: 'claude-desktop' },
  { name: 'Claude Code', option: 'claude-code' },
  { name: 'VS Code', option: 'vscode' },
];

/**
 * Shows the entries with which clients start this checkout's server on this repository.
 * @param {import('./screen.mjs').Screen} screen
 */
export async function showEntries(screen) {
  const entries = await Promise.all(
    clients.map(async (client) => ({ ...client, ...(await entryFor(client.option)) })),
  );
  screen.section('In your client', 'put folders of your own in place of the last argument');
  for (const { name, place, text } of entries) screen.paste(name, place, text);
}

/** Returns the entry that the server prints for a client, and its place. @param {string} option */
async function entryFor(option) {
  const { stdout, stderr } = await run(process.execPath, [cli, '--print-config', option, root]);
  const [place = ''] = stderr.split('\n');
  const isJson = stdout.startsWith('{');
  return { place: place.replace(/:$/, ''), text: isJson ? stdout : stdout.split('\n', 1)[0] };
}
