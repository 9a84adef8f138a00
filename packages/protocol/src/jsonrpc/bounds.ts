import { batchTooLong, isLongBatch } from './batch.ts';

/** Values that one message may hold. Parsing more takes seconds, in which nobody else is served. */
const MOST_VALUES = 500_000;

const tooManyValues = `a message holds at most ${MOST_VALUES} JSON values; send fewer at once`;

/** Returns why a text is not parsed, or undefined where it may be. */
export function boundsFault(text: string): string | undefined {
  if (isLongBatch(text)) return batchTooLong;
  return holdsTooManyValues(text) ? tooManyValues : undefined;
}

/** Counts what begins a value or separates two; of text that is not JSON the parser tells. */
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
