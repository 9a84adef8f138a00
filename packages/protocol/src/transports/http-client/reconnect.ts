import type { ReconnectOptions } from './options.ts';

const GROWTH = 1.5;
/** A stream that was open for so long did its work, even if there was nothing to say. */
const USEFUL_MS = 30_000;

/** Whether a stream was worth opening, by how many messages it brought and how long it was open. */
export function wasUseful(messages: number, milliseconds: number): boolean {
  return messages > 0 || milliseconds >= USEFUL_MS;
}

/**
 * The milliseconds before a stream is asked for again that brought nothing so many times in a row, never fewer than
 * the server wants; undefined when that was often enough.
 */
export function delayBefore(
  fruitless: number,
  retry: number | undefined,
  { attempts, delay, maxDelay }: Required<ReconnectOptions>,
): number | undefined {
  if (fruitless > attempts) return undefined;
  // a server that wants no wait at all gets its way only once in a row
  const first = fruitless === 1 ? (retry ?? delay) : Math.max(retry ?? 0, delay);
  return Math.max(retry ?? 0, Math.min(maxDelay, first * GROWTH ** (fruitless - 1)));
}
