/** The maximum number of messages in a batch. */
export const MOST_BATCHED = 1000;
/** The maximum length of a batch in characters, so that parsing it does not block the event loop. */
const MOST_TEXT = 2 * 1024 * 1024;

/** The error message for a batch that exceeds these limits. */
export const batchTooLong = `a batch holds at most ${MOST_BATCHED} messages in 2 MiB; send fewer`;

/** Returns true for the text of a batch that is too long to parse. */
export function isLongBatch(text: string): boolean {
  return text.length > MOST_TEXT && /^\s*\[/.test(text);
}

/** Returns true for a parsed batch of too many messages. */
export function isLargeBatch(value: unknown): boolean {
  return Array.isArray(value) && value.length > MOST_BATCHED;
}
