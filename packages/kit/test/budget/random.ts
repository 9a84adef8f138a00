const ALPHABETS = [
  'abcdefghij ',
  'a\n',
  '\r\n',
  '"\\\u0000\u0008\u001b\u007f\t',
  'éß\u07ff',
  '日本\u2028\uffff',
  '😀🏳',
  '\ud800\udfff',
];

/** Texts of every width of UTF-8, with line ends, quotes and lone surrogates; the same ones each run. */
export function randomTexts(count: number, seed = 1): string[] {
  const next = random(seed);
  return Array.from({ length: count }, () => {
    const length = next(60);
    let text = '';
    while (text.length < length) {
      const alphabet = Array.from(ALPHABETS[next(ALPHABETS.length)]!);
      const run = next(8);
      for (let i = 0; i < run; i++) text += alphabet[next(alphabet.length)]!;
    }
    return text;
  });
}

/** A generator of whole numbers below a bound, the same ones each run (mulberry32). */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
