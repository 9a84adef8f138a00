import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  declaredCommand,
  gitlinksCommand,
  joinSubmodules,
  parseDeclared,
  parseGitlinks,
} from '../../src/porcelain/submodules.ts';
import { scratch } from '../scratch.ts';
import { printed } from './printed.ts';

function repository() {
  const made = scratch();
  made.git(made.folder, 'init');
  made.git(made.folder, 'commit', '--allow-empty', '-m', 'one');
  return { ...made, commit: made.git(made.folder, 'rev-parse', 'HEAD').toString().trim() };
}

const declaredBy = async (folder: string, text: string | Buffer) =>
  parseDeclared(await printed(folder, declaredCommand(Buffer.from(text))));

test('the submodules of the index have their commits and what declares them', async () => {
  const inner = repository();
  const { folder, git, write, commit } = repository();
  write('file', 'x');
  git(folder, 'add', 'file');
  git(folder, 'submodule', 'add', '--name', 'a name', '--branch', 'main', inner.folder, 'path größe');
  git(folder, 'update-index', '--add', '--cacheinfo', `160000,${commit},stray`);
  const declared = await declaredBy(folder, readFileSync(join(folder, '.gitmodules')));
  const links = parseGitlinks(await printed(folder, gitlinksCommand()));
  expect(joinSubmodules(links, declared)).toEqual([
    {
      path: 'path größe',
      commit: inner.commit,
      declared: { name: 'a name', path: 'path größe', url: inner.folder, branch: 'main', update: undefined },
    },
    { path: 'stray', commit, declared: undefined },
  ]);
});

test('a submodule in conflict is one entry without a commit', async () => {
  const { folder, git, commit } = repository();
  const input = [1, 2, 3].map((stage) => `160000 ${commit} ${stage}\tmodule\n`).join('');
  git(folder, 'update-index', '--index-info', { input });
  expect(parseGitlinks(await printed(folder, gitlinksCommand()))).toEqual([
    { path: 'module', commit: undefined },
  ]);
});

test('what is declared is told without credentials, and a command is not repeated', async () => {
  const { folder } = repository();
  const text = `
    [submodule "a"]
      path = a
      url = https://user:secret@example.org/a.git
      update = !touch marker
    [submodule "b.c"]
      path = "b\\nc"
      update = none
      branch = .
    [submodule "caf\xe9"]
      url = ../relative
    [submodule]
      active = x
    [core]
      fsmonitor = touch marker
    [include]
      path = other`;
  expect(await declaredBy(folder, Buffer.from(text, 'latin1'))).toEqual([
    { name: 'a', path: 'a', url: 'https://example.org/a.git', branch: undefined, update: 'command' },
    { name: 'b.c', path: String.raw`"b\nc"`, url: undefined, branch: '.', update: 'none' },
    {
      name: String.raw`"caf\351"`,
      path: undefined,
      url: '../relative',
      branch: undefined,
      update: undefined,
    },
  ]);
});

test('an include in .gitmodules is not followed', async () => {
  const { folder, write } = repository();
  const other = write('other', '[submodule "x"]\n\turl = y\n');
  expect(await declaredBy(folder, `[include]\n\tpath = ${JSON.stringify(other)}\n`)).toEqual([]);
});
