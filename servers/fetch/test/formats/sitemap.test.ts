import { expect, test } from 'vitest';
import { readBytes } from '../../src/reading/read-body.ts';

const read = (text: string) =>
  readBytes({
    bytes: Buffer.from(text),
    contentType: 'application/xml',
    url: 'https://a.test/sitemap.xml',
    want: 'article',
  });
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

test('a sitemap is the list of its addresses, with when they changed', async () => {
  const { kind, text, links } = await read(
    `<?xml version="1.0"?><!-- made by hand --><urlset ${NAMESPACE} xmlns:image="i">
      <url><loc>https://a.test/1</loc><lastmod>2026-01-02</lastmod><image:image><image:loc>https://a.test/1.png</image:loc></image:image></url>
      <url><loc> /2?a=1&amp;b=2 </loc><lastmod>soon [x](https://evil.test)</lastmod><priority>0.5</priority></url>
      <url><loc>javascript:alert(1)</loc></url><url/>
    </urlset>`,
  );
  expect(kind).toBe('feed');
  expect(text).toBe('# Sitemap\n\n2 URLs\n\n- <https://a.test/1> — 2026-01-02\n- <https://a.test/2?a=1&b=2>');
  expect(links.map(({ url }) => url)).toEqual(['https://a.test/1', 'https://a.test/2?a=1&b=2']);
});

test('a sitemap index is the list of its sitemaps, with namespace prefixes too, and read up to a truncated end', async () => {
  const { text } = await read(
    `<s:sitemapindex xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:sitemap><s:loc>https://a.test/s1.xml</s:loc><s:lastmod>2026-01-02T10:00:00+01:00</s:lastmod></s:sitemap><s:sitemap><s:loc>https://a.test/s2.x`,
  );
  expect(text).toContain('- <https://a.test/s1.xml> — 2026-01-02T10:00:00+01:00');
});

test('all URLs of a large sitemap are listed, up to the limit of its specification', async () => {
  const url = (at: number): string => `<url><loc>https://a.test/${at}</loc></url>`;
  const { links, text } = await read(
    `<urlset ${NAMESPACE}>${Array.from({ length: 50_010 }, (_, at) => url(at)).join('')}</urlset>`,
  );
  expect(links.length).toBe(50_000);
  expect(text).toMatch(/^# Sitemap\n\nThe first 50000 URLs\n/);
});

test('XML that only begins like a sitemap is read as XML', async () => {
  const deep = `<urlset>${'<a>'.repeat(30)}${'</a>'.repeat(30)}</urlset>`;
  expect((await read(deep)).kind).toBe('xml');
  expect((await read('<urlsets><url><loc>https://a.test/</loc></url></urlsets>')).kind).toBe('xml');
});

test('many comments before the root take no time', async () => {
  expect((await read(`${'<!---->'.repeat(500)}<stock/>`)).kind).toBe('xml');
  expect(
    (await read(`${'<!---->'.repeat(500)}<urlset><url><loc>https://a.test/</loc></url></urlset>`)).kind,
  ).toBe('feed');
});
