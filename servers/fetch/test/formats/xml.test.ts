import { expect, test } from 'vitest';
import { readXml } from '../../src/formats/xml.ts';

const read = (text: string, bounds = {}) =>
  readXml({ text, mediaType: 'application/xml', url: 'https://a.test/dir/x.xml' }, bounds);

test('elements are on lines, without declaration, type and comments', () => {
  const source =
    '<?xml version="1.0"?><!DOCTYPE a SYSTEM "a.dtd"><a x="1 &amp; &quot;2&quot;"><!-- hidden --><b>one</b><c/>two &lt; three<d><e>4</e></d></a>';
  expect(read(source)).toMatchObject({
    kind: 'xml',
    text: [
      '<a x="1 &amp; &quot;2&quot;">',
      '  <b>one</b>',
      '  <c/>',
      '  two &lt; three',
      '  <d>',
      '    <e>4</e>',
      '  </d>',
      '</a>',
    ].join('\n'),
    removed: { hidden: 1, invisible: 0, links: 0 },
  });
});

test('a CDATA section is text', () => {
  expect(read('<a><![CDATA[x < y & z]]></a>').text).toBe('<a>x &lt; y &amp; z</a>');
});

test('URLs are links: of a sitemap, of attributes, without invalid ones', () => {
  const source =
    '<urlset><url><loc>https://b.test/1</loc></url><url><loc> https://b.test/2?a=1&amp;b=2 </loc></url><x href="../up"/><y xlink:href="javascript:alert(1)"/></urlset>';
  expect(read(source).links.map(({ url }) => url)).toEqual([
    'https://b.test/1',
    'https://b.test/2?a=1&b=2',
    'https://a.test/up',
  ]);
});

test('entities of a document are not expanded', () => {
  const source = `<!DOCTYPE a [<!ENTITY x "boom"><!ENTITY y SYSTEM "file:///etc/passwd">${Array.from({ length: 20 }, (_, n) => `<!ENTITY e${n + 1} "&e${n};&e${n};">`).join('')}]><a>&x;&y;&e20;</a>`;
  const { text } = read(source);
  expect(text).toBe('<a>&amp;x;&amp;y;&amp;e20;</a>');
});

test('a source that is too deep or too long keeps its layout', () => {
  const deep = (depth: number) => `${'<a>'.repeat(depth)}x${'</a>'.repeat(depth)}`;
  for (const depth of [600, 100_000]) expect(read(deep(depth)).text).toBe(deep(depth));
  expect(read(deep(400)).text.split('\n')).toHaveLength(799);
  expect(read('<a><b/></a>', { characters: 5 }).text).toBe('<a><b/></a>');
  expect(read(deep(100), { characters: 800 }).text).toBe(deep(100));
});

test('a truncated or broken source is read up to its end', () => {
  expect(read('<a><b>one</b><c').text).toBe('<a>\n  <b>one</b>\n</a>');
  expect(read('<a>one</b></a>').text).toBe('<a>one</a>');
  expect(read('').text).toBe('');
});

test('invisible characters are removed, escaped ones too', () => {
  expect(read('<a>x\u200By&#x202E;z&#x200B;</a>')).toMatchObject({
    text: '<a>xyz</a>',
    removed: { invisible: 3 },
  });
});
