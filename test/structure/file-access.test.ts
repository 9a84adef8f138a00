import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGraph } from './graph.ts';

const root = join(import.meta.dirname, '..', '..');

/** Who may call functions of node:fs that take a path, and why. */
const allowed: Readonly<Record<string, string>> = {
  'packages/kit/src/boundary/': 'the boundary itself',
  'packages/kit/src/build/': 'runs on the machine of a developer, before there is a server',
  'packages/kit/src/cli/doctor.ts': 'looks at what the operator named',
  'packages/kit/src/cli/launch.ts': 'looks at the file that was started',
  'packages/protocol/src/auth/server/': 'reads the keys that the operator named',
  'packages/protocol/src/client/folder-roots.ts':
    'looks whether the folders that its user offers can be reached',
  'packages/protocol/src/transports/socket/listen.ts': 'the socket file that the operator named',
  'packages/kit/src/watch/network.ts':
    'asks which file system holds a directory that the boundary has located',
  'packages/kit/src/watch/snapshot.ts': 'lstat of paths that the boundary has located',
  'servers/filesystem/src/listing/read.ts': 'lists a verified directory handle beside the event loop',
  'servers/git/src/repository/links.ts': 'lstat of folders in git dirs that the boundary has opened before',
  'servers/git/src/repository/stamp.ts': 'lstat of files in git dirs that the boundary has located',
  'servers/git/src/repository/named.ts': 'looks where the paths lead that the operator named',
  'servers/git/src/repository/witness.ts': 'looks whether configuration that git has read is what it was',
  'servers/git/src/search/linked.ts': 'looks whether a folder that git has searched is where its path says',
  'servers/git/src/run/': 'finds git, and the processes of a group that it ended',
  'servers/filesystem/src/search/': 'walks from verified handles, and says so in its worker',
};

/** What acts on a handle that the boundary has verified. */
const onHandles = new Set(['readSync', 'writeSync', 'fstatSync', 'closeSync']);

/** The values, not types, that a file takes from node:fs. */
function pathTaking(text: string): string[] {
  const imports = text.matchAll(/import\s+(?!type\b)([^;]*?)\s+from\s+'(?:node:)?fs(?:\/promises)?'/g);
  return [...imports]
    .flatMap(([, names]) => names!.replace(/[{}]/g, '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type ') && !onHandles.has(name.split(' ')[0]!));
}

test('only the boundary opens files by path; everything else acts on verified handles', () => {
  const found: string[] = [];
  for (const [file, imports] of readGraph(root, [
    'packages/kit/src',
    'packages/protocol/src',
    'servers/filesystem/src',
    'servers/git/src',
  ])) {
    if (!imports.some((target) => /^(node:)?fs(\/|$)/.test(target))) continue;
    if (Object.keys(allowed).some((prefix) => file.startsWith(prefix))) continue;
    for (const name of pathTaking(readFileSync(join(root, file), 'utf8')))
      found.push(`${file} takes ${name} from node:fs`);
  }
  expect(found).toEqual([]);
});

test('a planted import of a function that takes a path is found', () => {
  expect(pathTaking("import { type Stats, readFileSync, readSync } from 'node:fs';")).toEqual([
    'readFileSync',
  ]);
  expect(pathTaking("import * as fs from 'node:fs/promises';")).toEqual(['* as fs']);
  expect(pathTaking("import type { Stats } from 'node:fs';")).toEqual([]);
});

test('verification can be switched off by tests alone', () => {
  for (const [file, imports] of readGraph(root, ['packages/kit/src', 'servers/filesystem/src'])) {
    if (!imports.some((target) => target.endsWith('boundary/verification.ts'))) continue;
    const text = readFileSync(join(root, file), 'utf8');
    expect([file, text.includes('withoutVerification')]).toEqual([file, false]);
  }
});
