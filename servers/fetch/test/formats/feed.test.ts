import { describe, expect, test } from 'vitest';
import { readFeed } from '../../src/formats/feed.ts';
import { convertHtml } from '../../src/markdown/convert.ts';

const convert = (html: string, base: string) => convertHtml(html, { base });
const read = (text: string, mediaType = 'application/rss+xml', bounds = {}) =>
  readFeed({ text, mediaType, url: 'https://a.test/feeds/all.xml' }, convert, bounds);

const rss = `<?xml version="1.0"?>
<?xml-stylesheet href="x.xsl"?>
<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel>
  <title>News &amp;amp; more</title>
  <atom:link href="https://a.test/feeds/all.xml" rel="self"/>
  <link>https://a.test/</link>
  <description>What is new</description>
  <language>en</language>
  <lastBuildDate>Fri, 02 Jan 2026 03:04:05 GMT</lastBuildDate>
  <item>
    <title><![CDATA[First <b>entry</b>]]></title>
    <link>/1?a=(b)</link>
    <pubDate>Thu, 01 Jan 2026 00:00:00 +0100</pubDate>
    <dc:creator>Jo</dc:creator>
    <description>&lt;p&gt;One.&lt;/p&gt;&lt;p hidden&gt;Two.&lt;/p&gt;</description>
    <content:encoded>not this</content:encoded>
  </item>
  <item><title>Second</title><guid>https://a.test/2</guid><content:encoded><![CDATA[All of it]]></content:encoded></item>
  <item><title>Third</title><link>javascript:alert(1)</link><guid isPermaLink="false">x</guid></item>
</channel></rss>`;

test('RSS 2.0 becomes a list of items with URL, date, author and summary', () => {
  expect(read(rss)).toEqual({
    kind: 'feed',
    mediaType: 'application/rss+xml',
    charset: undefined,
    text: [
      '# News & more',
      '',
      'What is new',
      '',
      '- [First **entry**](https://a.test/1?a=%28b%29) — 2025-12-31T23:00:00Z, Jo',
      '',
      '  One.',
      '',
      '- [Second](https://a.test/2)',
      '',
      '  All of it',
      '',
      '- Third',
    ].join('\n'),
    headings: [{ level: 1, text: 'News & more', at: 0 }],
    links: [
      { url: 'https://a.test/', text: '', place: 'head' },
      { url: 'https://a.test/1?a=(b)', text: 'First entry', place: 'content' },
      { url: 'https://a.test/2', text: 'Second', place: 'content' },
    ],
    metadata: {
      title: 'News & more',
      description: 'What is new',
      modified: '2026-01-02T03:04:05Z',
      language: 'en',
      canonical: 'https://a.test/',
      type: 'feed',
    },
    removed: { hidden: 1, invisible: 0, links: 1 },
  });
});

const entries = '- [One](https://a.test/1) — 2026-01-02, Jo\n\n  A summary < 2';

describe('every other kind of feed has the same result', () => {
  test.each([
    [
      'RSS 0.91',
      'application/rss+xml',
      '<rss version="0.91"><channel><title>T</title><item><title>One</title><link>https://a.test/1</link><pubDate>2026-01-02</pubDate><author>Jo</author><description>A summary &amp;lt; 2</description></item></channel></rss>',
    ],
    [
      'RSS 1.0',
      'application/rss+xml',
      '<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/" xmlns:dc="d"><channel rdf:about="x"><title>T</title></channel><item rdf:about="y"><title>One</title><link>https://a.test/1</link><dc:date>2026-01-02</dc:date><dc:creator>Jo</dc:creator><description>A summary &amp;lt; 2</description></item></rdf:RDF>',
    ],
    [
      'Atom',
      'application/atom+xml',
      '<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">&lt;p&gt;T&lt;/p&gt;</title><link rel="self" href="x"/><entry><title>One</title><link rel="enclosure" href="z"/><link href="../1"/><updated>2026-01-03</updated><published>2026-01-02</published><author><name>Jo</name></author><summary>A summary &lt; 2</summary><content>no</content></entry></feed>',
    ],
    [
      'Atom with prefixes and XHTML',
      'application/atom+xml',
      '<a:feed xmlns:a="http://www.w3.org/2005/Atom"><a:title>T</a:title><a:entry><a:title>One</a:title><a:link href="https://a.test/1"/><a:updated>2026-01-02</a:updated><a:author><a:name>Jo</a:name></a:author><a:content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>A summary &lt; 2</p></div></a:content></a:entry></a:feed>',
    ],
    [
      'JSON Feed',
      'application/feed+json',
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'T',
        items: [
          {
            id: 1,
            url: 'https://a.test/1',
            title: 'One',
            date_published: '2026-01-02',
            authors: [{ name: 'Jo' }],
            content_html: '<p>A summary &lt; 2</p>',
          },
        ],
      }),
    ],
  ])('%s', (_name, mediaType, source) => {
    expect(read(source, mediaType)).toMatchObject({ kind: 'feed', mediaType, text: `# T\n\n${entries}` });
  });
});

test('items and their summaries are limited, and the rest is counted', () => {
  const items = Array.from(
    { length: 40 },
    (_, index) =>
      `<item><title>Item ${index}</title><description>${'word '.repeat(100)}</description></item>`,
  );
  const { text } = read(`<rss><channel><title>T</title>${items.join('')}</channel></rss>`, undefined, {
    items: 2,
    summary: 20,
  });
  expect(text).toBe(
    '# T\n\n- Item 0\n\n  word word word word …\n\n- Item 1\n\n  word word word word …\n\n38 more entries are left out.',
  );
});

test('entities of a document are not expanded, and a truncated feed is read up to its end', () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "boom"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><rss><channel><title>&b;&f;</title><item><title>One</title></item><item><title>Tw`;
  expect(read(bomb).text).toBe('# &b;&f;\n\n- One\n- Tw');
});

test('invalid feeds are read as XML or JSON', () => {
  expect(read('<opml><a>1</a></opml>')).toMatchObject({ kind: 'xml', text: '<opml>\n  <a>1</a>\n</opml>' });
  expect(read('{"items": 3}', 'application/feed+json')).toMatchObject({
    kind: 'json',
    text: '{ "items": 3 }',
  });
});

test('a feed that is too deep is read as XML, and HTML in a feed may have any depth', () => {
  const deep = '<b>'.repeat(50_000);
  expect(read(`<feed><title type="xhtml">${deep}T`).kind).toBe('xml');
  expect(read('<rss>'.repeat(50_000)).kind).toBe('xml');
  expect(read(`<rss><channel><title><![CDATA[${deep}T]]></title></channel></rss>`)).toMatchObject({
    kind: 'feed',
    metadata: { title: 'T' },
  });
});

test('escaped markup stays text, and unescaped markup is read as markup', () => {
  const atom = '<feed><title>T</title><entry><title>How to use &lt;b&gt;</title></entry></feed>';
  expect(read(atom).links).toEqual([]);
  expect(read(atom).text).toBe('# T\n\n- How to use \\<b>');
  const raw =
    '<rss><channel><title>T</title><item><title>One</title><description><p>First.</p><p>Second.</p></description></item></channel></rss>';
  expect(read(raw).text).toBe('# T\n\n- One\n\n  First.\n\n  Second.');
});
