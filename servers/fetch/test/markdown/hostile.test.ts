import { describe, expect, test } from 'vitest';
import { convertHtml } from '../../src/markdown/convert.ts';

const base = 'https://example.com/';
const pages: Record<string, (size: number) => string> = {
  'nested div': (size) => `${'<div>'.repeat(size)}deep${'</div>'.repeat(size)}`,
  'nested lists': (size) => `${'<ul><li>a'.repeat(size)}deep`,
  'nested quotes': (size) => `${'<blockquote>a'.repeat(size)}deep`,
  'nested tables': (size) => `${'<table><tr><td>a'.repeat(size)}deep`,
  'open bold': (size) => `${'<b>'.repeat(size)}deep`,
  'end tags of nothing': (size) => `${'<i>'.repeat(size)}<table><td>${'</div></i></p>'.repeat(size)}deep`,
  'rows of a table': (size) => `<table>${'<tr><td>a<td>b'.repeat(size)}</table>deep`,
  links: (size) => `${'<a href="/x">y</a> '.repeat(size)}deep`,
  'wide cells': (size) =>
    `<table>${'<tr><th colspan=1000000 rowspan=1000000>a<td>b'.repeat(size)}</table>deep`,
  'a long attribute': (size) => `<p title="${'x'.repeat(size * 20)}" class="${'y '.repeat(size)}">deep`,
  'a long style': (size) => `<p style="font-size:${'1'.repeat(size)}x;${'a:b;'.repeat(size)}">deep`,
  'open quotes': (size) => `deep${'<a href="'.repeat(size)}`,
  'open comments': (size) => `deep${'<!--'.repeat(size)}`,
  'open style tags': (size) => `deep${'<style '.repeat(size)}`,
  NULs: (size) => `deep${'\0'.repeat(size)}`,
  backticks: (size) => `deep<code>${'` '.repeat(size)}</code>`,
  markers: (size) => `deep${'*_~[]<&'.repeat(size)}`,
  entities: (size) => `deep${'&amp;&lt;'.repeat(size)}`,
  'nested math': (size) => `deep<math>${'<mrow>x'.repeat(size)}`,
  'marked-up math': (size) => `deep<math>${'<msup><mi>x</mi>'.repeat(size)}`,
  'lines of code': (size) => `<pre>${'<div>x</div>'.repeat(size)}deep</pre>`,
  'links in code': (size) => `<code>${'<a href="/x">y</a> '.repeat(size)}deep</code>`,
  'lines in emphasis': (size) =>
    `${'<i>'.repeat(size / 8)}${'<b>'.repeat(size / 8)}${'x<br>'.repeat(size)}deep`,
  'links and images in depth': (size) =>
    `${'<div>'.repeat(size / 20)}${'<a href="#fn1">y</a><img alt="" src="x">'.repeat(size)}deep`,
  'a long base': (size) => `<base href="/${'x'.repeat(size * 2)}/">${'<a href="y">z</a> '.repeat(size)}deep`,
  'a long font': (size) => `<p style="font:${'1'.repeat(size * 30)}x">deep`,
  'style rules': (size) => `<style>${'.a{display:none}@media all{'.repeat(size)}</style>deep`,
};

interface Cost {
  readonly events: number;
  readonly steps: number;
  readonly length: number;
}

/** Returns the cost of a page: parser events, steps of the writer, and length of the result. */
function costOf(html: string): Cost {
  const steps = { count: 0 };
  let events = 0;
  const count = (): void => {
    events += 1;
  };
  const listener = { open: count, text: count, close: count, cease: count };
  const { text, links } = convertHtml(html, { base, steps }, listener);
  return { events, steps: steps.count, length: text.length + links.map(({ url }) => url).join('').length };
}

describe('a hostile page is read to its end', () => {
  test.each(Object.entries(pages))('%s', (_name, make) => {
    expect(convertHtml(make(3_000), { base }).text).toContain('deep');
  });

  test.each(Object.entries(pages))(
    '%s: twice the page is at most twice the events, the steps and what comes out',
    (_name, make) => {
      const [once, twice] = [costOf(make(2_000)), costOf(make(4_000))];
      expect(twice.events).toBeLessThanOrEqual(2 * once.events + 10);
      expect(twice.steps).toBeLessThanOrEqual(2.2 * once.steps + 2_000);
      expect(twice.length).toBeLessThanOrEqual(2.2 * once.length + 200);
    },
  );
});

test('blank cells of a table are limited by its text', () => {
  const row = `<tr>${'<td colspan=1000>a'.repeat(3)}</tr>`;
  const { text } = convertHtml(`<table>${row.repeat(500)}</table>`, { base });
  expect(text.length).toBeLessThan(200_000);
  expect(text.match(/a/g)).toHaveLength(1_500);
});

test('links beyond the limit are text only, and this is reported', () => {
  const { links, isCut, text } = convertHtml('<a href="/x">y</a> '.repeat(20_001), { base });
  expect([links.length, isCut]).toEqual([20_000, true]);
  expect(text.match(/y/g)).toHaveLength(20_001);
});

test('a hidden element is left out at any depth', () => {
  const deep = '<div>'.repeat(2_000);
  expect(convertHtml(`${deep}<p hidden>secret</p>shown`, { base }).text).toBe('shown');
});

test('no page makes Markdown that links to a script', () => {
  const { text } = convertHtml(
    '<p>[a](javascript:x) <b>[b</b>](javascript:x) [<i>c</i>]<s>(javascript:x)</s></p><p>[d]: javascript:x</p><p>&lt;javascript:x&gt;</p>',
    { base },
  );
  expect(text).not.toMatch(/(?<!\\)\](?!\\)[(:]/);
  expect(text).not.toMatch(/(?<!\\)<j/);
});
