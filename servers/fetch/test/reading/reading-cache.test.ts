import { expect, test } from 'vitest';
import { ReadingCache } from '../../src/reading/reading-cache.ts';
import { readingOf } from '../pages/readings.ts';

test('a body is parsed once for each set of parameters', async () => {
  const readings = new ReadingCache();
  const body = new Uint8Array(1);
  const made: string[] = [];
  const read = (wish: string) =>
    readings.of(body, wish, async () => {
      made.push(wish);
      return readingOf(wish);
    });
  const first = await read('article');
  expect(await read('article')).toBe(first);
  await read('page');
  expect(made).toEqual(['article', 'page']);
});

test('a page whose main content was not found in time is parsed again', async () => {
  const readings = new ReadingCache();
  const body = new Uint8Array(1);
  const outcomes = [readingOf('whole', { isHurried: true }), readingOf('article')];
  const read = () => readings.of(body, 'article', async () => outcomes.shift()!);
  expect([(await read()).text, (await read()).text, (await read()).text]).toEqual([
    'whole',
    'article',
    'article',
  ]);
});
