import { constants } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { examine, type Machine, renderChecks } from '../../src/cli/doctor.ts';
import { parseCommandLine } from '../../src/cli.ts';
import { spec } from './spec.ts';

const machine: Machine = {
  node: '22.1.0',
  platform: 'linux',
  arch: 'x64',
  watchLimit: 524_288,
  can: () => true,
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
  ['20.19.0', 'ok   node 20.19.0'],
  ['24.0.0', 'ok   node 24.0.0'],
  ['20.18.3', 'fail node 20.18.3 is too old: install 20.19 or newer'],
  ['18.20.0', 'fail node 18.20.0 is too old: install 20.19 or newer'],
])('node %s is judged', async (node, line) => {
  expect((await report({ node })).split('\n')[0]).toBe(line);
});

test('few file watches are a warning that names the setting', async () => {
  expect(await report({ watchLimit: 8192 })).toMatch(
    /^warn only 8192 file watches.*fs\.inotify\.max_user_watches/m,
  );
});

test('a system without such a limit is not asked about it', async () => {
  const { watchLimit: _unused, ...rest } = machine;
  expect(await report({ ...rest, platform: 'darwin', watchLimit: undefined })).not.toContain('watches');
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
  expect(await report({ can }, root)).toContain(`warn root ${root} cannot be written: end it in :ro`);
  expect(await report({ can }, `${root}:ro`)).toContain(`ok   root ${root}, read-only`);
  expect(await report({ can }, root, '--read-only')).toContain(`ok   root ${root}, read-only`);
});

test('a root without the right to read is a failure', async () => {
  const root = tmpdir();
  expect(await report({ can: () => false }, `${root}:ro`)).toContain(`fail root ${root} cannot be read`);
});
