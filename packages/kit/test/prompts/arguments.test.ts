import { expect, test } from 'vitest';
import { matching, quoteArgument, readArguments } from '../../src/prompts.ts';

test('an argument left blank is one left out, and an unknown one is refused on one line', () => {
  expect(readArguments({ topic: 'bees', place: ' \n' }, ['topic', 'place'])).toEqual({ topic: 'bees' });
  expect(() => readArguments({ 'to\npic': 'bees' }, ['topic', 'place'])).toThrow(
    expect.objectContaining({
      message: 'unknown argument to\\npic',
      code: 'invalid-argument',
      hint: 'this prompt takes topic, place',
    }),
  );
});

test('an argument is shown on one line and cut when long', () => {
  expect(quoteArgument('one\ntwo')).toBe('one\\ntwo');
  const displayed = quoteArgument('x'.repeat(1000));
  expect([displayed.length, displayed.endsWith('x…')]).toEqual([401, true]);
});

test('values that go on from what was typed come first, then those that hold it in any case, each once', () => {
  expect(matching(['Main', 'domain', 'main', 'mainly', 'other', 'main'], 'main')).toEqual([
    'main',
    'mainly',
    'Main',
    'domain',
  ]);
});
