/** How soon more of a word counts little, and how much longer rows count less; as FTS5 has them. Source: https://sqlite.org/fts5.html#the_bm25_function */
const K1 = 1.2;
const B = 0.75;

/**
 * How well a row of an FTS3 or FTS4 table matches, from `matchinfo` with `pcx` or `pcnalx`; more is better.
 * Source: https://sqlite.org/fts3.html#matchinfo
 */
export function scoreOf(info: Buffer, isWhole: boolean): number {
  const numbers = new Uint32Array(info.buffer.slice(info.byteOffset, info.byteOffset + info.length));
  const [phrases = 0, columns = 0] = numbers;
  const rows = isWhole ? numbers[2]! : 0;
  const lengths = isWhole ? 3 : 2;
  const hits = isWhole ? lengths + 2 * columns : lengths;
  let score = 0;
  for (let phrase = 0; phrase < phrases; phrase++) {
    for (let column = 0; column < columns; column++) {
      const at = hits + 3 * (phrase * columns + column);
      const here = numbers[at]!;
      if (here === 0) continue;
      const within = numbers[at + 2]!;
      const rarity = isWhole ? Math.max(1e-6, Math.log((rows - within + 0.5) / (within + 0.5))) : 1 / within;
      const average = isWhole ? Math.max(1, numbers[lengths + column]!) : 1;
      const long = isWhole ? numbers[lengths + columns + column]! / average : 1;
      score += (rarity * here * (K1 + 1)) / (here + K1 * (1 - B + B * long));
    }
  }
  return score;
}
