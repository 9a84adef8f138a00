import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaints, Patients } from './program.ts';

const patients = new Patients();
const isWindows = process.platform === 'win32';

/** Creates a folder for PATH with only a program called git that prints this version. */
function gitThatSays(version: string): string {
  const folder = join(patients.folder, 'bin');
  mkdirSync(folder);
  writeFileSync(join(folder, 'git'), `#!/bin/sh\necho 'git version ${version}'\n`, { mode: 0o755 });
  return folder;
}

function repositoryIn(name: string): string {
  const folder = join(patients.folder, name);
  execFileSync('git', ['init', '-q', '-b', 'main', folder]);
  return folder;
}

test('no git on PATH is a failure that names the version to install', async () => {
  const root = join(patients.folder, 'root');
  mkdirSync(root);
  const report = await patients.examine('git', [root], { environment: { PATH: root } });
  expect([report.code, complaints(report)]).toEqual([
    1,
    ['fail there is no git on PATH: install git 2.39 or newer'],
  ]);
});

test.skipIf(isWindows)('a git inside a root is ignored, since programs of a root are never run', async () => {
  const PATH = gitThatSays('2.50.0');
  const report = await patients.examine('git', [patients.folder], { environment: { PATH } });
  expect([report.code, complaints(report)]).toEqual([
    1,
    [
      'fail no git on PATH is outside the roots, whose files run nowhere: name a folder on PATH that has git 2.39 or newer and is in no root',
    ],
  ]);
});

test.skipIf(isWindows).each([
  [
    '2.20.1',
    1,
    /^fail git 2\.20\.1 at .* is too old: conflicts cannot be foreseen: install git 2\.39 or newer$/,
  ],
  ['2.38.1', 1, /^fail git 2\.38\.1 at .* is older than what this server is made for: install git 2\.39 or/],
  ['2.40.1', 0, /^warn git 2\.40\.1 at .* so partial clones are refused: install git 2\.45 or newer/],
  ['2.50.0', 0, undefined],
])('git %s on PATH is judged by its version', async (version, code, line) => {
  const root = join(patients.folder, 'root');
  mkdirSync(root);
  const report = await patients.examine('git', [root], { environment: { PATH: gitThatSays(version) } });
  expect([report.code, complaints(report)]).toEqual([
    code,
    line === undefined ? [] : [expect.stringMatching(line)],
  ]);
});

test('a repository is checked, and the commands of its configuration are counted', async () => {
  const root = repositoryIn('own');
  const before = await patients.examine('git', [root]);
  execFileSync('git', ['-C', root, 'config', 'core.fsmonitor', '/no/such/program']);
  const after = await patients.examine('git', [root]);
  expect([before.lines, after.lines]).toEqual([
    expect.arrayContaining([`ok   repository ${root}`]),
    expect.arrayContaining([
      `ok   repository ${root}, kept from running 1 of its settings, as git_overview tells`,
    ]),
  ]);
});

test.runIf(process.getuid?.() === 0)(
  'a repository of another user is reported with the command that allows it',
  async () => {
    const root = repositoryIn('other');
    for (const path of [root, join(root, '.git')]) chownSync(path, 65_534, 65_534);
    const HOME = join(patients.folder, 'home');
    mkdirSync(HOME);
    const report = await patients.examine('git', [root], { environment: { HOME } });
    expect([report.code, complaints(report)]).toEqual([
      0,
      [
        `warn repository ${root}: the repository ${root} belongs to another user: the operator can name it: git config --global --add safe.directory ${root}`,
      ],
    ]);
    execFileSync('git', ['config', '--global', '--add', 'safe.directory', root], {
      env: { ...process.env, HOME },
    });
    expect(complaints(await patients.examine('git', [root], { environment: { HOME } }))).toEqual([]);
  },
);

test('the SQLite driver is reported with its version and source, and a process starts', async () => {
  const { lines } = await patients.examine('sqlite', [patients.folder]);
  expect(lines).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^ok {3}SQLite 3\.\d+\.\d+ by better-sqlite3 1[23]\.\d+\.\d+, (?:compiled when it was installed|built before.*), for (?:ABI|Node-API) \d+$/,
      ),
      ...(process.platform === 'linux'
        ? ['ok   a process that runs SQL starts, with memory and file limits of the system']
        : []),
    ]),
  );
});

test('the SQLite server without a driver fails with the way to install one, and starts no process', async () => {
  const file = patients.copyWithout('sqlite');
  const report = await patients.examine('sqlite', [patients.folder], { file });
  expect([report.code, complaints(report)]).toEqual([
    1,
    [
      expect.stringMatching(
        /^fail (?:better-sqlite3|@rootbound\/sqlite-node20) does not load: Cannot find module .*: (?:install it again|use Node 22 or newer)/,
      ),
    ],
  ]);
});

test('an SQL process that does not start is a failure', async () => {
  const file = patients.copyWithout('sqlite', 'lane.js');
  const modules = join(patients.folder, 'copy', 'node_modules');
  symlinkSync(new URL('../../servers/sqlite/node_modules', import.meta.url), modules);
  const report = await patients.examine('sqlite', [patients.folder], { file });
  expect([report.code, complaints(report)]).toEqual([
    1,
    [expect.stringMatching(/^fail the process that runs SQL does not start: /)],
  ]);
});

test.runIf(process.platform === 'linux')('a missing folder for temporary files is a failure', async () => {
  const TMPDIR = join(patients.folder, 'missing');
  const report = await patients.examine('sqlite', [patients.folder], { environment: { TMPDIR } });
  expect([report.code, complaints(report)[0]]).toEqual([
    1,
    `fail results and undo points go to ${TMPDIR}, where nothing can be made (ENOENT): make it writable, or name another in TMPDIR`,
  ]);
});

test.each([
  ['filesystem', 'search-worker.js', 'the worker thread for searches does not start'],
  ['fetch', 'reader.js', 'the worker thread that parses pages fails'],
])('server-%s without %s fails', async (server, worker, why) => {
  const file = patients.copyWithout(server, worker);
  const report = await patients.examine(server, [patients.folder], { file });
  expect([report.code, complaints(report)]).toEqual([
    1,
    [expect.stringMatching(`^fail ${why}: Cannot find module .*: install it again$`)],
  ]);
});
