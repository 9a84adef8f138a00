import { expect, test } from 'vitest';
import { type LinkOptions, linksOf } from '../../src/pages/links.ts';
import { linkTo, readingOf } from './readings.ts';

const reading = readingOf('text', {
  links: [
    linkTo('https://example.com/a', '', 'navigation'),
    linkTo('https://example.com/a', 'First', 'content'),
    linkTo('https://www.example.com/b', 'Résumé'),
    linkTo('https://example.com/page#part', 'Part'),
    linkTo('https://other.example/', 'Other', 'navigation'),
    linkTo('mailto:someone@example.com', 'Mail'),
    linkTo('https://example.com/feed.xml', '', 'head'),
  ],
});
const url = 'https://example.com/page';
const urls = (options: Partial<LinkOptions>) =>
  linksOf(reading, { url, ...options }).links.map((link) => link.url.replace(/^https:\/\//, ''));

test('each URL is listed once, with its first text and the most central of its places', () => {
  expect(linksOf(reading, { url }).links[0]).toEqual({
    url: 'https://example.com/a',
    text: 'First',
    place: 'content',
    scope: 'internal',
    times: 2,
  });
});

test('links are filtered by target, place and text', () => {
  expect(urls({ scope: 'external' })).toEqual(['other.example/', 'mailto:someone@example.com']);
  expect(urls({ scope: 'internal' })).toEqual(['example.com/a', 'www.example.com/b', 'example.com/feed.xml']);
  expect(urls({ scope: 'same-page' })).toEqual(['example.com/page#part']);
  expect(urls({ place: 'navigation' })).toEqual(['other.example/']);
  expect(urls({ match: 'resume' })).toEqual(['www.example.com/b']);
  expect(urls({ match: 'FEED' })).toEqual(['example.com/feed.xml']);
});

test('counts are of the whole page, with any filters', () => {
  expect(linksOf(reading, { url, match: 'nothing' })).toEqual({
    links: [],
    total: 0,
    truncated: false,
    next: undefined,
    counts: {
      all: 7,
      different: 6,
      internal: 3,
      external: 2,
      'same-page': 1,
      content: 4,
      navigation: 1,
      head: 1,
    },
  });
});

test('a list that is cut says so and where it continues', () => {
  const first = linksOf(reading, { url, max: 4 });
  expect([first.links.length, first.total, first.truncated, first.next]).toEqual([4, 6, true, 4]);
  const rest = linksOf(reading, { url, max: 4, from: first.next });
  expect([rest.links.length, rest.truncated, rest.next]).toEqual([2, false, undefined]);
});
