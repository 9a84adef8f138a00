import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findFault } from '../../src/configuration.ts';
import { browserEnvironment } from '../../src/rendering/browser-environment.ts';
import { checkBrowser, findPathProblem } from '../../src/rendering/check-browser.ts';
import { browser } from './stage.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'rootbound-browser-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Creates a program that prints a line. */
function program(name: string, line: string, mode = 0o755): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\necho '${line}'\n`);
  chmodSync(path, mode);
  return path;
}

test('the version of a Chromium is returned', async () => {
  expect(await checkBrowser(browser)).toEqual({ version: expect.stringMatching(/^Chromium \d+\./) });
});

test('another program is a problem with its fix', async () => {
  const other = program('other', 'Mosaic 1.0');
  expect(await checkBrowser(other)).toEqual({
    problem: `${other} is not a Chromium`,
    fix: expect.stringContaining('--version'),
  });
  expect(await checkBrowser(program('known', 'Google Chrome 150.1'))).toEqual({
    version: 'Google Chrome 150.1',
  });
});

test('a path without a program is a problem before anything is started, and prevents the start of the server', async () => {
  const cases = [
    [join(folder, 'missing'), 'there is no browser at'],
    [folder, 'is not a file'],
    [program('plain', 'Chromium', 0o644), 'is not executable for this user'],
  ] as const;
  for (const [path, words] of cases) {
    const found = await findPathProblem(path);
    expect(found?.problem).toContain(words);
    expect(await checkBrowser(path)).toEqual(found);
    const fault = await findFault({ extra: { browser: path }, environment: {} });
    expect(fault).toMatch(/^--browser: [^\n]+; name the executable of a Chromium/);
  }
  expect(await findFault({ extra: { browser }, environment: {} })).toBeUndefined();
});

test('a browser gets the environment variables that it needs, and no secrets', () => {
  const given = {
    PATH: '/bin',
    LANG: 'C',
    LC_ALL: 'C',
    HOME: '/home/you',
    API_TOKEN: 'x',
    HTTPS_PROXY: 'y',
    NODE_OPTIONS: 'z',
  };
  expect(browserEnvironment(given)).toEqual({ PATH: '/bin', LANG: 'C', LC_ALL: 'C', HOME: '/home/you' });
});
