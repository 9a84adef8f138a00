import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readGraph } from './graph.ts';

const root = join(import.meta.dirname, '..', '..');

/** Files that may call functions of node:fs with a path, and the reason. */
const allowed: Readonly<Record<string, string>> = {
  'packages/kit/src/boundary/': 'the boundary itself',
  'packages/kit/src/build/': 'runs on the machine of a developer, before there is a server',
  'packages/kit/src/cli/doctor/': 'looks at what the operator named, and at what the system says of itself',
  'packages/kit/src/cli/launch.ts': 'looks at the file that was started',
  'packages/protocol/src/auth/server/': 'reads the keys that the operator named',
  'packages/protocol/src/client/folder-roots.ts':
    'looks whether the folders that its user offers can be reached',
  'packages/protocol/src/inspect/actions.ts': 'reads the file of arguments that its user named',
  'packages/protocol/src/transports/socket/listen.ts': 'the socket file that the operator named',
  'packages/kit/src/watch/network.ts':
    'asks which file system holds a directory that the boundary has located',
  'packages/kit/src/watch/snapshot.ts': 'lstat of paths that the boundary has located',
  'servers/filesystem/src/listing/read.ts': 'lists a verified directory handle beside the event loop',
  'servers/git/src/repository/git-dir.ts':
    'text of a HEAD that is a link, in a folder that the boundary has opened',
  'servers/git/src/repository/links.ts': 'lstat of folders in git dirs that the boundary has opened before',
  'servers/git/src/repository/hook-files.ts': 'lstat of hooks outside the boundary, which trust is pinned to',
  'servers/git/src/repository/includes.ts':
    'lstat of included files outside the boundary, which trust is pinned to',
  'servers/git/src/repository/private-dir.ts': 'links and files in the folder of its own',
  'servers/git/src/repository/stamp.ts': 'lstat of files in git dirs that the boundary has located',
  'servers/git/src/repository/named.ts': 'looks where the paths lead that the operator named',
  'servers/git/src/repository/witness.ts': 'looks whether configuration that git has read is what it was',
  'servers/git/src/reading/objects/search-links.ts':
    'looks whether a folder that git has searched is where its path says',
  'servers/git/src/changing/files/work-file.ts':
    'text of a link in a folder of the work tree that the boundary has located',
  'servers/git/src/run/': 'finds git, and the processes of a group that it ended',
  'servers/filesystem/src/search/': 'walks from verified handles, and says so in its worker',
  'servers/fetch/src/formats/pdf-library.ts': 'looks for the module of its library beside the program',
  'servers/fetch/src/rendering/check-browser.ts': 'looks at the program that the operator named',
  'servers/fetch/src/web/secrets.ts': 'reads the file of secrets that the operator named',
  'servers/sqlite/src/canned/queries.ts': 'reads the file of queries that the operator named',
  'servers/sqlite/src/charting/png.ts': 'reads the font and the renderer beside the program',
  'servers/sqlite/src/copies/temporary-copy.ts': 'removes copies in the folder of its own',
  'servers/sqlite/src/databases/create.ts': 'makes the database that the operator named',
  'servers/sqlite/src/databases/default.ts':
    'looks whether folders that the boundary has searched were changed',
  'servers/sqlite/src/lane/connection.ts': 'looks whether SQLite has opened what the boundary has seen',
  'servers/sqlite/src/lane/copies/undo-copy.ts': 'undo points in the folder of its own',
  'servers/sqlite/src/lane/journal.ts':
    'looks at what SQLite would open beside a database, in the lane and before it does',
  'servers/sqlite/src/lanes/limits.ts': 'reads what the system says of its own limits',
  'servers/sqlite/src/machine.ts': 'looks how the driver beside the program was built',
  'servers/sqlite/src/shared/spool.ts': 'pages of results in the folder of its own',
  'servers/sqlite/src/resources/reading.ts': 'results in the folder of its own',
  'servers/sqlite/src/results/store.ts': 'results in the folder of its own',
  'servers/sqlite/src/tools/backup-database.ts': 'reads the copy in the folder of its own',
  'servers/sqlite/src/tools/restore-database.ts': 'copies an undo point within the folder of its own',
  'servers/sqlite/src/undo/points.ts': 'undo points in the folder of its own',
  'servers/sqlite/src/lane/verbs/backup.ts': 'the size of a copy that it writes into the folder of its own',
  'servers/sqlite/src/lane/verbs/query/read-transaction.ts': 'looks at the file that its connection has open',
  'servers/sqlite/src/lane/verbs/restore.ts': 'looks at the copy in the folder of its own that it reads',
  'servers/sqlite/src/lane/verbs/write-result.ts': 'writes a result into the folder of its own',
  'servers/sqlite/src/lane/watching/files.ts':
    'opens the files of a database for reading, and holds them to what its connection has open',
};

/** Functions that take a handle, which the boundary has verified. */
const onHandles = new Set([
  ...['read', 'readSync', 'writeSync', 'fstatSync', 'ftruncateSync', 'closeSync'],
  'constants',
]);

/** Returns the values, not types, that a file imports from node:fs. */
function pathTaking(text: string): string[] {
  const imports = text.matchAll(/import\s+(?!type\b)([^;]*?)\s+from\s+'(?:node:)?fs(?:\/promises)?'/g);
  return [...imports]
    .flatMap(([, names]) => names!.replace(/[{}]/g, '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type ') && !onHandles.has(name.split(' ')[0]!));
}

/** Returns each file that imports functions of node:fs with a path, with their names. */
function pathTakers(): Map<string, string[]> {
  const folders = [
    ...['packages/kit/src', 'packages/protocol/src'],
    ...['servers/filesystem/src', 'servers/git/src', 'servers/sqlite/src', 'servers/fetch/src'],
  ];
  const found = new Map<string, string[]>();
  for (const [file, imports] of readGraph(root, folders)) {
    if (!imports.some((target) => /^(node:)?fs(\/|$)/.test(target))) continue;
    const names = pathTaking(readFileSync(join(root, file), 'utf8'));
    if (names.length > 0) found.set(file, names);
  }
  return found;
}

test('only the boundary opens files by path; all other code uses verified handles', () => {
  const others = [...pathTakers()].filter(
    ([file]) => !Object.keys(allowed).some((prefix) => file.startsWith(prefix)),
  );
  expect(others.map(([file, names]) => `${file} takes ${names.join(', ')} from node:fs`)).toEqual([]);
});

test('every file that may open files does so', () => {
  const takers = [...pathTakers().keys()];
  const idle = Object.keys(allowed).filter((prefix) => !takers.some((file) => file.startsWith(prefix)));
  expect(idle).toEqual([]);
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
    if (!imports.some((target) => target.endsWith('boundary/verifying/verification.ts'))) continue;
    const text = readFileSync(join(root, file), 'utf8');
    expect([file, text.includes('withoutVerification')]).toEqual([file, false]);
  }
});
