import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter } from 'node:path';
import { describe, expect, test } from 'vitest';
import { shellWords as ofServers } from '../../kit/src/cli/snippets.ts';
import { shellWords } from '../src/shell.ts';
import { Place } from './workshop.ts';

const place = new Place();
const folders = [
  "we'ird $(touch x)",
  'two words',
  '`touch x`',
  'a;touch x',
  'a&touch x',
  'a"$(touch x)"',
  "'; touch x; '",
  '-n',
  '-',
  '~',
  '$HOME',
  '*',
  'a\\nb',
  'back\\',
  '!!',
  'é ü',
];

/** The indented lines of an output: those that are there to be pasted. */
function pastedOf(output: string): string[] {
  return output.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.slice(2)] : []));
}

describe.each(['sh', 'bash'])('pasted into %s', (shell) => {
  test.each(folders)(
    'each printed line does what it says for the folder %j, and nothing else',
    async (name) => {
      mkdirSync(place.at('bin'));
      // stands in for npm and claude: writes down where it runs, and its arguments
      for (const program of ['npm', 'claude']) {
        const script = `#!/bin/sh\n{ pwd; for one in "$@"; do printf '%s\\n' "$one"; done; } > '${place.at(program)}'\n`;
        writeFileSync(place.at('bin', program), script, { mode: 0o755 });
      }
      const { code, output } = await place.run(`--name`, 'my-server', '--', name);
      expect(code).toBe(0);
      const lines = pastedOf(output);
      expect(lines).toHaveLength(4);
      const before = readdirSync(place.folder);
      execFileSync(shell, {
        cwd: place.folder,
        input: `set -e\n${lines.join('\n')}\n`,
        env: { ...process.env, PATH: place.at('bin') + delimiter + process.env.PATH },
      });
      const folder = place.at(name);
      expect(readFileSync(place.at('npm'), 'utf8')).toBe(`${folder}\ntest\n`);
      expect(readFileSync(place.at('claude'), 'utf8')).toBe(
        [
          folder,
          'mcp',
          'add',
          'my-server',
          '--',
          'node',
          `${folder}/dist/cli.js`,
          `${folder}/notes`,
          '',
        ].join('\n'),
      );
      expect(readdirSync(place.folder).sort()).toEqual([...before, 'claude', 'npm'].sort());
      expect(existsSync(place.at(name, 'x'))).toBe(false);
    },
  );
});

test.each(['linux', 'win32'] as const)('words are quoted as the servers quote them for %s', (platform) => {
  const characters = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code));
  const words = [
    ...['', ...folders, 'C:\\x y\\'],
    ...characters.flatMap((one) => ['"', '\\', "'", 'a'].map((other) => one + other)),
  ];
  for (const word of words) expect(shellWords([word, 'x'], platform)).toBe(ofServers([word, 'x'], platform));
});

test.each([
  ['C:\\my server', '"C:\\my server"'],
  ['C:\\server', 'C:\\server'],
  ['C:\\my server\\', '"C:\\my server\\\\"'],
  ['a&b', '"a&b"'],
  ['a"b', '"a\\"b"'],
  ['a^b', '"a^b"'],
  ["a'b", '"a\'b"'],
])('for Windows %j is %j', (word, expected) => {
  expect(shellWords([word], 'win32')).toBe(expected);
});
