/** Characters of a label; what is longer would leave no room for the chart. */
const MOST = 60;
// XML 1.0 cannot hold them, escaped or not
const UNPRINTABLE = /[\p{Cc}\p{Cs}\uFFFE\uFFFF]+/gu;

/** Text of a database as a label may show it: one line, short, without what no drawing can hold. */
export function labelOf(text: string): string {
  const line = text
    .slice(0, MOST * 4)
    .replace(/\s+/gu, ' ')
    .replace(UNPRINTABLE, '\uFFFD')
    .trim();
  const characters = Array.from(line);
  return characters.length <= MOST ? line : `${characters.slice(0, MOST - 1).join('')}…`;
}
