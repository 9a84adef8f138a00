import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pages, type Served, servedTests } from '../listing/served.ts';
import { generateTree } from './trees.ts';

const tests = servedTests();
const GIT = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

async function filesIn(served: Served, args: Record<string, unknown> = {}): Promise<string[]> {
  const found = await served.call('search_files', {
    path: '.',
    pattern: '**',
    type: 'file',
    limit: 10_000,
    ...args,
  });
  return found.structuredContent.matches.map(({ path }) => path);
}

function put(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) tests.put(path, text);
}

describe('ignore files', () => {
  test.each<[rule: string, files: string[], left: string[]]>([
    ['*.log', ['a.log', 'sub/b.log', 'a.txt'], ['a.txt']],
    ['/a', ['a', 'sub/a'], ['sub/a']],
    ['build/', ['build/x', 'sub/build/x', 'other/build'], ['other/build']],
    ['sub/*.txt', ['sub/a.txt', 'sub/deep/a.txt', 'a.txt'], ['a.txt', 'sub/deep/a.txt']],
    ['**/gen/out', ['gen/out/x', 'p/gen/out/x', 'out/x'], ['out/x']],
    ['p/**/x', ['p/x', 'p/q/x', 'p/q/r/x', 'x'], ['x']],
    ['p/**', ['p/x', 'p/q/x', 'q'], ['q']],
    ['*.log\n!keep.log', ['a.log', 'keep.log'], ['keep.log']],
    ['build/\n!build/keep', ['build/keep', 'a'], ['a']],
    ['build/*\n!build/keep', ['build/keep', 'build/x', 'a'], ['a', 'build/keep']],
    ['\\#x\n\\!y', ['#x', '!y', 'z'], ['z']],
    ['# a comment\n\nb', ['a', 'b'], ['a']],
    ['a   \nb\\ ', ['a', 'b ', 'b'], ['b']],
    ['[ab].[!t]s', ['a.js', 'b.ts', 'c.js'], ['b.ts', 'c.js']],
    ['\ufeffa\r\nb\r\n', ['a', 'b', 'c'], ['c']],
    ['a?c', ['abc', 'a/c', 'ac'], ['a/c', 'ac']],
    ['é*', ['école', 'ecole'], ['ecole']],
  ])('the rule %j', async (rule, files, left) => {
    put({ '.gitignore': rule, ...Object.fromEntries(files.map((file) => [file, ''])) });
    const served = await tests.session();
    expect(await filesIn(served)).toEqual(['.gitignore', ...left].sort());
    expect(await filesIn(served, { ignoreFiles: false })).toEqual(['.gitignore', ...files].sort());
  });

  test('a nested ignore file takes precedence over outer ones, and any .ignore over .gitignore', async () => {
    put({
      '.gitignore': '*.log\n*.tmp\n',
      '.ignore': '!a.tmp\nsecret.txt\n',
      'sub/.gitignore': '!b.log\na.tmp\n!secret.txt\n',
    });
    for (const name of ['a.log', 'b.log', 'a.tmp', 'b.tmp', 'secret.txt'])
      put({ [name]: '', [`sub/${name}`]: '' });
    const served = await tests.session();
    expect(await filesIn(served)).toEqual([
      '.gitignore',
      '.ignore',
      'a.tmp',
      'sub/.gitignore',
      'sub/a.tmp',
      'sub/b.log',
    ]);
  });

  test('a nested repository ends the outer .gitignore, and the outer .ignore still applies', async () => {
    put({
      '.gitignore': '*.log',
      '.ignore': '*.tmp',
      '.git/info/exclude': 'c',
      'sub/.git/info/exclude': 'b',
    });
    put({ 'work/.git': 'gitdir: elsewhere' });
    for (const folder of ['', 'sub/', 'work/']) {
      for (const name of ['a.log', 'a.tmp', 'b', 'c']) put({ [folder + name]: '' });
    }
    const served = await tests.session();
    const left = await filesIn(served, { pattern: '**/{a.log,a.tmp,b,c}' });
    expect(left).toEqual(['b', 'sub/a.log', 'sub/c', 'work/a.log', 'work/b', 'work/c']);
  });

  test('ignore files of the ancestors up to the root apply, and a named directory is searched', async () => {
    put({ '.gitignore': 'build/\n/src/gen\n*.log', 'src/.ignore': 'app/x', 'src/app/.gitignore': 'y' });
    for (const name of [
      'src/app/x',
      'src/app/y',
      'src/app/z',
      'src/app/a.log',
      'src/gen/g',
      'build/b',
      'build/b.log',
    ])
      put({ [name]: '' });
    const served = await tests.session();
    expect(await filesIn(served, { path: 'src/app' })).toEqual(['src/app/.gitignore', 'src/app/z']);
    expect(await filesIn(served, { path: 'src' })).toEqual([
      'src/.ignore',
      'src/app/.gitignore',
      'src/app/z',
    ]);
    expect(await filesIn(served, { path: 'build' })).toEqual(['build/b']);
    const inner = await tests.serve({
      roots: [{ path: join(tests.root, 'src/app'), readOnly: false }],
      maxOutput: 100_000,
    });
    expect(await filesIn(inner, { path: '.' })).toEqual(['.gitignore', 'a.log', 'x', 'z']);
  });

  test('trees and content searches apply them, and report the number of ignored entries', async () => {
    put({ '.gitignore': 'out/\n*.log', 'out/x': 'hit', 'a.log': 'hit', 'a.txt': 'hit' });
    const served = await tests.session();
    const tree = await served.call('directory_tree', { path: '.' });
    expect(tree.structuredContent).toMatchObject({
      entries: [{ path: '.gitignore' }, { path: 'a.txt' }],
      ignored: 2,
    });
    expect(tree.content[0]!.text).toBe(
      '.gitignore\na.txt\n[2 excluded by ignore files; set ignoreFiles to false to include them]',
    );
    const content = await served.call('search_content', { path: '.', pattern: 'hit' });
    expect(content.structuredContent).toMatchObject({ files: [{ path: 'a.txt' }], searched: 2, ignored: 2 });
    const all = await served.call('search_content', { path: '.', pattern: 'hit', ignoreFiles: false });
    expect(all.structuredContent.files.map(({ path }) => path)).toEqual(['a.log', 'a.txt', 'out/x']);
    expect(all.structuredContent).not.toHaveProperty('ignored');
    const named = await served.call('search_content', { path: 'out/x', pattern: 'hit' });
    expect(named.structuredContent.files).toHaveLength(1);
  });

  test('a link, a pipe or a file over the size limit has no effect, and an unreadable one is named', async () => {
    writeFileSync(join(tests.outside, 'rules'), 'a');
    put({ a: '', 'sub/a': '', 'sub/b': '', 'large/a': '', 'large/.gitignore': 'a\n'.repeat(600_000) });
    symlinkSync(join(tests.outside, 'rules'), join(tests.root, '.gitignore'));
    execFileSync('mkfifo', [join(tests.root, 'sub/.gitignore')]);
    const served = await tests.session();
    const { structuredContent } = await served.call('search_files', { path: '.', pattern: '**/a' });
    expect(structuredContent.matches.map(({ path }) => path)).toEqual(['a', 'large/a', 'sub/a']);
    expect(structuredContent).toMatchObject({
      unreadable: '1 unreadable: large/.gitignore (EFBIG)',
    });
  });

  test.each(Array.from({ length: 12 }, (_, index) => 1000 + index))(
    'match like git, in a tree generated from %i',
    async (seed) => {
      const { files, ignoreFiles, exclude } = generateTree(seed);
      for (const file of files) tests.put(file);
      for (const [file, text] of ignoreFiles) tests.put(file, text);
      execFileSync('git', ['init', '-q', '--template=', tests.root], { env: GIT });
      if (exclude !== undefined) tests.put('.git/info/exclude', exclude);
      const listed = execFileSync('git', ['-C', tests.root, 'ls-files', '-o', '-z', '--exclude-standard'], {
        env: GIT,
      });
      const expected = listed.toString('latin1').split('\0').filter(Boolean).sort();
      const served = await tests.session(1_000_000);
      const found = await filesIn(served, { path: '.', excludePatterns: ['.git'] });
      const foundBytes = found.map((path) => Buffer.from(path).toString('latin1')).sort();
      expect(foundBytes).toEqual(expected);
      expect(foundBytes.length).toBeLessThan(files.length);
      const all = await pages(served, 'search_files', {
        path: '.',
        pattern: '**',
        type: 'file',
        limit: 7,
        excludePatterns: ['.git'],
      });
      expect(
        all.flatMap(({ structuredContent }) => structuredContent.matches.map(({ path }) => path)),
      ).toEqual(found);
    },
  );

  test.runIf(process.platform === 'linux')('names of any bytes are matched byte by byte', async () => {
    const raw = (name: string): Buffer =>
      Buffer.concat([Buffer.from(`${tests.root}/`), Buffer.from(name, 'latin1')]);
    for (const name of ['bad\xff1', 'bad\xfe2', 'two\nlines', 'kept\xff']) writeFileSync(raw(name), '');
    writeFileSync(raw('.gitignore'), Buffer.from('bad\xff*\nbad[\xfe]?\ntwo?lines\n', 'latin1'));
    const served = await tests.session();
    expect(await filesIn(served)).toEqual(['.gitignore', 'kept\\xff']);
  });

  test('a rule that makes backtracking matchers hang is matched in linear time', async () => {
    put({ '.gitignore': `${'*a'.repeat(60)}b\n${'**/a/'.repeat(30)}b\n`, [`${'a'.repeat(200)}`]: '' });
    mkdirSync(join(tests.root, ...Array.from({ length: 60 }, () => 'a')), { recursive: true });
    const served = await tests.session();
    expect(await filesIn(served)).toHaveLength(2);
  });
});
