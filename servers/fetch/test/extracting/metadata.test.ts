import { describe, expect, test } from 'vitest';
import { readHtml } from '../../src/extracting/extract.ts';
import type { Metadata } from '../../src/reading/reading.ts';
import { page, pageUrl, prose } from './pages.ts';

function metadataOf(head: string, body = `<p>${prose('foxes')}</p>`): Metadata {
  return readHtml(page(body, head), { url: pageUrl, want: 'article' }).metadata;
}

function jsonLd(data: unknown): string {
  return `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
}

test('all metadata of a page is read, with absolute URLs, the same for an article and for the whole page', () => {
  const head = `<title>Foxes live near - The Daily Fox</title>
    <base href="https://example.org/base/">
    <meta property="og:title" content="Foxes live near">
    <meta property="og:site_name" content="The Daily Fox">
    <meta property="og:type" content="article">
    <meta property="og:image" content="/fox.jpg">
    <meta name="description" content="What a &amp; b study   says.">
    <meta name="author" content="By Ann Other">
    <meta property="article:published_time" content="2026-01-02T03:04:05Z">
    <meta property="article:modified_time" content="2026-01-03">
    <link rel="canonical" href="foxes">
    <link rel="alternate" type="application/rss+xml" title="News" href="/feed.xml">
    <link rel="alternate" type="application/feed+json" href="/feed.json">
    <link rel="alternate" hreflang="de" href="/de/foxes">`;
  const expected: Metadata = {
    title: 'Foxes live near',
    description: 'What a & b study says.',
    author: 'Ann Other',
    site: 'The Daily Fox',
    published: '2026-01-02T03:04:05Z',
    modified: '2026-01-03',
    language: 'en',
    canonical: 'https://example.org/base/foxes',
    image: 'https://example.org/fox.jpg',
    type: 'article',
    feeds: [{ url: 'https://example.org/feed.xml', title: 'News' }, { url: 'https://example.org/feed.json' }],
    alternates: [{ url: 'https://example.org/de/foxes', language: 'de' }],
  };
  const html = page(`<p>${prose('foxes')}</p>`, head);
  expect(readHtml(html, { url: pageUrl, want: 'article' }).metadata).toEqual(expected);
  expect(readHtml(html, { url: pageUrl, want: 'page' }).metadata).toEqual(expected);
  expect(readHtml(html, { url: pageUrl, want: 'article', selector: 'p' }).metadata).toEqual(expected);
});

test('JSON-LD fills gaps of the meta elements, and is returned unchanged', () => {
  const data = {
    '@context': 'https://schema.org',
    '@graph': [
      { '@type': 'WebSite', name: 'The Daily Fox' },
      {
        '@type': ['NewsArticle'],
        headline: 'Foxes live near',
        author: [{ '@type': 'Person', name: 'Ann Other' }, { name: 'Bob Other' }],
        datePublished: '2026-01-02',
        dateModified: '2026-01-03',
        image: { url: 'https://example.org/fox.jpg' },
        inLanguage: 'en-GB',
      },
    ],
  };
  expect(metadataOf(jsonLd(data))).toEqual({
    title: 'Foxes live near',
    author: 'Ann Other, Bob Other',
    site: 'The Daily Fox',
    published: '2026-01-02',
    modified: '2026-01-03',
    language: 'en',
    image: 'https://example.org/fox.jpg',
    type: 'NewsArticle',
    structured: [data],
  });
});

test('elements of the text name the author and date if nothing else does', () => {
  const body = `<h1>Foxes</h1><a rel="author" href="/ann">Ann Other</a> <time datetime="2026-01-02">yesterday</time><p>${prose('foxes')}</p>`;
  expect(metadataOf('', body)).toMatchObject({
    title: 'Foxes',
    author: 'Ann Other',
    published: '2026-01-02',
  });
});

describe('a title', () => {
  test.each([
    ['Foxes live near | The Daily Fox', '', 'Foxes live near'],
    [
      'The Daily Fox – Foxes live near',
      '<meta property="og:site_name" content="The Daily Fox">',
      'Foxes live near',
    ],
    ['Foxes live near', '', 'Foxes live near'],
    [
      'Foxes and hares of the north - and all they ever knew',
      '',
      'Foxes and hares of the north - and all they ever knew',
    ],
    ['Foxes - a short history of a long friendship', '', 'Foxes - a short history of a long friendship'],
    ['Foxes and other self-taught hunters', '', 'Foxes and other self-taught hunters'],
  ])('%s loses only the name of its site', (title, more, expected) => {
    expect(metadataOf(`<title>${title}</title>${more}`).title).toBe(expected);
  });

  test('that repeats the first heading is that heading', () => {
    const body = `<h1>Foxes live near - much nearer</h1><p>${prose('foxes')}</p>`;
    expect(metadataOf('<title>Foxes live near - much nearer - News - Daily</title>', body).title).toBe(
      'Foxes live near - much nearer',
    );
  });

  test('of an svg element does not count', () => {
    expect(metadataOf('', `<svg><title>Arrow</title></svg><p>${prose('foxes')}</p>`).title).toBeUndefined();
  });
});

test.each([
  ['2 January 2026 10:00 UTC', '2026-01-02T10:00:00.000Z'],
  ['2026-01-02 10:00', '2026-01-02 10:00'],
  ['yesterday', undefined],
])('the date %s is returned as %s', (written, expected) => {
  expect(metadataOf(`<meta name="date" content="${written}">`).published).toBe(expected);
});

describe('data of a page is limited', () => {
  test('invalid, large and deep data is left out, and the rest is kept', () => {
    const deep = `${`{"a":`.repeat(5000)}1${'}'.repeat(5000)}`;
    const large = { '@type': 'Thing', text: 'x'.repeat(100_000) };
    const head = `<script type="application/ld+json">{"a":</script><script type="application/ld+json">${deep}</script>${jsonLd(large)}${jsonLd({ '@type': 'Place', name: 'Den' })}`;
    expect(metadataOf(head).structured).toEqual([{ '@type': 'Place', name: 'Den' }]);
  });

  test('invalid URLs are left out', () => {
    const head =
      '<link rel="canonical" href="javascript:alert(1)"><meta property="og:image" content="data:image/png;base64,AAAA">';
    expect(metadataOf(head)).toEqual({ language: 'en' });
  });
});
