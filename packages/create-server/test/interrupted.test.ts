import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { Place, root } from './workshop.ts';

const place = new Place();
const program = join(root, 'packages', 'create-server', 'dist', 'cli.js');

/**
 * Runs the built program with a git and an npm of which one, asked for its first word, signals the program and then
 * stays until it is ended.
 */
function interruptedIn(word: 'init' | 'install', signal: string): { status: number | null; stderr: string } {
  mkdirSync(place.at('bin'));
  // what outlives a killed parent would keep its stderr open
  const stay = signal === 'KILL' ? '' : 'exec sleep 60';
  const script = `#!/bin/sh\n[ "$1" = ${word} ] || exit 1\nkill -${signal} $PPID\n${stay}\n`;
  for (const name of ['git', 'npm']) writeFileSync(place.at('bin', name), script, { mode: 0o755 });
  mkdirSync(place.at('work'));
  const what = word === 'init' ? ['--git', '--no-install'] : ['--no-git'];
  return spawnSync(process.execPath, [program, 'my-server', '--yes', ...what], {
    cwd: place.at('work'),
    encoding: 'utf8',
    env: { ...process.env, PATH: `${place.at('bin')}${delimiter}${process.env.PATH}` },
  });
}

// git and npm are shell scripts here
const onPosix = test.runIf(process.platform !== 'win32');

onPosix.each(['INT', 'TERM', 'HUP'])('SIG%s before it is done leaves nothing', (signal) => {
  const { status, stderr } = interruptedIn('init', signal);
  expect(stderr).toBe('create-server: ended, nothing was made\n');
  expect(status).toBe(130);
  expect(place.entries('work')).toEqual([]);
});

onPosix.each(['INT', 'TERM', 'HUP'])(
  'SIG%s while npm installs ends npm, keeps what was made and says what is left to do',
  (signal) => {
    const { status, stderr } = interruptedIn('install', signal);
    expect(stderr).toBe('create-server: npm install was ended; run it again in my-server\n');
    expect(status).toBe(130);
    expect(place.entries('work')).toEqual(['my-server']);
  },
);

onPosix('one that is killed leaves nothing by the name that was asked for', () => {
  interruptedIn('init', 'KILL');
  expect(place.entries('work')).toEqual([expect.stringMatching(/^\.my-server-/)]);
});
