import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { type PagingOptions, pageOf, type TextPage } from '../../src/pages/paging.ts';
import type { Reading } from '../../src/reading/reading.ts';
import { readingOf } from './readings.ts';

function pagesOf(reading: Reading, options: PagingOptions): TextPage[] {
  const pages: TextPage[] = [];
  let next: number | undefined = options.within?.start ?? 0;
  while (next !== undefined && pages.length < 10_000) {
    const page = pageOf(reading, { ...options, start: next });
    pages.push(page);
    next = page.next;
  }
  return pages;
}

const joined = (reading: Reading, pages: readonly TextPage[]) =>
  pages.map(({ start, end }) => reading.text.slice(start, end)).join('');

const words = (count: number, word = 'word') =>
  Array.from({ length: count }, (_, at) => `${word}${at}`).join(' ');

test('a text that fits is one page without a next', () => {
  expect(pageOf(readingOf('# A\n\ntext'), { maxLength: 100 })).toEqual({
    text: '# A\n\ntext',
    start: 0,
    end: 9,
    total: 9,
    next: undefined,
    number: 1,
    of: 1,
    movedFrom: undefined,
    reopened: undefined,
  });
});

test('a page ends in front of a heading rather than at a later paragraph', () => {
  const text = `# One\n\n${words(20)}\n\n## Two\n\nshort\n\n${words(40)}\n`;
  const page = pageOf(readingOf(text), { maxLength: 200 });
  expect(text.slice(page.end)).toMatch(/^## Two/);
});

test('without a heading in its second half a page ends at a paragraph, else a line, a sentence, a word', () => {
  const cut = (text: string) => text.slice(0, pageOf(readingOf(text), { maxLength: 100 }).end);
  expect(cut(`${words(12)}\n\n${words(30)}`)).toBe(`${words(12)}\n\n`);
  expect(cut(`${words(12)}\n\nline\n${words(30)}`)).toBe(`${words(12)}\n\n`);
  expect(cut(`${words(12)}\n${words(30)}`)).toBe(`${words(12)}\n`);
  expect(cut(`${words(12)}. ${words(30)}`)).toBe(`${words(12)}. `);
  expect(cut(`${words(12)} "so." ${words(30)}`)).toBe(`${words(12)} "so." `);
  expect(cut(`${'汉字'.repeat(30)}。${'漢字'.repeat(40)}`)).toBe(`${'汉字'.repeat(30)}。`);
  expect(cut(words(40))).toMatch(/^word0.* $/);
});

test('a heading that would leave a page less than half full does not end it', () => {
  const text = `# One\n\n${words(3)}\n\n## Two\n\n${words(100)}`;
  expect(pageOf(readingOf(text), { maxLength: 200 }).end).toBeGreaterThan(100);
});

test('pages of a PDF end with its own pages', () => {
  const text = `${words(12)} ${words(12)} ${words(12)}`;
  const pages = [0, words(12).length + 1];
  expect(pageOf(readingOf(text, { kind: 'pdf', pages }), { maxLength: 100 }).end).toBe(pages[1]);
});

test('code that is cut is closed, and opened again with its language', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `const a${at} = ${at};`).join('\n');
  const reading = readingOf(`intro\n\n\`\`\`\`ts title="x"\n${lines}\n\n// end\n\`\`\`\`\n\nafter\n`);
  const pages = pagesOf(reading, { maxLength: 200 });
  expect(pages.length).toBeGreaterThan(2);
  expect(joined(reading, pages)).toBe(reading.text);
  expect(pages[0]!.text).toMatch(/^intro\n\n````ts title="x"\nconst a0[\s\S]*;\n````$/);
  expect(pages[1]!.text).toMatch(/^````ts title="x"\nconst a[\s\S]*;\n````$/);
  expect(pages[1]!.reopened).toBe('fence');
  expect(pages.at(-1)!.text).toMatch(/^````ts title="x"\n[\s\S]*````\n\nafter\n$/);
  for (const { text } of pages)
    expect([text.length <= 200, text.match(/^````/gm)?.length]).toEqual([true, 2]);
});

test('code or a table of which only the beginning would fit begins on the next page', () => {
  for (const beginning of ['```js\n', '| a | b |\n|---|---|\n']) {
    const text = `${words(11)}\n${beginning}| ${words(30)}`;
    expect(text.slice(0, pageOf(readingOf(text), { maxLength: 100 }).end)).toBe(`${words(11)}\n`);
  }
});

test('code within a list or a quotation is closed and opened within it', () => {
  const lines = Array.from({ length: 20 }, (_, at) => `  > line ${at}`).join('\n');
  const reading = readingOf(`- item\n\n  > ~~~sh\n${lines}\n  > ~~~\n`);
  const [first, second] = pagesOf(reading, { maxLength: 150 });
  expect(first!.text).toMatch(/line \d+\n {2}> ~~~$/);
  expect(second!.text).toMatch(/^ {2}> ~~~sh\n {2}> line/);
});

test('a table is cut between rows, and its head is repeated', () => {
  const head = '| name | value |\n| --- | ---: |\n';
  const rows = Array.from({ length: 40 }, (_, at) => `| row ${at} | ${at * 7} |`);
  const reading = readingOf(`before\n\n${head}${rows.join('\n')}\n\nafter`);
  const pages = pagesOf(reading, { maxLength: 240 });
  expect(joined(reading, pages)).toBe(reading.text);
  for (const page of pages.slice(1, -1)) {
    expect(page.text.startsWith(head)).toBe(true);
    expect(page.reopened).toBe('table');
    expect(page.text).toMatch(/\|\n$/);
    expect(page.text.length).toBeLessThanOrEqual(240);
  }
});

test('the parts of a link stay on one page', () => {
  const link = '[some text with [brackets] in it](https://example.com/a_(b)?q=1)';
  for (let lead = 20; lead < 110; lead++) {
    const reading = readingOf(`${'x'.repeat(lead)} ${link} ${'y'.repeat(200)}`);
    const { end } = pageOf(reading, { maxLength: 110 });
    const at = reading.text.indexOf('[some');
    expect([lead, end > at && end < at + link.length]).toEqual([lead, false]);
  }
});

test.each([
  ['pairs of surrogates', '😀'],
  ['letters with marks', 'e\u0301'],
  ['families of emoji', '👩‍👩‍👧‍👦'],
  ['flags', '🇩🇪'],
  ['line ends of two characters', 'a\r\n'],
])('%s are never cut', (_name, sign) => {
  const reading = readingOf(sign.repeat(300));
  for (const maxLength of [23, 40, 41, 42, 43]) {
    for (const page of pagesOf(reading, { maxLength, verbatim: true })) {
      expect([maxLength, page.start % sign.length, page.end % sign.length]).toEqual([maxLength, 0, 0]);
    }
  }
});

test('a page smaller than a character still advances, by whole code points', () => {
  const reading = readingOf('👩‍👩‍👧‍👦😀a');
  const pages = pagesOf(reading, { maxLength: 1 });
  expect(joined(reading, pages)).toBe(reading.text);
  for (const { text } of pages) expect(text.isWellFormed()).toBe(true);
});

describe('a start inside a construct is moved before it, and the page says so', () => {
  const at = (text: string, inside: string, maxLength = 1000) => {
    const start = text.indexOf(inside) + 2;
    const page = pageOf(readingOf(text), { start, maxLength });
    return [text.slice(page.start, page.end), page.movedFrom?.start === start, page.movedFrom?.inside];
  };
  test.each([
    ['a word', 'some words here', 'words', 'words here', 'word'],
    [
      'a link',
      'see [the page](https://a.example/) now',
      'page](',
      '[the page](https://a.example/) now',
      'link',
    ],
    ['a line of code', '```\none two\nthree\n```', 'two', 'one two\nthree\n```', 'line of code'],
    ['a table row', '| a | b |\n|--|--|\n| cc | dd |\n', 'cc', '| cc | dd |\n', 'table row'],
  ])('%s', (_name, text, inside, rest, kind) => {
    expect(at(text, inside)).toEqual([rest, true, kind]);
  });
});

test('a start inside a character is moved before it', () => {
  const page = pageOf(readingOf(`${'x'.repeat(300)}😀😀`), { start: 301, maxLength: 10 });
  expect([page.text, page.movedFrom]).toEqual(['😀😀', { start: 301, inside: 'character' }]);
});

test('a start at a word or a line is not moved', () => {
  const text = 'first line\nsecond line';
  for (const start of [6, 11, 18])
    expect(pageOf(readingOf(text), { start, maxLength: 100 })).toMatchObject({ start, movedFrom: undefined });
});

test('a start behind the end returns an empty last page', () => {
  const page = pageOf(readingOf('short'), { start: 99, maxLength: 10 });
  expect([page.text, page.start, page.end, page.next]).toEqual(['', 5, 5, undefined]);
});

test('bytes are those of a JSON string', () => {
  const reading = readingOf('"ä"\n'.repeat(500));
  for (const page of pagesOf(reading, { maxBytes: 97 }))
    expect(Buffer.byteLength(JSON.stringify(page.text)) - 2).toBeLessThanOrEqual(97);
});

test('a section is paged on its own', () => {
  const reading = readingOf(`# A\n\n${words(30)}\n\n# B\n\n${words(50, 'b')}\n\n# C\n\nend`);
  const within = { start: reading.text.indexOf('# B'), end: reading.text.indexOf('# C') };
  const pages = pagesOf(reading, { maxLength: 100, within });
  expect(joined(reading, pages)).toBe(reading.text.slice(within.start, within.end));
  expect([pages[0]!.number, pages.at(-1)!.number, pages.at(-1)!.of]).toEqual([
    1,
    pages.at(-1)!.of,
    pages.at(-1)!.of,
  ]);
});

test('source is returned unchanged', () => {
  const text = `\`\`\`js\n${words(100)}\n${words(100)}\n\`\`\``;
  const [first] = pagesOf(readingOf(text), { maxLength: 900, verbatim: true });
  expect(first!.text).toBe(text.slice(0, first!.end));
});

/** Returns numbers that are the same in each run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

test('pages of any size together are the text, each character once and none larger than asked', () => {
  const parts = [
    '# Head\n\n',
    'word ',
    'Sentence. ',
    '\n\n',
    '\n',
    '```js\ncode\n\nmore\n```\n\n',
    '| a | b |\n|---|---|\n',
  ];
  parts.push(
    '| 1 | 2 |\n',
    '[link](https://example.com/x) ',
    '😀',
    'é',
    '~~~\n',
    '> ',
    '- ',
    'https://a.example/b ',
    '"',
  );
  for (let seed = 1; seed <= 150; seed++) {
    const random = randomFrom(seed);
    let text = '';
    for (let count = random() * 120; count > 0; count--) text += parts[Math.floor(random() * parts.length)]!;
    const reading = readingOf(text);
    const maxLength = 1 + Math.floor(random() * 120);
    const byLength = random() < 0.5;
    const pages = pagesOf(reading, byLength ? { maxLength } : { maxBytes: maxLength });
    expect([seed, joined(reading, pages)]).toEqual([seed, text]);
    for (const page of pages) {
      const size = byLength ? page.text.length : Buffer.byteLength(JSON.stringify(page.text)) - 2;
      // the smallest page is one code point
      expect([seed, size <= Math.max(maxLength, byLength ? 2 : 4)]).toEqual([seed, true]);
    }
  }
});
