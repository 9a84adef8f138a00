import { expect, test } from 'vitest';
import { readHtml } from '../../src/extracting/extract.ts';
import { pageUrl, prose, readArticle } from './pages.ts';

const html = `<html><head><link rel="next" href="page2" title="Next page"><link rel="stylesheet" href="/a.css">
  <link rel="icon" href="/icon.png"></head><body><nav><a href="/">Home</a><a href="#main">Skip</a></nav>
  <main id="main"><p>${prose('foxes')} <a href="/study" rel="nofollow">The
  study</a> and <a href="javascript:void 0">more</a>, <a href="mailto:ann@example.org">write</a>.</p>
  <p>${prose('dens')}</p></main><footer><a href="/imprint">Imprint</a><a href="/imprint">Imprint again</a></footer></body></html>`;

test('links have a place: head, main content, or navigation', () => {
  expect(readArticle(html).links).toEqual([
    { url: 'https://example.org/stories/page2', text: 'Next page', place: 'head', rel: 'next' },
    { url: 'https://example.org/', text: 'Home', place: 'navigation' },
    { url: 'https://example.org/study', text: 'The study', place: 'content', rel: 'nofollow' },
    { url: 'https://example.org/imprint', text: 'Imprint', place: 'navigation', times: 2 },
  ]);
});

test('all links of a whole page are content', () => {
  const { links } = readHtml(html, { url: pageUrl, want: 'page' });
  expect(links.map(({ url, place }) => [url, place])).toContainEqual([
    'https://example.org/imprint',
    'content',
  ]);
});

test('a base element applies to the list of links and to those in the text', () => {
  const { links, text } = readArticle(
    `<base href="https://other.example/dir/"><p>${prose('foxes')} <a href="x">the study</a></p>`,
  );
  expect(links).toEqual([{ url: 'https://other.example/dir/x', text: 'the study', place: 'content' }]);
  expect(text).toContain('[the study](https://other.example/dir/x)');
});

test('repeated links are counted beyond the limit of links', () => {
  const others = Array.from({ length: 11_000 }, (_, at) => `<a href="/${at % 6000}">x</a>`).join('');
  const tea = '<a href="/tea">tea</a>';
  const { links } = readHtml(`<p>${tea}${others}${tea} ${tea}</p>`, { url: pageUrl, want: 'page' });
  expect(links.find(({ url }) => url.endsWith('/tea'))).toMatchObject({ text: 'tea', times: 3 });
});
