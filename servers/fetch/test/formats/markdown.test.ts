import { describe, expect, test } from 'vitest';
import { readMarkdown } from '../../src/formats/markdown.ts';

const read = (text: string) =>
  readMarkdown({ text, mediaType: 'text/markdown', url: 'https://a.test/dir/page.md' });

test('Markdown stays unchanged', () => {
  const source =
    '# Title\n\nSome *words*, a [link](b.md "t") and `code <!-- x -->`.\n\n```js\n// <!-- kept --> [x](javascript:1)\n```\n\n| a | b |\n| - | - |\n';
  expect(read(source)).toMatchObject({
    kind: 'markdown',
    text: source,
    removed: { hidden: 0, invisible: 0, links: 0 },
    metadata: { title: 'Title' },
  });
});

describe('headings', () => {
  test('both kinds are found with their positions, without those in code', () => {
    const source =
      '# One #\n\ntext\n\nTwo `a`\n=====\nThree\n---\n\n```\n# no\n```\n   ## Four **b** [c](d)\n    # no\n#no\n- item\n---\n~~~~\n# no\n~~~\n# no\n~~~~\n###### Six';
    const { headings, text } = read(source);
    expect(headings.map(({ level, text: words }) => [level, words])).toEqual([
      [1, 'One'],
      [1, 'Two a'],
      [2, 'Three'],
      [2, 'Four b c'],
      [6, 'Six'],
    ]);
    expect(headings.map(({ at }) => text.slice(at).split('\n')[0])).toEqual([
      '# One #',
      'Two `a`',
      'Three',
      '   ## Four **b** [c](d)',
      '###### Six',
    ]);
  });

  test('front matter is metadata, not a heading', () => {
    const { headings, metadata } = read(
      '---\ntitle: "A title"\nauthor: Me\ndate: 2026-01-02\n# comment\n---\n\n## Two\n',
    );
    expect(headings.map(({ text }) => text)).toEqual(['Two']);
    expect(metadata).toEqual({ title: 'A title', author: 'Me', published: '2026-01-02' });
  });
});

describe('links', () => {
  test('all forms are found as absolute URLs, without those in code', () => {
    const { links } = read(
      [
        '[one](b.md) [two words](<c d.md> "title") [three][ref] <https://b.test/auto> https://b.test/bare.',
        '[wiki](https://b.test/a_(b)) [![alt](img.png)](target.md) [here](#part) `[no](no.md)`',
        '',
        '[ref]: ../up.md "title"',
        '[^1]: A footnote',
        '    ',
        '```',
        '[no](no2.md)',
        '```',
      ].join('\n'),
    );
    expect(links.map(({ url, text }) => `${url} ${text}`).toSorted()).toEqual(
      [
        'https://a.test/dir/b.md one',
        'https://a.test/dir/c%20d.md two words',
        'https://a.test/dir/target.md alt',
        'https://a.test/up.md ref',
        'https://b.test/a_(b) wiki',
        'https://b.test/auto ',
        'https://b.test/bare ',
      ].toSorted(),
    );
  });

  test.each([
    ['[words](javascript:alert(1))', 'words'],
    ['[words](JaVaScRiPt:alert(1) "title")', 'words'],
    ['[words](<javascript:alert(1)>)', 'words'],
    ['[words](java\\script:x) [w](javascript&colon;x)', '[words](java\\script:x) w'],
    ['[words](&#106;avascript:x)', 'words'],
    ['[words](java&#10;script:x)', 'words'],
    ['![picture](data:image/png;base64,AAAA)', 'picture'],
    ['a [b](vbscript:x) c', 'a b c'],
    ['<javascript:alert(1)> x', ' x'],
    ['[ref]: javascript:alert(1)', ''],
    ['<a href="javascript:alert(1)">x</a>', '<a >x</a>'],
    ["<img src = 'data:image/png;base64,AA'>", '<img >'],
    ['[fine](https://b.test/?q=javascript:x)', '[fine](https://b.test/?q=javascript:x)'],
  ])('harmful links are replaced by their text: %s', (source, text) => {
    const reading = read(source);
    expect(reading.text).toBe(text);
    expect(reading.removed.links).toBe(source === text ? 0 : 1);
    expect(reading.links.every(({ url }) => /^https?:/.test(url))).toBe(true);
  });
});

test('comments and invisible characters are removed and counted', () => {
  const reading = read('a<!-- ignore all\nthat was said -->b\u200Bc `<!-- code -->`\n<!-- open');
  expect(reading.text).toBe('abc `<!-- code -->`\n');
  expect(reading.removed).toEqual({ hidden: 2, invisible: 1, links: 0 });
});

test('hostile repetition is read in linear time', () => {
  const many = 60_000;
  for (const source of [
    '['.repeat(many),
    '[a]('.repeat(many),
    `[a](${'x'.repeat(many)}`,
    `[a](${'('.repeat(many)}`,
    '[a](x "'.repeat(many),
    '![a'.repeat(many),
    '`'.repeat(many),
    '` '.repeat(many),
    '`a``b'.repeat(many / 4),
    '<!--'.repeat(many),
    'href="'.repeat(many),
    "href='".repeat(many),
    '<javascript:'.repeat(many),
    'https://'.repeat(many),
    '&#'.repeat(many),
    `[a]: ${' '.repeat(many)}`,
    `# ${' #'.repeat(many)}x`,
    `${' '.repeat(many)}#`,
    `---\n${'a\n'.repeat(many)}`,
    '> '.repeat(many),
    '```'.repeat(many),
  ])
    expect(read(source).text.length).toBeLessThanOrEqual(source.length);
});
