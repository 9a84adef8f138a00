import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { command } from '../../src/run/command.ts';
import { findGit } from '../../src/run/git.ts';
import { run } from '../../src/run/run.ts';
import { scratch } from '../scratch.ts';
import { fakeGit } from './fake.ts';

const operator = {
  HOME: '/home/ann',
  SSH_AUTH_SOCK: '/run/agent',
  HTTPS_PROXY: 'http://proxy.example.org',
  LC_ALL: 'de_DE.UTF-8',
  LANGUAGE: 'de',
  ...Object.fromEntries(
    [
      ...[
        'GIT_DIR',
        'GIT_WORK_TREE',
        'GIT_INDEX_FILE',
        'GIT_OBJECT_DIRECTORY',
        'GIT_ALTERNATE_OBJECT_DIRECTORIES',
      ],
      ...[
        'GIT_CONFIG_PARAMETERS',
        'GIT_CONFIG',
        'GIT_EXEC_PATH',
        'GIT_TRACE',
        'GIT_TRACE2_EVENT',
        'GIT_EXTERNAL_DIFF',
      ],
      ...[
        'GIT_SSH',
        'GIT_PROXY_COMMAND',
        'GIT_TEMPLATE_DIR',
        'GIT_NAMESPACE',
        'GIT_ASKPASS',
        'SSH_ASKPASS',
        'DISPLAY',
      ],
      ...[
        'EDITOR',
        'VISUAL',
        'PAGER',
        'GIT_EDITOR',
        'GIT_PAGER',
        'LD_PRELOAD',
        'NODE_OPTIONS',
        'BASH_ENV',
        'ENV',
      ],
      'SECRET_TOKEN',
    ].map((key) => [key, '/evil']),
  ),
  GIT_CONFIG_COUNT: '0',
};

/** Variables that the shell of the fake git adds. */
const ofShell = ['PWD', 'OLDPWD', 'SHLVL', '_'];

test('the environment is built from nothing: no variable of ours passes that is not on the list', async () => {
  const git = fakeGit('exit 0', operator);
  const place = { gitDir: join(git.folder, '.git'), workTree: git.folder };
  await run(git, command('status'), { place, environment: { GIT_AUTHOR_NAME: 'Ann' } });
  const variables = git.variables();
  const settings = Object.keys(variables).filter((key) => /^GIT_CONFIG_(?:KEY|VALUE)_\d+$/.test(key));
  expect(variables.GIT_CONFIG_COUNT).toBe(String(settings.length / 2));
  for (const key of [...ofShell, ...settings, 'GIT_CONFIG_COUNT']) delete variables[key];
  expect(variables).toEqual({
    PATH: `${git.folder}/bin:/usr/bin:/bin`,
    HOME: '/home/ann',
    SSH_AUTH_SOCK: '/run/agent',
    HTTPS_PROXY: 'http://proxy.example.org',
    LC_ALL: 'C',
    LANGUAGE: '',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    SSH_ASKPASS_REQUIRE: 'never',
    GCM_INTERACTIVE: 'never',
    GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    GIT_EDITOR: 'false',
    GIT_SEQUENCE_EDITOR: 'false',
    GIT_MERGE_AUTOEDIT: 'no',
    GIT_PAGER: 'cat',
    GIT_PROGRESS_DELAY: '0',
    GIT_ADVICE: '0',
    GIT_ALLOW_PROTOCOL: 'https:ssh',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_PROXY_COMMAND: '',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_DIR: place.gitDir,
    GIT_WORK_TREE: place.workTree,
    GIT_CEILING_DIRECTORIES: join(git.folder, '..'),
    GIT_OPTIONAL_LOCKS: '0',
    GIT_AUTHOR_NAME: 'Ann',
  });
});

test('only verbs that change something may take optional locks', async () => {
  const git = fakeGit('exit 0');
  await run(git, command('add'), {});
  expect(git.variables()).not.toHaveProperty('GIT_OPTIONAL_LOCKS');
});

test('the stdin of git is never ours: nothing, or what it is given', async () => {
  const git = fakeGit('readlink /proc/self/fd/0; cat');
  expect((await run(git, command('version'), {})).stdout.toString()).toBe('/dev/null\n');
  const given = await run(git, command('apply', { input: Buffer.from('patch') }), {});
  expect(given.stdout.toString()).toMatch(/^(?:socket|pipe):.*\npatch$/);
});

test('git has no terminal that it could ask at', async () => {
  const git = fakeGit('cat /dev/tty');
  await expect(run(git, command('version'), {})).rejects.toThrow(/No such device/);
});

test('a git of a relative folder, or of one that is not trusted, is not taken', () => {
  const { folder } = scratch();
  for (const name of ['own', 'other']) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, 'git'), '#!/bin/sh\n', { mode: 0o755 });
  }
  const environment = { PATH: `.:own::${folder}/own:${folder}/other` };
  const git = findGit({ environment, trusts: (at) => !at.endsWith('own') });
  expect([git.path, git.environment.PATH]).toEqual([`${folder}/other/git`, `${folder}/other`]);
  expect(() => findGit({ environment: { PATH: 'own' } })).toThrow(
    expect.objectContaining({ code: 'no-git' }),
  );
});

test('a file that cannot be started is not taken for git', () => {
  const { folder, write } = scratch();
  write('bin/git', 'text');
  mkdirSync(join(folder, 'more/git'), { recursive: true });
  const environment = { PATH: `${folder}/bin:${folder}/more` };
  expect(() => findGit({ environment })).toThrow(expect.objectContaining({ code: 'no-git' }));
});

test('the version is asked once, and another program called git is told', async () => {
  const git = fakeGit(`echo x >> "$(dirname "$0")/asked"; echo git version 2.47.1.windows.1`);
  expect(await git.version()).toEqual({ text: '2.47.1.windows.1', major: 2, minor: 47 });
  expect(await git.version()).toBe(await git.version());
  await expect(fakeGit('echo busybox').version()).rejects.toMatchObject({ code: 'no-git' });
});
