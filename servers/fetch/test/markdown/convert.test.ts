import { type AnyNode, Document, Element, Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { expect, test } from 'vitest';
import { convertHtml, convertTree } from '../../src/markdown/convert.ts';
import { readStyles } from '../../src/markdown/style-sheets.ts';

const base = 'https://example.com/dir/page.html';

test('the position of a heading is the start of its line, in a quote as well', () => {
  const { text, headings } = convertHtml(
    '<p>a</p><h1>One <b>bold</b></h1><blockquote><p>b</p><h3><a href="/x">Two</a></h3></blockquote>',
    { base },
  );
  expect(headings.map(({ level, text: words }) => [level, words])).toEqual([
    [1, 'One bold'],
    [3, 'Two'],
  ]);
  for (const { at } of headings) expect(at === 0 || text[at - 1] === '\n').toBe(true);
  expect(text.slice(headings[0]!.at)).toMatch(/^# One bold/);
  expect(text.slice(headings[1]!.at)).toMatch(/^> ### /);
});

test('links have URL, text, place and relation', () => {
  const { links } = convertHtml(
    '<nav><a href="/a">A</a></nav><p><a rel="nofollow" href="b">B <i>b</i></a></p>',
    { base },
  );
  expect(links).toEqual([
    { url: 'https://example.com/a', text: 'A', place: 'navigation' },
    { url: 'https://example.com/dir/b', text: 'B b', place: 'content', rel: 'nofollow' },
  ]);
});

test('without links and images their text is kept, and links are listed', () => {
  const converted = convertHtml('<p><a href="/a">A</a> <img src="b.png" alt="B"></p>', {
    base,
    links: false,
    images: false,
  });
  expect(converted.text).toBe('A');
  expect(converted.links).toHaveLength(1);
});

test('removed elements, characters and links are counted', () => {
  const { removed, hiddenText } = convertHtml(
    '<p hidden>secret</p><p style="display:none">more</p><p>a\u200b\u202eb</p><a href="javascript:x">c</a><a href="data:,x">d</a>',
    { base },
  );
  expect(removed).toEqual({ hidden: 2, invisible: 2, links: 2 });
  expect(hiddenText).toBe('secretmore'.length);
});

test('an element that is hidden for two reasons is counted once, and an image in text without a size is visible', () => {
  const { removed, text } = convertHtml(
    '<style>.w{color:#fff}.g{background:#fff}.z{font-size:0}</style><p class="w g">one</p><p class="z">two <b style="visibility:hidden">too</b></p><p class="z"><img src="a.png" alt="kettle"></p>',
    { base },
  );
  expect([removed.hidden, text]).toEqual([2, '![kettle](https://example.com/dir/a.png)']);
});

test('a part that a script moves into place while the page streams is read; without the script it is hidden', () => {
  const part = '<div hidden id="S:0"><p>streamed</p></div>';
  expect(convertHtml(`${part}<script>$RC("B:0","S:0")</script>`, { base }).text).toBe('streamed');
  expect(convertHtml(part, { base })).toMatchObject({ text: '', hiddenText: 8 });
});

test('hidden content is kept if the caller asks for it', () => {
  const html = '<main hidden><p>all there is</p></main>';
  expect(convertHtml(html, { base }).text).toBe('');
  expect(convertHtml(html, { base, keepHidden: true }).text).toBe('all there is');
});

test('a tree becomes the same Markdown as its source', () => {
  const html =
    '<h1>One</h1><ul><li>a<ul><li>b</li></ul></li></ul><table><tr><th>A</th></tr><tr><td>1</td></tr></table>';
  expect(convertTree(parseDocument(html), { base }).text).toBe(convertHtml(html, { base }).text);
});

test('the conversion of a part of a tree ends with it', () => {
  const [first] = parseDocument('<p>one</p><p>two</p>').children;
  expect(convertTree(first!, { base }).text).toBe('one');
});

test('a tree of ten thousand levels is walked', () => {
  let node: AnyNode = new Text('deep');
  for (let level = 0; level < 10_000; level++) node = new Element('div', {}, [node]);
  expect(convertTree(new Document([node as Element]), { base }).text).toBe('deep');
});

test('a tree is converted with the style sheets of its page', () => {
  const styles = readStyles('<style>.no{display:none}</style>');
  const tree = parseDocument('<p class="no">no</p><p>yes</p>');
  expect(convertTree(tree, { base, styles }).text).toBe('yes');
});

test('text beyond the limit ends after a whole block, and is reported', () => {
  const html = '<p>1234567890</p>'.repeat(10);
  expect(convertHtml(html, { base, mostLength: 30 })).toMatchObject({
    text: '1234567890\n\n1234567890',
    isCut: true,
  });
  expect(convertHtml(html, { base, mostLength: 118 })).toMatchObject({ isCut: false });
  expect(convertHtml(html, { base, mostLength: 117 })).toMatchObject({ isCut: true });
});

test('the same link before and after the base element has two URLs', () => {
  const link = '<a href="there">x</a>';
  const { text } = convertHtml(`${link} ${link}<base href="/other/">${link} ${link}`, { base });
  const addresses = [...text.matchAll(/\((.*?)\)/g)].map(([, address]) => address);
  expect(addresses).toEqual([
    'https://example.com/dir/there',
    'https://example.com/dir/there',
    'https://example.com/other/there',
    'https://example.com/other/there',
  ]);
});
