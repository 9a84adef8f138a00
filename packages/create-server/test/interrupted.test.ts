import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { Place, root } from './place.ts';

const place = new Place();
const program = join(root, 'packages', 'create-server', 'dist', 'cli.js');

/** Runs the built program with a git that signals it when it is asked for a repository. */
function interruptedBy(signal: string): { status: number | null; stderr: string } {
  mkdirSync(place.at('bin'));
  const script = `#!/bin/sh\nif [ "$1" = init ]; then kill -${signal} $PPID; else exit 1; fi\n`;
  writeFileSync(place.at('bin', 'git'), script, { mode: 0o755 });
  mkdirSync(place.at('work'));
  return spawnSync(process.execPath, [program, 'my-server', '--git', '--no-install'], {
    cwd: place.at('work'),
    encoding: 'utf8',
    env: { ...process.env, PATH: `${place.at('bin')}${delimiter}${process.env.PATH}` },
  });
}

// git is a shell script here
test.runIf(process.platform !== 'win32').each(['INT', 'TERM', 'HUP'])(
  'SIG%s before it is done leaves nothing',
  (signal) => {
    expect(interruptedBy(signal)).toMatchObject({
      status: 130,
      stderr: expect.stringContaining('nothing was made'),
    });
    expect(place.entries('work')).toEqual([]);
  },
);

test.runIf(process.platform !== 'win32')(
  'one that is killed leaves nothing by the name that was asked for',
  () => {
    interruptedBy('KILL');
    expect(place.entries('work')).toEqual([expect.stringMatching(/^\.my-server-/)]);
  },
);
