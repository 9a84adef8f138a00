import { expect, test } from 'vitest';
import { parseCommandLine, runCommandLine } from '../../src/cli.ts';
import { recordedIo, spec } from './spec.ts';

const sets = {
  ...spec,
  toolsets: { read: ['read_file', 'list_directory'], write: ['write_file'] },
  defaultTools: ['read_file', 'list_directory'],
};

function toolsOf(...argv: string[]): readonly string[] | string {
  const command = parseCommandLine(sets, argv);
  return command.kind === 'serve' ? command.options.tools : 'message' in command ? command.message : '';
}

test.each([
  ['', ['read_file', 'list_directory']],
  ['--tools write', ['write_file']],
  ['--tools write,read_file', ['read_file', 'write_file']],
  ['--tools read,write', ['read_file', 'write_file', 'list_directory']],
  ['--tools read,write --exclude-tools write', ['read_file', 'list_directory']],
  ['--exclude-tools list_directory', ['read_file']],
  ['--tools default,write_file', ['read_file', 'write_file', 'list_directory']],
  ['--tools all --exclude-tools read_file', ['write_file', 'list_directory']],
])('"%s" offers the tools of the sets that it names', (line, expected) => {
  expect(toolsOf(...line.split(' ').filter(Boolean))).toEqual(expected);
});

test('what is neither a set nor a tool is refused with the nearest, and all sets and tools', () => {
  expect(toolsOf('--tools', 'reed')).toBe(
    'unknown tool "reed" in --tools; did you mean read? the sets are read, write, default and all, ' +
      'the tools are read_file, write_file, list_directory',
  );
});

test('the help says which tools a set has, and which sets must be asked for', async () => {
  const { io, seen } = recordedIo();
  await runCommandLine(sets, ['--help'], () => expect.fail('it served'), io);
  expect(seen.stdout).toMatch(/^Set of tools read: read_file, list_directory$/m);
  expect(seen.stdout).toMatch(/^Set of tools write \(not offered unless named\): write_file$/m);
});
