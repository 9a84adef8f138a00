import { expect, test } from 'vitest';
import { removeInvisible } from '../../src/markdown/invisible.ts';

test('invisible characters are removed and counted', () => {
  const tags = Array.from('ignore', (char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('');
  const hidden = `a\u200Bb\u00ADc\u202Ed\u2066e\u2069f\uFEFFg\u0000h\u001Bi\u0085j${tags}k\u{E0100}l\u3164m\u2062n`;
  expect(removeInvisible(hidden)).toEqual({ text: 'abcdefghijklmn', removed: 18 });
});

test('text without them is unchanged, with its line ends and tabs', () => {
  const text = 'plain\ttext\r\nand a line\n\fdéjà vu — 中文 “quotes”\u00a0!';
  expect(removeInvisible(text)).toEqual({ text, removed: 0 });
});

test('joiners and selectors stay where emoji and scripts need them, and go elsewhere', () => {
  const needed = '👩‍💻 ❤️ 1️⃣ 👨‍👩‍👧 👩🏽‍🚀 می‌خواهم क्‍ष';
  expect(removeInvisible(needed)).toEqual({ text: needed, removed: 0 });
  expect(removeInvisible('a\u200Db\u200Cc\uFE0Fd')).toEqual({ text: 'abcd', removed: 3 });
  expect(removeInvisible('👩\uFE0F\uFE0E\uFE01x')).toMatchObject({ removed: 1 });
});
