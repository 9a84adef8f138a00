import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { command } from '../../src/run/command.ts';
import { run } from '../../src/run/run.ts';
import type { Setting } from '../../src/run/settings.ts';
import { cleanGit, identity, placeOf, scratch } from '../scratch.ts';

/** A repository, and a program that leaves a mark when it runs. */
function marked() {
  const scene = scratch();
  const { folder, git, write } = scene;
  const repository = join(folder, 'repository');
  const mark = join(folder, 'mark');
  const program = write('program', `#!/bin/sh\ntouch "${mark}"\n`, 0o755);
  git(folder, 'init', 'repository');
  write('repository/file', 'one\n');
  git(repository, 'add', '.');
  git(repository, 'commit', '-m', 'one');
  const fired = (): boolean => {
    const was = existsSync(mark);
    rmSync(mark, { force: true });
    return was;
  };
  return { ...scene, repository, program, fired };
}

type Scene = ReturnType<typeof marked>;

/** Every place that git reads settings from, and the environment with which it does. */
const sources: Record<string, (scene: Scene, setting: string, value: string) => Record<string, string>> = {
  'the repository': ({ git, repository }, setting, value) => {
    git(repository, 'config', setting, value);
    return {};
  },
  'the work tree': ({ git, repository }, setting, value) => {
    git(repository, 'config', 'extensions.worktreeConfig', 'true');
    git(repository, 'config', '--worktree', setting, value);
    return {};
  },
  'a file that the repository includes': ({ folder, git, repository }, setting, value) => {
    git(repository, 'config', '--file', join(folder, 'included'), setting, value);
    git(repository, 'config', 'include.path', join(folder, 'included'));
    return {};
  },
  'the global file': ({ folder, git, repository }, setting, value) => {
    git(repository, 'config', '--file', join(folder, 'global'), setting, value);
    return { GIT_CONFIG_GLOBAL: join(folder, 'global') };
  },
  'the system file': ({ folder, git, repository }, setting, value) => {
    git(repository, 'config', '--file', join(folder, 'system'), setting, value);
    return { GIT_CONFIG_SYSTEM: join(folder, 'system'), GIT_CONFIG_NOSYSTEM: '0' };
  },
};

describe.each(Object.keys(sources))('against %s', (source) => {
  test('the settings of every run win', async () => {
    const scene = marked();
    const environment = sources[source]!(scene, 'core.fsmonitor', scene.program);
    scene.git(scene.repository, 'status', { environment });
    expect(scene.fired()).toBe(true);
    await run(cleanGit(environment), command('status'), { place: placeOf(scene.repository) });
    expect(scene.fired()).toBe(false);
  });

  test('the settings of one run win, over those of every run too', async () => {
    const scene = marked();
    const environment = sources[source]!(scene, 'core.fsmonitor', 'false');
    const config: Setting[] = [['core.fsmonitor', scene.program]];
    await run(cleanGit(environment), command('status'), { place: placeOf(scene.repository), config });
    expect(scene.fired()).toBe(true);
  });
});

test('a key with an equals sign in it can be set, which -c cannot', async () => {
  const { git, repository, program, write, fired } = marked();
  git(repository, 'config', 'filter.a=b.clean', program);
  write('repository/.gitattributes', '* filter=a=b\n');
  git(repository, '-c', 'filter.a=b.clean=', 'add', '.', { okay: [0, 1, 128] });
  expect(fired()).toBe(true);
  write('repository/file', 'two\n');
  const config: Setting[] = [
    ['filter.a=b.clean', ''],
    ['filter.a=b.required', 'false'],
  ];
  await run(cleanGit(), command('add', { paths: ['.'] }), { place: placeOf(repository), config });
  expect(fired()).toBe(false);
});

test('the settings hold in the git that is started for a submodule', async () => {
  const { git, repository, program, fired } = marked();
  git(repository, 'init', 'inner');
  const inner = join(repository, 'inner');
  git(inner, 'commit', '--allow-empty', '-m', 'inner');
  git(repository, 'submodule', 'add', './inner', 'inner', { okay: [0, 128] });
  git(repository, 'add', '.');
  git(inner, 'config', 'core.fsmonitor', program);
  git(repository, 'status');
  expect(fired()).toBe(true);
  await run(cleanGit(), command('status'), { place: placeOf(repository) });
  expect(fired()).toBe(false);
});

test('hooks run only from where a run says', async () => {
  const { git, repository, write, fired, program } = marked();
  write('repository/.git/hooks/pre-commit', `#!/bin/sh\n${program}\n`, 0o755);
  const commit = command('commit', { flags: ['--allow-empty'], options: { '--message': 'x' } });
  const options = { place: placeOf(repository), environment: identity };
  await run(cleanGit(), commit, options);
  expect(fired()).toBe(false);
  await run(cleanGit(), commit, { ...options, config: [['core.hooksPath', join(repository, '.git/hooks')]] });
  expect(fired()).toBe(true);
  expect(git(repository, 'rev-list', '--count', 'HEAD').toString()).toBe('3\n');
});

test('git looks for no repository upward, and takes none from the folder it is started in', async () => {
  const { repository, write } = marked();
  write('repository/below/file', '');
  const below = join(repository, 'below');
  const place = { gitDir: join(below, '.git'), workTree: below };
  await expect(run(cleanGit(), command('status'), { place })).rejects.toMatchObject({
    code: 'not-a-repository',
  });
  await expect(run(cleanGit(), command('status'), {})).rejects.toMatchObject({ code: 'not-a-repository' });
});
