import { constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import type { Machine } from '../../src/cli/doctor/machine.ts';
import { examine, renderChecks } from '../../src/cli/doctor.ts';
import { parseCommandLine } from '../../src/cli.ts';
import { spec } from './spec.ts';

const watches = { limit: 524_288, used: 100, setting: 'fs.inotify.max_user_watches' };
const instances = { limit: 128, used: 3, setting: 'fs.inotify.max_user_instances' };
const machine: Machine = {
  node: '22.1.0',
  platform: 'linux',
  arch: 'x64',
  inotify: { watches, instances },
  openFiles: 1_048_576,
  verifies: true,
  temporary: tmpdir(),
  can: () => true,
  fileSystem: () => ({ name: 'ext4', remote: false }),
  answers: () => true,
  foldsCase: () => false,
  whyNotWritten: () => undefined,
};

async function report(given: Partial<Machine>, ...argv: string[]): Promise<string> {
  const command = parseCommandLine(spec, ['--doctor', ...argv]);
  if (command.kind !== 'doctor') return expect.fail(command.kind);
  return renderChecks(await examine(spec, command.options, { ...machine, ...given }));
}

test('a server that serves without roots is not blamed for having none, and its roots are looked at', async () => {
  const rootless = { ...spec, rootless: true };
  const linesOf = async (...argv: string[]) => {
    const command = parseCommandLine(rootless, ['--doctor', '--client-roots', 'ignore', ...argv]);
    if (command.kind !== 'doctor') return expect.fail(command.kind);
    return renderChecks(await examine(rootless, command.options, machine));
  };
  expect(await linesOf()).not.toContain('root');
  expect(await linesOf('/no/such/folder')).toContain('fail root /no/such/folder does not exist');
});

test.each([
  ['20.19.0', 'ok   node 20.19.0, of 20.19 or newer'],
  ['24.0.0', 'ok   node 24.0.0, of 20.19 or newer'],
  ['20.18.3', 'fail node 20.18.3 is too old: install 20.19 or newer'],
  ['18.20.0', 'fail node 18.20.0 is too old: install 20.19 or newer'],
])('node %s is judged', async (node, line) => {
  expect((await report({ node })).split('\n')[0]).toBe(line);
});

test.each<[string, Partial<Machine>, RegExp]>([
  [
    'a low limit of file watches',
    { inotify: { watches: { ...watches, limit: 8192 }, instances } },
    /^warn only 8192 file watches allowed, 100 of them taken, .*: run sysctl fs\.inotify\.max_user_watches=524288 as root$/m,
  ],
  [
    'a high limit of which little is left',
    { inotify: { watches: { ...watches, used: 520_000 }, instances } },
    /^warn 520000 of 524288 file watches are taken, .*fs\.inotify\.max_user_watches/m,
  ],
  [
    'the last programs that may watch',
    { inotify: { watches, instances: { ...instances, used: 126 } } },
    /^warn 128 programs of this user may watch files, 126 do, .*fs\.inotify\.max_user_instances/m,
  ],
  ['few open files', { openFiles: 256 }, /^warn only 256 files may be open at once, .*: .*ulimit -n/m],
  [
    'a kernel that cannot say where a handle is',
    { verifies: false },
    /^warn containment best-effort: this system cannot say where a handle is: /m,
  ],
])('%s is a warning that says what to do', async (_what, given, line) => {
  expect(await report({})).not.toMatch(line);
  expect(await report(given)).toMatch(line);
});

test('a system without such limits is not asked about them', async () => {
  const output = await report({ platform: 'darwin', inotify: undefined, openFiles: undefined });
  expect(output).not.toMatch(/watch|open at once/);
});

test.each<[string, Partial<Machine>, string]>([
  [
    'a share that does not answer is a failure, and is not looked into',
    { fileSystem: () => ({ name: 'nfs4', remote: true }), answers: () => false },
    `fail root ${tmpdir()}, on nfs4, does not answer: see to its connection, or unmount it\n`,
  ],
  [
    'a share that answers is a warning about changes that it does not tell of',
    { fileSystem: () => ({ name: 'nfs4', remote: true }) },
    `warn root ${tmpdir()}: nfs4 does not tell of changes, so they are looked for: use a folder of this machine`,
  ],
  [
    'a file system that folds case is named as one',
    { foldsCase: () => true },
    `ok   root ${tmpdir()}: names that differ in case alone are one file there\n`,
  ],
])('%s', async (_what, given, line) => {
  expect(await report({}, tmpdir())).not.toContain(line);
  expect(await report(given, tmpdir())).toContain(line);
});

test('a path that would forge a line stays on its own', () => {
  expect(renderChecks([{ state: 'fail', what: 'root /a\nok   root /b' }])).toBe(
    'fail root /a\\nok   root /b\n',
  );
});

// the rights are told and not taken away, since nothing can be taken away from root
test('a root without the right to write is a warning, unless it is read-only', async () => {
  const can: Machine['can'] = (_path, mode) => (mode & constants.W_OK) === 0;
  const root = tmpdir();
  expect(await report({ can }, root)).toContain(
    `warn root ${root} cannot be written, on ext4: end it in :ro`,
  );
  expect(await report({ can }, `${root}:ro`)).toContain(`ok   root ${root}, read-only`);
  expect(await report({ can }, root, '--read-only')).toContain(`ok   root ${root}, read-only`);
});

test('a root without the right to read is a failure', async () => {
  const root = tmpdir();
  expect(await report({ can: () => false }, `${root}:ro`)).toContain(`fail root ${root} cannot be read`);
});
