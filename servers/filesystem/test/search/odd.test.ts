import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { content, names, put, searchTests } from './harness.ts';

const { start, tree, open, builtDirectory } = searchTests();
const posix = process.platform !== 'win32';
const linux = process.platform === 'linux';

// `mkdir -p` in steps: the whole path exceeds the limit of the system
function deepTree(levels: number, also = ''): string {
  const path = tree();
  const made = spawnSync(
    process.execPath,
    [
      '-e',
      `const fs = require('node:fs');
      for (let level = 0; level < ${levels}; level++) {
        fs.writeFileSync('m-' + level, 'NEEDLE'); fs.mkdirSync('zz'); fs.mkdirSync('level-' + level);
        fs.writeFileSync('zz/z', 'NEEDLE'); ${also}process.chdir('level-' + level);
      }`,
    ],
    { cwd: path },
  );
  expect(made.status).toBe(0);
  onTestFinished(() => {
    spawnSync('rm', ['-rf', path]);
  });
  return path;
}

/** A path of so many names is longer than the system takes at once. */
const LEVELS = full ? 900 : 600;

describe.runIf(linux)(`a tree ${LEVELS} levels deep`, () => {
  test('is searched at all levels, in order', async () => {
    const path = deepTree(LEVELS);
    const { search } = start({ workers: 3 });
    const found = await search(names(open(path), { types: ['file'] }));
    expect([found.names.length, found.counts.directoriesSeen, found.counts.errors]).toEqual([
      2 * LEVELS,
      2 * LEVELS,
      0,
    ]);
    expect(found.names[0]!.path.split('/')).toHaveLength(LEVELS);
    expect((await start({ workers: 1 }).search(names(open(path), { types: ['file'] }))).names).toEqual(
      found.names,
    );
    expect(found.names.at(-1)!.path).toBe('zz/z');
    const page = await search(names(open(path), { types: ['file'], limit: LEVELS - 200 }));
    const rest = await search(names(open(path), { types: ['file'], after: page.next! }));
    expect([...page.names, ...rest.names]).toEqual(found.names);
  });

  test('with ignore files at every level applies each of them', async () => {
    const path = deepTree(LEVELS / 3, "fs.writeFileSync('.gitignore', 'm-' + (level + 1)); ");
    const root = open(path);
    const query = names(root, {
      types: ['file'],
      include: ['m-*', '**/m-*'],
      ignoring: { top: root, pathToRoot: '' },
    });
    const found = await start({ workers: 3 }).search(query);
    expect([found.names.map((name) => name.path), found.counts.ignored]).toEqual([['m-0'], LEVELS / 3 - 1]);
  });

  test('needs few descriptors', () => {
    const path = deepTree(LEVELS);
    const script = `
      const { createSearch } = require(${JSON.stringify(join(builtDirectory(), 'index.js'))});
      const fd = require('node:fs').openSync(${JSON.stringify(path)});
      createSearch({ workers: 2 })
        .search({ kind: 'content', root: { fd, path: '' }, pattern: 'NEEDLE', mode: 'literal', include: [],
          exclude: [], limit: 5000, output: 'files' })
        .then(({ files, counts }) => console.log(files.length, counts.errors));`;
    const ran = spawnSync('sh', ['-c', 'ulimit -n 256; exec "$0" -e "$1"', process.execPath, script], {
      encoding: 'utf8',
    });
    expect([ran.stdout, ran.stderr]).toEqual([`${2 * LEVELS} 0\n`, '']);
  });
});

describe.runIf(posix)('entries that are not files', () => {
  test('pipes, sockets and devices are named and never opened', async () => {
    const path = tree({ 'x.txt': 'NEEDLE' });
    expect(spawnSync('mkfifo', [join(path, 'pipe')]).status).toBe(0);
    const server = createServer().listen(join(path, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    const { search } = start();
    const named = await search(names(open(path)));
    expect(named.names.map(({ path, type }) => `${path} ${type}`)).toEqual([
      'pipe other',
      'socket other',
      'x.txt file',
    ]);
    const searched = await search(content(open(path), 'NEEDLE'));
    expect([searched.matches.length, searched.counts.filesSearched, searched.counts.errors]).toEqual([
      1, 1, 0,
    ]);
    server.close();
  });

  test.runIf(linux)('a device directory is searched without waiting for a device', async () => {
    const { search } = start();
    const searched = await search(
      content(open('/dev'), 'no such text', { include: ['*'], exclude: ['shm'] }),
    );
    expect(searched.matches).toEqual([]);
  });

  test('links to files and directories are not followed', async () => {
    const outside = tree({ 'secret.txt': 'NEEDLE', 'dir/secret.txt': 'NEEDLE' });
    const path = tree({ 'own.txt': 'NEEDLE' });
    symlinkSync(join(outside, 'secret.txt'), join(path, 'file-link'));
    symlinkSync(join(outside, 'dir'), join(path, 'dir-link'));
    symlinkSync('own.txt', join(path, 'inner-link'));
    for (const access of ['kernel', 'best-effort'] as const) {
      const searched = await start({ access }).search(content(open(path), 'NEEDLE'));
      expect(searched.matches.map(({ path }) => path)).toEqual(['own.txt']);
    }
  });
});

describe.runIf(linux)('names', () => {
  test.each(['kernel', 'best-effort'] as const)(
    'of any bytes are searched, shown as one line, and paged through (%s)',
    async (access) => {
      const path = tree();
      const raw = (text: string) => Buffer.concat([Buffer.from(`${path}/`), Buffer.from(text, 'latin1')]);
      for (const name of [
        'a\nb.txt',
        'bad\xff\xfe.txt',
        'tab\there',
        'back\\slash',
        'esc\x1b[31m',
        '\xe2\x80\xaertl',
      ]) {
        const fd = openSync(raw(name), 'w');
        writeSync(fd, 'NEEDLE');
        closeSync(fd);
      }
      mkdirSync(raw('dir\xc3'));
      const fd = openSync(raw('dir\xc3/\xc3\xa9.txt'), 'w');
      writeSync(fd, 'NEEDLE');
      closeSync(fd);
      const root = open(path);
      const { search } = start({ access });
      const found = await search(content(root, 'NEEDLE', { output: 'files' }));
      const displayed = [
        'a\\nb.txt',
        'back\\slash',
        'bad\\xff\\xfe.txt',
        'dir\\xc3/é.txt',
        'esc\\x1b[31m',
        'tab\\there',
        '\\u202ertl',
      ];
      expect(found.files.map((file) => file.path)).toEqual(displayed);
      const paged: string[] = [];
      for (let after: { path: string } | undefined; ; ) {
        const page = await search(
          content(root, 'NEEDLE', { output: 'files', limit: 1, ...(after && { after }) }),
        );
        paged.push(...page.files.map((file) => file.path));
        if (page.next === undefined) break;
        after = page.next;
      }
      expect(paged).toEqual(displayed);
    },
  );
});

test('a directory of many thousand entries is split between workers and searched completely', async () => {
  const path = tree({ first: 'NEEDLE' });
  mkdirSync(join(path, 'flat'));
  for (let file = 0; file < 12_000; file++) linkSync(join(path, 'first'), join(path, 'flat', `file-${file}`));
  const root = open(path);
  const { search } = start({ workers: 4 });
  const found = await search(content(root, 'NEEDLE', { output: 'counts', limit: 20_000 }));
  expect([found.files.length, new Set(found.files.map((file) => file.path)).size]).toEqual([12_001, 12_001]);
  const paths = found.files.map((file) => file.path);
  expect(paths).toEqual([...paths].sort());
  expect((await search(names(root, { limit: 20_000 }))).names).toHaveLength(12_002);
});

test.runIf(linux)('a file that cannot be read is counted and named, and the rest is searched', async () => {
  const { search } = start();
  const root = open('/proc/self');
  const searched = await search(content(root, 'Name:', { include: ['./mem', './status'] }));
  expect(searched.matches.map(({ path, line }) => [path, line])).toEqual([['status', 1]]);
  expect([searched.counts.errors, searched.failures]).toEqual([1, [{ path: 'mem', code: 'EIO' }]]);
});

test.runIf(linux)('entries without permission are counted and named, and the rest is searched', () => {
  const path = tree({
    'open/x': 'NEEDLE',
    'sealed.txt': 'NEEDLE',
    'shut/x': 'NEEDLE',
    'open/.gitignore': 'x',
  });
  for (const open of [builtDirectory(), dirname(path), path]) chmodSync(open, 0o755);
  for (const shut of ['sealed.txt', 'shut', 'open/.gitignore']) chmodSync(join(path, shut), 0);
  // root may read anything; the program itself may be in a folder that only root may read
  const script = `
    if (process.getuid?.() === 0) {
      process.setgroups([]);
      process.setgid(65_534);
      process.setuid(65_534);
    }
    const { createSearch } = require(${JSON.stringify(join(builtDirectory(), 'index.js'))});
    const path = ${JSON.stringify(path)};
    const root = { fd: require('node:fs').openSync(path), path };
    createSearch()
      .search({ kind: 'content', root, ignoring: { top: root, pathToRoot: '' }, pattern: 'NEEDLE', mode: 'literal',
        include: [], exclude: [], limit: 10, output: 'files' })
      .then(({ files, counts, failures }) => console.log(JSON.stringify([files, counts.errors, failures])));`;
  const ran = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: '/' });
  expect([ran.stdout && JSON.parse(ran.stdout), ran.stderr]).toEqual([
    [
      [{ path: 'open/x' }],
      4,
      ['open/.gitignore', 'open/.gitignore', 'sealed.txt', 'shut'].map((name) => ({
        path: name,
        code: 'EACCES',
      })),
    ],
    '',
  ]);
});

test('an empty root has nothing, and an empty file no lines', async () => {
  const { search } = start();
  expect((await search(names(open(tree())))).names).toEqual([]);
  const root = open(tree({ empty: '' }));
  expect((await search(content(root, '^', { mode: 'regex' }))).matches).toEqual([]);
  writeFileSync(join(root.path, 'empty'), '\n');
  put(root.path, 'sub/one', 'x');
  const lines = await search(content(root, '^', { mode: 'regex' }));
  expect(lines.matches.map(({ path, line }) => [path, line])).toEqual([
    ['empty', 1],
    ['sub/one', 1],
  ]);
});
