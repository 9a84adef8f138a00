import { expect, test } from 'vitest';
import { clipText } from '../../src/budget.ts';
import { random, randomTexts } from './random.ts';

/** Inside a JSON string, without the quotes. */
const jsonBody = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

test('a text that fits comes back whole', () => {
  expect(clipText('héllo', 6)).toEqual({ kept: 'héllo', bytes: 6, totalBytes: 6, truncated: false });
});

test.each([
  ['behind the last line end that fits', 'one\ntwo\nthree', 10, 'one\ntwo\n'],
  ['between characters when the last line end keeps less than half', 'a\nbbbbbbbbbb', 8, 'a\nbbbbbb'],
  ['before a character that would be split', 'aa😀', 5, 'aa'],
  ['before a CRLF that would be split', 'abc\r\ndef', 4, 'abc'],
  ['behind a CRLF that fits', 'abc\r\ndef', 6, 'abc\r\n'],
  ['at nothing when not one character fits', '😀', 3, ''],
  ['at nothing when nothing may be kept', 'abc', 0, ''],
])('a text is cut %s', (_where, text, max, kept) => {
  const expected = {
    kept,
    bytes: Buffer.byteLength(kept),
    totalBytes: Buffer.byteLength(text),
    truncated: true,
  };
  expect(clipText(text, max)).toEqual(expected);
  expect(clipText(Buffer.from(text), max)).toEqual({ ...expected, kept: Buffer.from(kept) });
});

test('measured as JSON, quotes and control characters count as written', () => {
  expect(clipText('a"b"c', 4, { measure: 'json' }).kept).toBe('a"b');
  expect(clipText(Buffer.from('a\u0000b'), 7, { measure: 'json' }).kept.toString()).toBe('a\0');
  expect(clipText('a"b', 4, { measure: 'json' }).truncated).toBe(false);
});

test('whatever the text and the limit, the kept part is a prefix within the limit, and its count is exact', () => {
  const next = random(7);
  for (const text of randomTexts(3000, 2)) {
    const max = next(70);
    for (const measure of ['utf8', 'json'] as const) {
      const clip = clipText(text, max, { measure });
      expect(text.startsWith(clip.kept)).toBe(true);
      const size = measure === 'json' ? jsonBody(clip.kept) : Buffer.byteLength(clip.kept);
      expect(size).toBeLessThanOrEqual(max);
      expect([clip.bytes, clip.totalBytes]).toEqual([Buffer.byteLength(clip.kept), Buffer.byteLength(text)]);
      expect(clip.truncated).toBe(clip.kept.length < text.length);
    }
  }
});

test('bytes are cut where the text they hold is cut, and never inside a character', () => {
  const next = random(8);
  for (const raw of randomTexts(3000, 3)) {
    const text = Buffer.from(raw).toString();
    const max = next(70);
    for (const measure of ['utf8', 'json'] as const) {
      const clip = clipText(Buffer.from(text), max, { measure });
      expect(clip.kept.toString()).toBe(clipText(text, max, { measure }).kept);
      expect(clip.kept.length).toBe(clip.bytes);
    }
  }
});

test('reading on from the kept bytes reaches the end and loses nothing', () => {
  for (const raw of randomTexts(500, 4)) {
    const whole = Buffer.from(Buffer.from(raw).toString());
    const parts: Buffer[] = [];
    for (let rest = whole; rest.length > 0; ) {
      const { kept, bytes } = clipText(rest, 8);
      if (bytes === 0) expect.fail(`no progress in ${JSON.stringify(raw)}`);
      parts.push(kept);
      rest = rest.subarray(bytes);
    }
    expect(Buffer.concat(parts).equals(whole)).toBe(true);
  }
});

test('bytes that are no UTF-8 are cut at the limit instead of looping', () => {
  expect(clipText(Buffer.alloc(20, 0x80), 10).bytes).toBe(10);
});
