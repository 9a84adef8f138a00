import { expect, test } from 'vitest';
import { pages, type Served, servedTests } from '../listing/served.ts';

const tests = servedTests();

async function lines(served: Served, args: Record<string, unknown>): Promise<string[]> {
  const { structuredContent } = await served.call('search_content', { path: '.', ...args });
  return structuredContent.files.flatMap(({ path, matches = [] }) =>
    matches.map(({ line }) => `${path}:${line}`),
  );
}

test.each([
  [{ pattern: 'cat' }, [1, 3, 5, 7, 9]],
  [{ pattern: 'CAT', ignoreCase: true }, [1, 3, 5, 7, 9, 10]],
  [{ pattern: 'c.t', regex: true }, [1, 3, 5, 7, 9]],
  [{ pattern: 'dog|cat', regex: true }, [1, 3, 5, 7, 9]],
  [{ pattern: '(c)(a)t', regex: true, ignoreCase: true }, [1, 3, 5, 7, 9, 10]],
  [{ pattern: 'é' }, [11]],
  [{ pattern: 'É', ignoreCase: true }, [11]],
])('wholeWord finds %o only without a letter, digit or underscore next to it', async (args, expected) => {
  const text = [
    'cat',
    'cats',
    'a cat',
    'concat',
    '(cat)',
    'cat_',
    'cat cats',
    'écat',
    'cats cat',
    'CAT',
    'é',
    'éa caté',
  ];
  tests.put('a.txt', text.join('\r\n'));
  const served = await tests.session();
  expect(await lines(served, { ...args, wholeWord: true })).toEqual(expected.map((line) => `a.txt:${line}`));
});

test('a pattern that is valid only inside the brackets of wholeWord is refused', async () => {
  const served = await tests.session();
  const { isError } = await served.call('search_content', {
    path: '.',
    pattern: 'a)(b',
    regex: true,
    wholeWord: true,
  });
  expect(isError).toBe(true);
});

test('maxPerFile limits the matches of each file over all pages, and marks files with more', async () => {
  tests.put('a', 'hit\n'.repeat(5));
  tests.put('b', 'hit\n'.repeat(2));
  tests.put('c', 'hit\n'.repeat(3));
  const served = await tests.session();
  const whole = await served.call('search_content', { path: '.', pattern: 'hit', maxPerFile: 2 });
  const matches = [1, 2].map((line) => ({ line, text: 'hit' }));
  expect(whole.structuredContent.files).toEqual([
    { path: 'a', matches, more: true },
    { path: 'b', matches },
    { path: 'c', matches, more: true },
  ]);
  expect(whole.content[0]!.text).toBe(
    [
      'a:1: hit',
      'a:2: hit',
      '[more matches in a; raise maxPerFile to list them]',
      'b:1: hit',
      'b:2: hit',
      'c:1: hit',
      'c:2: hit',
      '[more matches in c; raise maxPerFile to list them]',
    ].join('\n'),
  );
  const paged = await pages(served, 'search_content', { path: '.', pattern: 'hit', maxPerFile: 2, limit: 1 });
  const marks = paged.map(({ structuredContent: { files } }) =>
    files.map(({ path, ...file }) => [path, 'more' in file]),
  );
  expect(marks).toEqual([
    [['a', false]],
    [['a', true]],
    [['b', false]],
    [['b', false]],
    [['c', false]],
    [['c', true]],
  ]);
});

function utf16(text: string, order: 'big' | 'little'): Buffer {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'big' ? bytes.swap16() : bytes;
}

test.each(['little', 'big'] as const)(
  'a UTF-16 file with a byte order mark, %s endian, is searched as text',
  async (order) => {
    const text = Array.from(
      { length: 90_000 },
      (_, index) => `line ${index} ${'🦊é'.repeat(index % 3)}${index % 30_000 === 29_999 ? ' NEEDLE ü' : ''}`,
    );
    tests.put('wide.txt', utf16(text.join('\r\n'), order));
    tests.put('short.txt', utf16('NEEDLE', order));
    tests.put('nul.bin', utf16('NEEDLE\0', order));
    tests.put('half.txt', Buffer.concat([utf16('x NEEDLE', order), Buffer.from('x')]));
    const served = await tests.session();
    const { structuredContent } = await served.call('search_content', {
      path: '.',
      pattern: 'NEEDLE',
      contextLines: 1,
    });
    expect(structuredContent).toMatchObject({ searched: 3, binary: 1, truncated: false });
    expect(structuredContent.files).toEqual([
      { path: 'half.txt', matches: [{ line: 1, text: 'x NEEDLE' }] },
      { path: 'short.txt', matches: [{ line: 1, text: 'NEEDLE' }] },
      {
        path: 'wide.txt',
        matches: [30_000, 60_000, 90_000].map((line) => ({
          line,
          text: text[line - 1],
          before: [text[line - 2]],
          ...(line < 90_000 && { after: [text[line]] }),
        })),
      },
    ]);
  },
);

test('UTF-16 without a byte order mark and UTF-32 are binary', async () => {
  tests.put('bare', Buffer.from('NEEDLE', 'utf16le'));
  tests.put('utf32', Buffer.from('fffe00004e000000', 'hex'));
  const served = await tests.session();
  const { structuredContent } = await served.call('search_content', { path: '.', pattern: 'N' });
  expect(structuredContent).toEqual({ files: [], searched: 0, binary: 2, truncated: false });
});

test('a search in one file tells how many of its bytes it has been through', async () => {
  const size = tests.put('one.txt', `${'x'.repeat(999)}\n`.repeat(20_000)) && 20_000_000;
  const served = await tests.session();
  const { answer } = served.start('search_content', { path: 'one.txt', pattern: 'nothing' });
  await answer;
  expect(served.progress.at(-1)).toMatchObject({ progress: size, total: size });
  const steps = served.progress.map(({ progress }) => progress);
  expect(steps).toEqual([...steps].sort((a, b) => a - b));
});

test('with multiline a match may span lines, and files over 1 MiB are skipped and counted', async () => {
  tests.put('a.ts', 'one\r\ncall(\r\n  first,\r\n  second\r\n)\r\nlast\r\ncall( x )\r\n');
  tests.put('large.ts', 'call(\n)\n'.repeat(200_000));
  const served = await tests.session();
  const args = { path: '.', pattern: 'call\\((?s:.*?)\\)', regex: true, multiline: true, contextLines: 1 };
  const { content, structuredContent } = await served.call('search_content', args);
  expect(structuredContent).toEqual({
    files: [
      {
        path: 'a.ts',
        matches: [
          {
            line: 2,
            endLine: 5,
            text: 'call(\r\n  first,\r\n  second\r\n)',
            before: ['one'],
            after: ['last'],
          },
          { line: 7, text: 'call( x )', before: ['last'] },
        ],
      },
    ],
    searched: 1,
    large: 1,
    truncated: false,
  });
  expect(content[0]!.text).toBe(
    [
      'a.ts-1- one',
      'a.ts:2: call(',
      'a.ts:3:   first,',
      'a.ts:4:   second',
      'a.ts:5: )',
      'a.ts-6- last',
      'a.ts:7: call( x )',
      '[1 file over 1 MiB skipped]',
    ].join('\n'),
  );
  const paged = await pages(served, 'search_content', { ...args, limit: 1 });
  expect(
    paged.flatMap((page) => page.structuredContent.files.flatMap(({ matches = [] }) => matches)),
  ).toHaveLength(2);
});

test.each([
  [{ pattern: 'b\nc' }, [2]],
  [{ pattern: 'B\nc', ignoreCase: true }, [2]],
  [{ pattern: 'b\n', regex: false }, [2, 4]],
  [{ pattern: '^c$\\n^b$', regex: true }, [3]],
  [{ pattern: 'x*', regex: true }, [1, 2, 3, 4, 5]],
  [{ pattern: '\\z', regex: true }, [5]],
])('multiline finds %o', async (args, expected) => {
  tests.put('a', 'a\nb\nc\nb\nd');
  const served = await tests.session();
  const found = await lines(served, { ...args, multiline: true });
  expect(found).toEqual(expected.map((line) => `a:${line}`));
});
