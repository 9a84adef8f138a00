import { batchTooLong, isLongBatch } from './batch.ts';

/** The maximum number of JSON values in one message. Parsing more blocks the process for seconds. */
const MOST_VALUES = 500_000;

const tooManyValues = `a message holds at most ${MOST_VALUES} JSON values; send fewer at once`;

/** Returns the reason not to parse a text, or undefined if it may be parsed. */
export function boundsFault(text: string): string | undefined {
  if (isLongBatch(text)) return batchTooLong;
  return holdsTooManyValues(text) ? tooManyValues : undefined;
}

/** Counts the characters that open or separate values. Invalid JSON fails later, in the parser. */
function holdsTooManyValues(text: string): boolean {
  if (text.length <= MOST_VALUES) return false;
  let count = 0;
  let isInString = false;
  for (let at = 0; at < text.length && count <= MOST_VALUES; at++) {
    const character = text[at];
    if (character === '\\') at++;
    else if (character === '"') isInString = !isInString;
    else if (!isInString && (character === ',' || character === '[' || character === '{')) count++;
  }
  return count > MOST_VALUES;
}
