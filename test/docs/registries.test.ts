import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './documents.ts';

/** Names of hosts of package registries, in parts, so that this file has none of them. */
const HOSTS = [
  ...[
    ['npmjs', '(?:org|com)'],
    ['npm', 'pkg', 'github', 'com'],
    ['npmmirror', 'com'],
    ['yarnpkg', 'com'],
  ],
  ...[
    ['unpkg', 'com'],
    ['jsdelivr', 'net'],
    ['jsr', 'io'],
    ['pypi', 'org'],
    ['pythonhosted', 'org'],
    ['crates', 'io'],
    ['rubygems', 'org'],
  ],
  ...[
    ['ghcr', 'io'],
    ['docker', 'io'],
    ['quay', 'io'],
    ['golang', 'org'],
    ['nuget', 'org'],
    ['maven', 'org'],
  ],
  ['registry', '[\\w-]+', '(?:org|com|io|dev|net|cn)'],
].map((parts) => parts.join('\\.'));
const host = new RegExp(`(?<![\\w-])(?:${HOSTS.join('|')})(?![\\w-])`, 'gi');

test('no file of the repository names the host of a package registry: defaults of tools and schemas serve', () => {
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  const naming = files
    .split('\0')
    .filter((file) => file !== '')
    .flatMap((file) => (readIf(file).match(host) ?? []).map((name) => `${file}: ${name}`));
  expect(naming).toEqual([]);
});

test.each([
  ['https://', ['registry', 'npmjs', 'org'], '/zod'],
  ['//', ['npm', 'pkg', 'github', 'com'], '/:_authToken'],
  ['image: ', ['docker', 'io'], '/library/node'],
])('a host after %s is found', (before, parts, after) => {
  expect(`${before}${parts.join('.')}${after}`.match(host)).toHaveLength(1);
});

/** Returns the text of a file, of which a deleted one and a binary one have none. */
function readIf(file: string): string {
  try {
    const text = readFileSync(join(root, file), 'latin1');
    return text.includes('\0') ? '' : text;
  } catch {
    // listed by git, and deleted in the work tree
    return '';
  }
}
