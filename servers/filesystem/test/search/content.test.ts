import { linkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampled } from '../../../../test/extent.ts';
import { content, searchTests } from './harness.ts';

const { start, tree, open } = searchTests();

describe.each(sampled(['kernel', 'best-effort'] as const, 2))('content, %s access', (access) => {
  const options = { access, workers: 2 };

  test('a match has its line, column, text and context', async () => {
    const root = open(tree({ 'a/x.txt': 'one\ntwo\r\nthréé NEEDLE x NEEDLE\nfour\nfive', 'b.txt': 'no' }));
    const outcome = await start(options).search(content(root, 'NEEDLE', { contextLines: 2 }));
    expect(outcome.matches).toEqual([
      {
        path: 'a/x.txt',
        line: 3,
        column: 7,
        text: 'thréé NEEDLE x NEEDLE',
        before: ['one', 'two'],
        after: ['four', 'five'],
      },
    ]);
    expect(outcome.counts).toMatchObject({ filesSeen: 2, filesSearched: 2, errors: 0 });
  });

  test('include and exclude select the files', async () => {
    const root = open(tree({ 'a.ts': 'x', 'a.js': 'x', 'src/b.ts': 'x', 'node_modules/c.ts': 'x' }));
    const outcome = await start(options).search(
      content(root, 'x', { include: ['**/*.ts'], exclude: ['node_modules'], output: 'files' }),
    );
    expect(outcome.files).toEqual([{ path: 'a.ts' }, { path: 'src/b.ts' }]);
    expect(outcome.counts.filesSearched).toBe(2);
  });

  test('binary files and files above the size limit are skipped and counted', async () => {
    const root = open(
      tree({
        'a.bin': Buffer.from('x\0x'),
        'b.txt': 'x',
        'c.txt': `${'-'.repeat(2000)}x`,
        'd.txt': `${'-\n'.repeat(200_000)}x`,
      }),
    );
    const outcome = await start(options).search(content(root, 'x', { maxFileBytes: 1000 }));
    expect(outcome.matches.map(({ path }) => path)).toEqual(['b.txt']);
    expect(outcome.counts).toMatchObject({ filesSkippedBinary: 1, filesSkippedLarge: 2, filesSearched: 1 });
  });

  test.each(['path', 'modified'] as const)(
    'with hardLinks refuse, files with other hard links are named and not read, sorted by %s',
    async (sort) => {
      const place = tree({ 'a.txt': 'x', 'b.txt': 'x', 'miss.txt': 'none' });
      for (const name of ['a.txt', 'miss.txt']) linkSync(join(place, name), join(place, `also-${name}`));
      const search = start(options).search;
      const refused = await search(content(open(place), 'x', { sort, hardLinks: 'refuse' }));
      expect(refused.matches.map(({ path }) => path)).toEqual(['b.txt']);
      expect(refused.counts).toMatchObject({ filesSearched: 1, errors: 4 });
      const named = refused.failures.map(({ path, code }) => `${path} ${code}`).sort();
      expect(named).toEqual(
        ['a.txt', 'also-a.txt', 'also-miss.txt', 'miss.txt'].map((path) => `${path} linked`),
      );
      const read = await search(content(open(place), 'x', { sort }));
      expect(read.matches.map(({ path }) => path).sort()).toEqual(['a.txt', 'also-a.txt', 'b.txt']);
    },
  );
});

describe('patterns', () => {
  const text = 'Alpha beta\nALPHA.BETA\nstraße ÉCOLE école\n\talpha\tbeta  \nend';
  const lines = async (pattern: string, query = {}) => {
    const root = open(tree({ 'x.txt': text, 'crlf.txt': 'beta\r\nno\r\n' }));
    const outcome = await start().search(
      content(root, pattern, { include: ['x.txt', 'crlf.txt'], ...query }),
    );
    return outcome.matches.map((match) => `${match.path}:${match.line}:${match.column}`);
  };

  test.each<[string, object, string[]]>([
    ['alpha', {}, ['x.txt:4:2']],
    ['A.B', {}, ['x.txt:2:5']],
    ['alPHA', { ignoreCase: true }, ['x.txt:1:1', 'x.txt:2:1', 'x.txt:4:2']],
    ['École', { ignoreCase: true }, ['x.txt:3:8']],
    ['alpha.beta', { mode: 'regex', ignoreCase: true }, ['x.txt:1:1', 'x.txt:2:1', 'x.txt:4:2']],
    ['^[A-Z]+\\.[A-Z]+$', { mode: 'regex' }, ['x.txt:2:1']],
    ['beta$', { mode: 'regex' }, ['crlf.txt:1:1', 'x.txt:1:7']],
    ['\\Aend\\z', { mode: 'regex' }, ['x.txt:5:1']],
    ['stra.e', { mode: 'regex' }, ['x.txt:3:1']],
    ['[Éé]cole', { mode: 'regex' }, ['x.txt:3:14']],
    ['\\s+$', { mode: 'regex' }, ['x.txt:4:12']],
    [
      '[^z]*',
      { mode: 'regex' },
      ['crlf.txt:1:1', 'crlf.txt:2:1', 'x.txt:1:1', 'x.txt:2:1', 'x.txt:3:1', 'x.txt:4:1', 'x.txt:5:1'],
    ],
    ['(a+)+$', { mode: 'regex' }, ['crlf.txt:1:4', 'x.txt:1:10']],
  ])('%s %j is found at %j', async (pattern, query, expected) => {
    expect(await lines(pattern, query)).toEqual(expected);
  });

  test.each([
    ['(', 'regex'],
    ['(a)\\1', 'regex'],
    ['a\\nb', 'regex'],
    ['a\nb', 'literal'],
    ['', 'literal'],
  ] as const)('the pattern %j as %s is refused with one line', async (pattern, mode) => {
    await expect(lines(pattern, { mode })).rejects.toMatchObject({
      code: 'pattern',
      message: expect.stringMatching(/^.{10,200}$/),
    });
  });

  test('a pattern that makes backtracking engines hang is matched in linear time', async () => {
    const root = open(tree({ 'x.txt': `${'a'.repeat(100_000)}!` }));
    const outcome = await start().search(content(root, '^(a|aa|a*)*$', { mode: 'regex' }));
    expect(outcome.matches).toEqual([]);
  });

  test('invalid UTF-8 does not hide a match, and becomes U+FFFD', async () => {
    const root = open(
      tree({ 'latin1.txt': Buffer.from('caf\xe9 needle \xff', 'latin1'), 'bom.txt': '\ufeffneedle' }),
    );
    const outcome = await start().search(content(root, 'needle'));
    expect(outcome.matches.map(({ text, column }) => [text, column])).toEqual([
      ['needle', 1],
      ['caf\ufffd needle \ufffd', 6],
    ]);
    const regex = await start().search(content(root, '^needle|needle .', { mode: 'regex' }));
    expect(regex.matches.map(({ path }) => path)).toEqual(['bom.txt', 'latin1.txt']);
  });
});

describe('large files', () => {
  test('line numbers and context are correct across windows', async () => {
    const lines = Array.from(
      { length: 60_000 },
      (_, index) => `line ${index + 1} ${index % 997 === 500 ? 'HIT' : '-'}`,
    );
    const root = open(tree({ 'big.txt': `${lines.join('\n')}\n` }));
    const outcome = await start().search(content(root, 'HIT', { contextLines: 3 }));
    const expected = lines.flatMap((text, index) =>
      text.endsWith('HIT')
        ? [
            {
              path: 'big.txt',
              line: index + 1,
              column: text.length - 2,
              text,
              before: lines.slice(Math.max(0, index - 3), index),
              after: lines.slice(index + 1, index + 4),
            },
          ]
        : [],
    );
    expect(outcome.matches).toEqual(expected);
    const counted = await start().search(content(root, 'HIT', { output: 'counts' }));
    expect(counted.files).toEqual([{ path: 'big.txt', count: expected.length }]);
  });

  test('a long line is clipped around its match and marked as clipped', async () => {
    const root = open(tree({ 'min.js': `${'é'.repeat(5000)}NEEDLE${'ü'.repeat(5000)}` }));
    const { matches } = await start().search(content(root, 'NEEDLE'));
    expect(matches).toMatchObject([{ line: 1, column: 5001, clipped: true }]);
    expect(matches[0]!.text).toMatch(/^é+NEEDLEü+$/);
    expect(Buffer.byteLength(matches[0]!.text)).toBeLessThanOrEqual(500);
  });

  test.each(['literal', 'regex'] as const)(
    'a %s is found at any position of a line of megabytes',
    async (mode) => {
      const mega = 1024 * 1024;
      const files = Object.fromEntries(
        [mega - 6, mega - 3, mega, mega + 1, 3 * mega - 3].map((at) => [
          `at-${at}.txt`,
          `first\n${'-'.repeat(at)}NEEDLE${'-'.repeat(mega)}\nlast NEEDLE\n`,
        ]),
      );
      const outcome = await start().search(content(open(tree(files)), 'NEEDLE', { mode }));
      expect(outcome.matches.map(({ path, line, clipped }) => [path, line, clipped])).toEqual(
        Object.keys(files)
          .sort()
          .flatMap((path) => [
            [path, 2, true],
            [path, 3, undefined],
          ]),
      );
      expect(outcome.counts.linesSplit).toBe(5);
    },
  );

  test('an aborted search leaves a file of a terabyte, and the pool stays usable', async () => {
    const path = tree({ 'huge.txt': 'text\n'.repeat(4000), 'small/a.txt': 'NEEDLE' });
    truncateSync(join(path, 'huge.txt'), 2 ** 40);
    const root = open(path);
    const engine = start({ workers: 2 });
    const abort = new AbortController();
    const reason = new Error('enough');
    let begun!: () => void;
    const started = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const huge = engine.search(content(root, 'NEEDLE'), { signal: abort.signal, onProgress: () => begun() });
    const settled = expect(huge).rejects.toBe(reason);
    await started;
    const beside = await engine.search(content(root, 'NEEDLE', { include: ['small/*'] }));
    expect(beside.matches).toHaveLength(1);
    abort.abort(reason);
    await settled;
    const again = await engine.search(content(root, 'NEEDLE', { exclude: ['huge.txt'] }));
    expect(again.matches).toHaveLength(1);
  });
});

describe('limits', () => {
  const files = Object.fromEntries(
    Array.from({ length: 30 }, (_, file) => [`d${file % 4}/f${file}.txt`, 'x\n-\n'.repeat((file % 6) + 1)]),
  );

  test.each(['matches', 'files', 'counts'] as const)(
    'pages of %s are consecutive and complete',
    async (output) => {
      const root = open(tree(files));
      const { search } = start({ workers: 4 });
      const list = (outcome: Awaited<ReturnType<typeof page>>) => [...outcome.matches, ...outcome.files];
      const page = (query: object) => search(content(root, 'x', { output, ...query }));
      const whole = list(await page({}));
      const joined: typeof whole = [];
      for (let after: object = {}; ; ) {
        const next = await page({ limit: 4, ...after });
        expect(list(next)).toEqual(whole.slice(joined.length, joined.length + 4));
        joined.push(...list(next));
        expect(next.truncated).toBe(joined.length < whole.length);
        if (next.next === undefined) break;
        after = { after: next.next };
      }
      expect(joined).toEqual(whole);
    },
  );

  test('perFile limits the lines of a file over all pages, and the last line has more', async () => {
    const root = open(tree({ 'a.txt': 'x\n'.repeat(5), 'b.txt': 'x\n'.repeat(3) }));
    const { search } = start();
    const whole = await search(content(root, 'x', { perFile: 3 }));
    expect(whole.matches.map(({ path, line, more }) => [path, line, more])).toEqual([
      ['a.txt', 1, undefined],
      ['a.txt', 2, undefined],
      ['a.txt', 3, true],
      ['b.txt', 1, undefined],
      ['b.txt', 2, undefined],
      ['b.txt', 3, undefined],
    ]);
    const first = await search(content(root, 'x', { perFile: 3, limit: 2 }));
    const rest = await search(content(root, 'x', { perFile: 3, after: first.next! }));
    expect([...first.matches, ...rest.matches]).toEqual(whole.matches);
  });
});
