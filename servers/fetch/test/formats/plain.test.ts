import { expect, test } from 'vitest';
import { readPlain } from '../../src/formats/plain-text.ts';

const read = (text: string) => readPlain({ text, mediaType: 'text/plain', url: 'https://a.test/' });

test('text is unchanged, with line feeds and without invisible characters', () => {
  expect(read('a\r\nb\rc\n\u200B d')).toMatchObject({
    kind: 'text',
    mediaType: 'text/plain',
    text: 'a\nb\nc\n d',
    removed: { hidden: 0, invisible: 1, links: 0 },
  });
});

test('URLs in it are links, each once and without adjacent punctuation', () => {
  const { links } = read(
    'See https://b.test/a_(b). Also <https://b.test/c>, (https://b.test/d), "https://b.test/e?x=1&y=2" https://b.test/c! javascript:alert(1)',
  );
  expect(links.map(({ url }) => url)).toEqual([
    'https://b.test/a_(b)',
    'https://b.test/c',
    'https://b.test/d',
    'https://b.test/e?x=1&y=2',
  ]);
});
