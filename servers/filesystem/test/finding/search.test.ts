import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { full } from '../../../../test/extent.ts';
import { halves, pages, type Result, type Served, servedTests } from '../listing/served.ts';

const tests = servedTests();

function found(results: Result[]): string[] {
  return results.flatMap(({ structuredContent }) =>
    structuredContent.files.flatMap(({ path, matches = [] }) =>
      matches.map(({ line, text }) => `${path}:${line}:${text}`),
    ),
  );
}

async function text(served: Served, name: string, args: Record<string, unknown>): Promise<string> {
  return (await served.call(name, args)).content[0]!.text;
}

test('files are found by a part of their name, ignoring case, with paths that tools accept', async () => {
  for (const path of ['src/ReadMe.md', 'src/other.ts', 'readme/x']) tests.put(path);
  const served = await tests.session();
  const { content, structuredContent } = await served.call('search_files', {
    path: tests.root,
    pattern: 'readme',
  });
  expect(structuredContent).toEqual({
    matches: [
      { path: join(tests.root, 'readme'), type: 'directory' },
      { path: join(tests.root, 'src/ReadMe.md'), type: 'file' },
    ],
    truncated: false,
  });
  expect(content[0]!.text).toBe(`${tests.root}/readme/\n${tests.root}/src/ReadMe.md`);
  for (const path of ['src', './src', 'src/', `file://${tests.root}/src`, `"${tests.root}/src"`]) {
    const result = await served.call('search_files', { path, pattern: 'readme' });
    const match = result.structuredContent.matches[0]!;
    expect((await served.call('get_file_info', { path: match.path })).isError).toBeUndefined();
  }
});

test('a glob without a slash matches direct entries only, and no match is reported', async () => {
  tests.put('top.ts');
  tests.put('sub/deep.tsx');
  const served = await tests.session();
  expect(await text(served, 'search_files', { path: '.', pattern: '*.ts' })).toBe('top.ts');
  expect(await text(served, 'search_files', { path: '.', pattern: '**/*.ts*' })).toBe('sub/deep.tsx\ntop.ts');
  expect(await text(served, 'search_files', { path: '.', pattern: '*.tsx' })).toBe(
    '[no matches in 1 file; *.tsx matches only direct entries, **/*.tsx at any depth]',
  );
});

test('node_modules is excluded unless excludePatterns is set', async () => {
  for (const path of ['node_modules/x', 'a/x', 'b/x']) tests.put(path);
  const served = await tests.session();
  expect(await text(served, 'search_files', { path: '.', pattern: '**/x' })).toBe('a/x\nb/x');
  const args = { path: '.', pattern: '**/x', excludePatterns: ['[ab]'] };
  expect(await text(served, 'search_files', args)).toBe('node_modules/x');
});

test('pages of found names stay within the size limit and are complete, including odd names', async () => {
  for (let index = 0; index < 300; index++)
    tests.put(`d${index % 3}/${'n'.repeat(index % 50)}${index}${index % 2 ? '\n\u0003' : 'ü'}`);
  const served = await tests.session(2000);
  const all = await pages(served, 'search_files', { path: '.', pattern: '*/*' });
  for (const page of all) expect(Math.max(...halves(page))).toBeLessThanOrEqual(2000);
  const whole = await (await tests.session(10_000_000)).call('search_files', { path: '.', pattern: '*/*' });
  const names = (results: Result[]): string[] =>
    results.flatMap(({ structuredContent }) => structuredContent.matches.map((match) => match.path));
  expect(names([whole])).toHaveLength(300);
  expect(names(all)).toEqual(names([whole]));
});

test('a page that is cut after an escaped name continues after that name', async () => {
  for (const name of ['x', 'x\n', 'x\u0001', 'x0', 'x5', 'x9', 'xA', 'x[', 'x]', 'xa'])
    tests.put(name, 'hit\nhit\n');
  const names = ['x', 'x\\x01', 'x\\n', 'x0', 'x5', 'x9', 'xA', 'x[', 'x]', 'xa'];
  for (let budget = 100; budget < 700; budget += full ? 12 : 84) {
    const served = await tests.session(budget);
    const listed = await pages(served, 'search_files', { path: '.', pattern: 'x' });
    expect(
      listed.flatMap(({ structuredContent }) => structuredContent.matches.map(({ path }) => path)),
    ).toEqual(names);
    const tree = await pages(served, 'directory_tree', { path: '.' });
    expect(
      tree.flatMap(({ structuredContent }) => structuredContent.entries.map(({ path }) => path)),
    ).toEqual(names);
    const lines = await pages(served, 'search_content', { path: '.', pattern: 'hit' });
    expect(found(lines)).toEqual(names.flatMap((name) => [`${name}:1:hit`, `${name}:2:hit`]));
  }
});

test('matching lines have the format of ripgrep, with context lines once and gaps marked', async () => {
  tests.put('a.txt', 'one\ntwo hit\nthree\nfour hit\nfive\nsix\nseven\neight hit\n');
  tests.put('b.txt', 'hit\r\n');
  const served = await tests.session();
  expect(await text(served, 'search_content', { path: '.', pattern: 'hit' })).toBe(
    'a.txt:2: two hit\na.txt:4: four hit\na.txt:8: eight hit\nb.txt:1: hit',
  );
  expect(await text(served, 'search_content', { path: '.', pattern: 'hit', contextLines: 1 })).toBe(
    [
      'a.txt-1- one',
      'a.txt:2: two hit',
      'a.txt-3- three',
      'a.txt:4: four hit',
      'a.txt-5- five',
      '--',
      'a.txt-7- seven',
      'a.txt:8: eight hit',
      '--',
      'b.txt:1: hit',
    ].join('\n'),
  );
});

test('the structured half groups lines by file and counts the searched files', async () => {
  tests.put('a.txt', 'one\nhit\nthree\n');
  tests.put('image.png', Buffer.from([0, 1, 2]));
  const served = await tests.session();
  const { structuredContent } = await served.call('search_content', {
    path: '.',
    pattern: 'hit',
    contextLines: 1,
  });
  expect(structuredContent).toEqual({
    files: [{ path: 'a.txt', matches: [{ line: 2, text: 'hit', before: ['one'], after: ['three'] }] }],
    searched: 1,
    binary: 1,
    truncated: false,
  });
});

test('output files names them, counts counts their lines', async () => {
  tests.put('a.txt', 'hit\nhit hit\n');
  tests.put('b.txt', 'miss\n');
  const served = await tests.session();
  const files = await served.call('search_content', { path: '.', pattern: 'hit', output: 'files' });
  const counts = await served.call('search_content', { path: '.', pattern: 'hit', output: 'counts' });
  expect([files.structuredContent.files, files.content[0]!.text]).toEqual([[{ path: 'a.txt' }], 'a.txt']);
  expect([counts.structuredContent.files, counts.content[0]!.text]).toEqual([
    [{ path: 'a.txt', count: 2 }],
    'a.txt: 2',
  ]);
});

test('a pattern is literal unless regex is set, and case-sensitive unless ignoreCase is set', async () => {
  tests.put('a.txt', 'a.c\nabc\nABC\n');
  const served = await tests.session();
  const lines = async (args: object): Promise<string[]> =>
    found([await served.call('search_content', { path: 'a.txt', ...args })]).map(
      (line) => line.split(':')[2]!,
    );
  expect(await lines({ pattern: 'a.c' })).toEqual(['a.c']);
  expect(await lines({ pattern: 'a.c', regex: true })).toEqual(['a.c', 'abc']);
  expect(await lines({ pattern: '^abc$', regex: true, ignoreCase: true })).toEqual(['abc', 'ABC']);
});

test('include and excludePatterns select files at any depth', async () => {
  for (const path of ['a.ts', 'sub/b.ts', 'sub/c.js', 'gen/d.ts', 'node_modules/e.ts'])
    tests.put(path, 'hit');
  const served = await tests.session();
  const args = { path: '.', pattern: 'hit', output: 'files', include: ['*.ts'] };
  expect(await text(served, 'search_content', args)).toBe('a.ts\ngen/d.ts\nsub/b.ts');
  expect(await text(served, 'search_content', { ...args, excludePatterns: ['gen'] })).toBe(
    'a.ts\nnode_modules/e.ts\nsub/b.ts',
  );
  expect(await text(served, 'search_content', { ...args, include: ['sub/**'] })).toBe('sub/b.ts\nsub/c.js');
});

test.each(['plain.txt', 'a*b.txt', '[x]{y,z}.txt', 'back\\slash', '!not(this)', '.gitignore', 'ünï', 'a b'])(
  'a path of a file searches that file alone: %s',
  async (name) => {
    for (const other of [name, `${name}x`, `x${name}`, 'ab.txt', 'y.txt'])
      tests.put(`d/${other}`, `hit in ${other}`);
    const served = await tests.session();
    const result = await served.call('search_content', { path: join('d', name), pattern: 'hit' });
    expect(found([result])).toEqual([`d/${name}:1:hit in ${name}`]);
  },
);

test('a link to a file inside the roots is searched, one to a file outside is reported as missing', async () => {
  tests.put('deep/file.txt', 'hit');
  writeFileSync(join(tests.outside, 'secret.txt'), 'hit');
  symlinkSync('deep/file.txt', join(tests.root, 'in'));
  symlinkSync(join(tests.outside, 'secret.txt'), join(tests.root, 'out'));
  const served = await tests.session();
  expect(await text(served, 'search_content', { path: 'in', pattern: 'hit' })).toBe('in:1: hit');
  expect(await text(served, 'search_content', { path: 'out', pattern: 'hit' })).toMatch(
    /^no such file or folder: out\n/,
  );
  expect(await text(served, 'search_content', { path: '.', pattern: 'hit' })).toBe('deep/file.txt:1: hit');
});

test('a pipe is refused and does not block the call', async () => {
  execFileSync('mkfifo', [join(tests.root, 'pipe')]);
  const served = await tests.session();
  expect(await text(served, 'search_content', { path: 'pipe', pattern: 'x' })).toMatch(
    /^not a regular file: pipe/,
  );
  expect(await text(served, 'search_content', { path: '.', pattern: 'x' })).toBe('[no matches in 0 files]');
});

test('without a match the text reports the searched and the skipped files', async () => {
  tests.put('a.txt', 'a');
  tests.put('b.bin', Buffer.from([0]));
  const served = await tests.session();
  expect(await text(served, 'search_content', { path: '.', pattern: 'x' })).toBe(
    '[no matches in 1 file; 1 binary file skipped]',
  );
});

test.each([{ limit: 7 }, { limit: 2000 }, { limit: 2000, contextLines: 2 }])(
  'pages of matching lines with %o stay within the size limit and are complete',
  async (args) => {
    for (let index = 0; index < 12; index++) {
      const lines = Array.from(
        { length: 40 },
        (_, line) => `${'w'.repeat((line * 7) % 90)}"\u0001 hit ${index} ${line}`,
      );
      tests.put(`d/${index}${index % 3 === 0 ? '\n' : ''}.txt`, lines.join('\n'));
    }
    const served = await tests.session(4000);
    const all = await pages(served, 'search_content', { path: '.', pattern: 'hit', ...args });
    for (const page of all) expect(Math.max(...halves(page))).toBeLessThanOrEqual(4000);
    const roomy = await tests.session(10_000_000);
    const whole = await roomy.call('search_content', { path: '.', pattern: 'hit', limit: 2000 });
    expect(found([whole])).toHaveLength(480);
    expect(found(all)).toEqual(found([whole]));
  },
);

test.each(['files', 'counts'])('pages of %s stay within the size limit and are complete', async (output) => {
  for (let index = 0; index < 200; index++) tests.put(`${'p'.repeat(index % 40)}${index}`, 'hit\n');
  const served = await tests.session(1500);
  const all = await pages(served, 'search_content', { path: '.', pattern: 'hit', output });
  for (const page of all) expect(Math.max(...halves(page))).toBeLessThanOrEqual(1500);
  const listed = all.flatMap(({ structuredContent }) => structuredContent.files.map((file) => file.path));
  expect([listed.length, new Set(listed).size]).toEqual([200, 200]);
});

test('an invalid pattern is refused with one line', async () => {
  tests.put('a.txt', 'x');
  const served = await tests.session();
  for (const args of [{ pattern: '(', regex: true }, { pattern: '' }, { pattern: 'two\nlines' }]) {
    const { isError, content, _meta } = await served.call('search_content', { path: '.', ...args });
    expect([isError, _meta?.failure.code]).toEqual([true, 'invalid-arguments']);
    expect(content[0]!.text).toMatch(/^pattern [^\n]+$/);
  }
});

test('a cursor of another pattern is refused', async () => {
  tests.put('a.txt', 'hit\nhit\nhit\n');
  const served = await tests.session();
  const { structuredContent } = await served.call('search_content', { path: '.', pattern: 'hit', limit: 1 });
  const { nextCursor: cursor } = structuredContent;
  expect(await text(served, 'search_content', { path: '.', pattern: 'other', cursor })).toMatch(
    /^cursor continues/,
  );
  expect(await text(served, 'search_files', { path: '.', pattern: 'hit', cursor })).toMatch(
    /^cursor is not one/,
  );
});

test('a search in a huge file reports progress, lets other calls run, and gives no answer when cancelled', async () => {
  mkdirSync(join(tests.root, 'd'));
  tests.put('d/small.txt', 'needle');
  const vast = tests.put('d/vast.txt', `${'x'.repeat(9000)}\n`);
  // a sparse file: no disk space, gigabytes to read
  truncateSync(vast, 40 * 1024 ** 3);
  const served = await tests.session();
  const { id, progressed } = served.start('search_content', { path: 'd', pattern: 'no such thing' });
  await progressed;
  expect(await text(served, 'search_files', { path: 'd', pattern: 'small' })).toBe('d/small.txt');
  expect(served.answered.has(id)).toBe(false);
  served.cancel(id);
  // the worker is free only after it has left the file
  for (let again = 0; again < 4; again++) {
    expect(await text(served, 'search_content', { path: 'd/small.txt', pattern: 'needle' })).toBe(
      'd/small.txt:1: needle',
    );
  }
  expect(served.answered.has(id)).toBe(false);
});

test('a search in a root that is a file is refused with the tool to call', async () => {
  const file = tests.put('only.txt', 'hit');
  const served = await tests.serve({ roots: [{ path: file, readOnly: false }], maxOutput: 102_400 });
  expect(await text(served, 'search_content', { path: file, pattern: 'hit' })).toBe(
    `path is a root that is a file, which cannot be searched: ${file}\ncall read_text_file`,
  );
});

test('with --hard-links refuse, a search skips files with other hard links, and names them', async () => {
  linkSync(tests.put('a.txt', 'needle'), join(tests.outside, 'a'));
  tests.put('b.txt', 'needle');
  const root = { path: tests.root, readOnly: false };
  const served = await tests.serve({
    roots: [root],
    maxOutput: 102_400,
    extra: { 'hard-links': 'refuse' },
  });
  const { content, structuredContent } = await served.call('search_content', {
    path: '.',
    pattern: 'needle',
  });
  expect(content[0]!.text).toBe('b.txt:1: needle\n[1 unreadable: a.txt (linked)]');
  expect(structuredContent).toMatchObject({
    files: [{ path: 'b.txt' }],
    searched: 1,
    unreadable: '1 unreadable: a.txt (linked)',
  });
  const alone = await served.call('search_content', { path: 'a.txt', pattern: 'needle' });
  expect([alone.isError, alone._meta?.failure.code]).toEqual([true, 'linked']);
});
