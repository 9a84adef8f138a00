import { type HtmlReading, readHtml } from '../../src/extracting/extract.ts';

export const pageUrl = 'https://example.org/stories/fox.html';

/** Returns prose long enough to be content. */
export function prose(topic: string, sentences = 4): string {
  return Array.from(
    { length: sentences },
    (_, at) =>
      `Sentence ${at + 1} about ${topic} goes on for a while, with a comma, so that it reads like prose.`,
  ).join(' ');
}

export const navigation = `<nav><ul>${Array.from(
  { length: 8 },
  (_, at) => `<li><a href="/section-${at}">Section ${at}</a></li>`,
).join('')}</ul></nav>`;

export const footer = '<footer><p>All rights reserved. <a href="/imprint">Imprint</a></p></footer>';

/** Returns a page with navigation and footer around its body. */
export function page(body: string, head = '<title>Foxes</title>'): string {
  return `<!doctype html><html lang="en"><head>${head}</head><body>${navigation}${body}${footer}</body></html>`;
}

export function readArticle(html: string): HtmlReading {
  return readHtml(html, { url: pageUrl, want: 'article' });
}
