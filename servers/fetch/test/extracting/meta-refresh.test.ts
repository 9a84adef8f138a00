import { expect, test } from 'vitest';
import { readHtml } from '../../src/extracting/extract.ts';

const read = (content: string, want: 'article' | 'page' = 'article') =>
  readHtml(`<title>Moved</title><meta http-equiv="Refresh" content="${content}"><p>Please wait.`, {
    url: 'https://a.test/old',
    want,
  });

test.each([
  ['0; url=/new', 'https://a.test/new'],
  ["5;URL='https://b.test/new?a=1'", 'https://b.test/new?a=1'],
  ['0, https://b.test/', 'https://b.test/'],
  ['0.5 new', 'https://a.test/new'],
])('a meta refresh by %j is reported, and added to the links', (content, url) => {
  for (const want of ['article', 'page'] as const) {
    const { extraction, links } = read(content, want);
    expect(extraction?.notes).toContain(`the page refreshes to ${url}`);
    expect(links.map((link) => link.url)).toContain(url);
  }
});

test.each(['30', '30; url=/old', '0; url=javascript:alert(1)', '0; url=data:text/html,x', 'soon'])(
  'a page that reloads itself, or has an invalid target, by %j has no meta refresh',
  (content) => {
    const { extraction, links } = read(content);
    expect(extraction?.notes.join()).not.toContain('sends its readers');
    expect(links).toEqual([]);
  },
);
