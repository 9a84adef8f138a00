/** Messages that one batch may hold. */
export const MOST_BATCHED = 1000;
/** Characters of the text of one batch: parsing it ends within one turn, which has to be a short one. */
const MOST_TEXT = 2 * 1024 * 1024;

/** States the bounds of a batch to the side that has sent a longer one. */
export const batchTooLong = `a batch holds at most ${MOST_BATCHED} messages in 2 MiB; send fewer`;

/** Whether a text is a batch that is too long to be parsed. */
export function isLongBatch(text: string): boolean {
  return text.length > MOST_TEXT && /^\s*\[/.test(text);
}

/** Whether a parsed value is a batch of too many messages. */
export function isLargeBatch(value: unknown): boolean {
  return Array.isArray(value) && value.length > MOST_BATCHED;
}
