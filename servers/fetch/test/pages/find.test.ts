import { expect, test } from 'vitest';
import { WebError } from '../../src/failure.ts';
import { type FindOptions, findIn } from '../../src/pages/find.ts';
import { readingOf } from './readings.ts';

const text = `# Menu

The Café has “crème brûlée”.
Un cafe\u0301 is 3 — 4 €.

## Tea

cafeteria, tea, TEA
`;
const reading = readingOf(text);

async function matches(query: string, options: Partial<FindOptions> = {}, from = reading): Promise<string[]> {
  const { found } = await findIn(from, { query, ...options });
  return found.flatMap(({ spans }) => spans.map(({ start, end }) => from.text.slice(start, end)));
}

test('a plain search ignores case, accents, and kinds of quotes, dashes and spaces', async () => {
  expect(await matches('cafe')).toEqual(['Café', 'cafe\u0301', 'cafe']);
  expect(await matches('CAFÉ')).toEqual(['Café', 'cafe\u0301', 'cafe']);
  expect(await matches('"creme brulee"')).toEqual(['“crème brûlée”']);
  expect(await matches('3 - 4')).toEqual(['3 — 4']);
  expect(await matches('İstanbul', {}, readingOf('in istanbul, ISTANBUL'))).toEqual(['istanbul', 'ISTANBUL']);
});

test('ignored marks do not move the positions after them', async () => {
  const marked = readingOf('e\u0301e\u0301x\n'.repeat(10));
  expect(await matches('x', { max: 100 }, marked)).toEqual(Array(10).fill('x'));
});

test('an exact search compares the text as it is', async () => {
  expect(await matches('cafe', { mode: 'exact' })).toEqual(['cafe', 'cafe']);
  expect(await matches('TEA', { mode: 'exact' })).toEqual(['TEA']);
});

test('whole words have no adjacent letter, in any script', async () => {
  expect(await matches('tea', { wholeWord: true })).toEqual(['Tea', 'tea', 'TEA']);
  expect(await matches('cafe', { wholeWord: true })).toEqual(['Café', 'cafe\u0301']);
  expect(await matches('мир', { wholeWord: true }, readingOf('мир мирный Мир'))).toEqual(['мир', 'Мир']);
});

test('Hangul syllables and characters outside the basic plane match themselves', async () => {
  const korean = readingOf('한국어 😀 하');
  expect(await matches('하', {}, korean)).toEqual(['하']);
  expect(await matches('😀', {}, korean)).toEqual(['😀']);
});

test('a match has its line, the lines around it and the headings above', async () => {
  const { found } = await findIn(reading, { query: 'cafeteria' });
  expect(found).toEqual([
    {
      spans: [{ start: text.indexOf('cafeteria'), end: text.indexOf(', tea') }],
      path: ['Menu', 'Tea'],
      line: 'cafeteria, tea, TEA',
      at: text.indexOf('cafeteria'),
      before: [''],
      after: [],
    },
  ]);
});

test('matches up to the limit are returned with the total, and the search continues after them', async () => {
  const many = readingOf(Array.from({ length: 50 }, (_, at) => `line ${at} has it`).join('\n'));
  const seen: string[] = [];
  let from: number | undefined;
  let rounds = 0;
  do {
    const result = await findIn(many, { query: 'has', max: 20, contextLines: 0, from });
    seen.push(...result.found.map(({ line }) => line));
    expect(result.truncated).toBe(result.next !== undefined);
    if (rounds === 0) expect(result.total).toBe(50);
    from = result.next;
    rounds++;
  } while (from !== undefined);
  expect([rounds, seen.length, new Set(seen).size]).toEqual([3, 50, 50]);
});

test('a search with exactly as many matches as the limit is not truncated', async () => {
  const result = await findIn(readingOf('a\nb a\n'), { query: 'a', max: 2 });
  expect([result.found.length, result.truncated, result.next]).toEqual([2, false, undefined]);
});

test('of a long line the part around the match is returned', async () => {
  const long = readingOf(`${'x '.repeat(2000)}needle${' y'.repeat(2000)}`);
  const { found } = await findIn(long, { query: 'needle' });
  expect(found[0]!.line).toMatch(/^….*needle.*…$/);
  expect(found[0]!.line.length).toBeLessThan(300);
  expect(long.text.slice(found[0]!.at).startsWith(found[0]!.line.slice(1, 20))).toBe(true);
});

test('a text of one line is returned in parts, each match once', async () => {
  const one = readingOf('a needle in a haystack, '.repeat(1000));
  const { found, total } = await findIn(one, { query: 'needle', max: 5000, contextLines: 1 });
  const starts = found.flatMap(({ spans }) => spans.map(({ start }) => start));
  expect([starts.length, new Set(starts).size, total]).toEqual([1000, 1000, found.length]);
  expect(found.every(({ before, after }) => before.length + after.length === 0)).toBe(true);
});

test.each(['exact', 'plain', 'regex'] as const)(
  'a match across the parts of a long line is found: %s',
  async (mode) => {
    const one = readingOf(`${'needle,'.repeat(3000)}\n`);
    const query = mode === 'regex' ? '[a-z]+' : 'needle';
    const found = await matches(query, { mode, max: 5000 }, one);
    expect([found.length, new Set(found)]).toEqual([3000, new Set(['needle'])]);
  },
);

test('a pattern with empty matches finds only those with text', async () => {
  expect(await matches('x*', { mode: 'regex' }, readingOf('abc xx d x'))).toEqual(['xx', 'x']);
});

test('only the given range is searched', async () => {
  const within = { start: text.indexOf('## Tea'), end: text.length };
  expect(await matches('cafe', { within })).toEqual(['cafe']);
  for (const end of [text.indexOf('TEA'), text.indexOf('TEA') + 2])
    expect(await matches('tea', { within: { start: 0, end } })).toEqual(['Tea', 'tea']);
  const cut = { start: 0, end: text.indexOf('## Tea') + 4 };
  expect(await matches('tea', { within: cut })).toEqual([]);
});

test('an empty query and one without letters are refused', async () => {
  await expect(findIn(reading, { query: '' })).rejects.toMatchObject({ code: 'invalid-request' });
  await expect(findIn(reading, { query: '\u0301' })).rejects.toBeInstanceOf(WebError);
});

test('a regular expression matches within lines, and ^ and $ match at lines', async () => {
  expect(await matches('caf\\S+', { mode: 'regex' })).toEqual(['Café', 'cafe\u0301', 'cafeteria,']);
  expect(await matches('^#+ \\w+$', { mode: 'regex' })).toEqual(['# Menu', '## Tea']);
  expect(await matches('tea', { mode: 'regex', caseSensitive: true })).toEqual(['tea']);
  expect(await matches('t.a', { mode: 'regex', wholeWord: true })).toEqual(['Tea', 'tea', 'TEA']);
});

test('a pattern that is exponential in other engines is searched in bounded time', async () => {
  const hostile = readingOf(`${'a'.repeat(30_000)}\n${'ab'.repeat(2000)}`);
  expect(await matches('(a+)+$', { mode: 'regex', max: 1 }, hostile)).toHaveLength(1);
  expect(await matches('(a|aa)+c', { mode: 'regex' }, hostile)).toEqual([]);
});

test('an invalid RE2 pattern is refused with the reason', async () => {
  for (const query of ['(', '(?=a)', '(a)\\1', '((a{100}){100}){100}', '(abcdefgh){600}'])
    await expect(findIn(reading, { query, mode: 'regex' })).rejects.toMatchObject({
      code: 'invalid-request',
    });
});
