import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsOf, DocumentedServer } from './calls.ts';
import { document } from './documents.ts';
import { expectCall } from './updating.ts';

const reference = document('docs/reference/git.md');
const at = '2026-11-22T16:59:09Z';
let server: DocumentedServer;
beforeAll(() => {
  server = new DocumentedServer(reference, 'git', ['data'], {
    folder: '/home/you/code/app',
    prepare: makeRepository,
    // the new commit has the time of the run
    drawn: [[/(?<=\[main )[\da-f]{12}(?=\])/g, '…']],
  });
});
afterAll(() => server.close());

describe('the calls of the reference of the git server', () => {
  test.each(callsOf(reference).map((call) => [call.line, call] as const))('%s', async (line, call) => {
    expectCall(reference.name, call, (await server.call(line)).text);
  });
});

test('the list of the default tools is as small as it says', async () => {
  const most = Number(/to stay below (\d+) KB/.exec(reference.text)?.[1]) * 1000;
  expect(Buffer.byteLength(JSON.stringify({ tools: await server.tools() }))).toBeLessThan(most);
});

/** Makes a repository with a hook and a file system monitor, and a file that has changed since its commit. */
function makeRepository(cwd: string): void {
  const env = {
    PATH: process.env.PATH,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_AUTHOR_DATE: at,
    GIT_COMMITTER_DATE: at,
  };
  const git = (...args: string[]): void => void execFileSync('git', args, { cwd, env, stdio: 'ignore' });
  const write = (path: string, text: string): void => writeFileSync(join(cwd, path), text);
  git('init', '-b', 'main');
  git('config', 'user.name', 'Ada');
  git('config', 'user.email', 'ada@example.com');
  write('notes.txt', 'one\ntwo\nthree\n');
  git('add', '.');
  git('commit', '-m', 'Begin the notes');
  write('.git/hooks/pre-commit', '#!/bin/sh\nexit 1\n');
  chmodSync(join(cwd, '.git/hooks/pre-commit'), 0o755);
  git('config', 'core.fsmonitor', './monitor');
  write('notes.txt', 'one\n2\nthree\nfour\n');
  write('draft.txt', 'later\n');
}
