import type { ReconnectOptions } from './options.ts';

const GROWTH = 1.5;
/** The time in milliseconds after which a stream counts as useful, even without messages. */
const USEFUL_MS = 30_000;

/** Returns true if a stream brought messages or was open for a while. */
export function wasUseful(messages: number, milliseconds: number): boolean {
  return messages > 0 || milliseconds >= USEFUL_MS;
}

/**
 * Returns the milliseconds to wait before a stream is reconnected after so many attempts without a message,
 * at least as long as the server asks for; undefined after the last attempt.
 */
export function delayBefore(
  fruitless: number,
  retry: number | undefined,
  { attempts, delay, maxDelay }: Required<ReconnectOptions>,
): number | undefined {
  if (fruitless > attempts) return undefined;
  // a server's retry of 0 applies only to the first attempt
  const first = fruitless === 1 ? (retry ?? delay) : Math.max(retry ?? 0, delay);
  return Math.max(retry ?? 0, Math.min(maxDelay, first * GROWTH ** (fruitless - 1)));
}
