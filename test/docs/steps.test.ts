import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './documents.ts';

const without = (program: string): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !existsSync(join(folder, program)))
    .join(delimiter);

test.each(['build', 'typecheck', 'lint'])('npm run %s needs Node and npm alone', (step) => {
  // what would be done: doing it would change what other tests read meanwhile
  const { status, stderr } = spawnSync('npm', ['run', '--silent', step, '--', '--dry'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: without('pnpm') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  expect([status, stderr]).toEqual([0, expect.stringMatching(new RegExp(`^ +Task += ${step}\\b`, 'm'))]);
});
