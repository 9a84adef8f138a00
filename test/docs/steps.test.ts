import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sampled } from '../extent.ts';
import { root } from './documents.ts';

const folders = (process.env.PATH ?? '').split(delimiter);
let programs: string;

beforeAll(() => {
  // pnpm may be in the same folder as these programs
  programs = mkdtempSync(join(tmpdir(), 'rootbound-steps-'));
  for (const name of ['node', 'npm', 'npx']) {
    const file = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    symlinkSync(realpathSync(file), join(programs, name));
  }
});
afterAll(() => rmSync(programs, { recursive: true, force: true }));

test.each(sampled(['build', 'typecheck', 'lint'], 3))('npm run %s needs only Node and npm', (step) => {
  const others = folders.filter((folder) => !existsSync(join(folder, 'pnpm')));
  // a dry run: a real one would change files that other tests read
  const { status, stderr } = spawnSync('npm', ['run', '--silent', step, '--', '--dry'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, PATH: [programs, ...others].join(delimiter) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  expect([status, stderr]).toEqual([0, expect.stringMatching(new RegExp(`^ +Task += ${step}\\b`, 'm'))]);
});
