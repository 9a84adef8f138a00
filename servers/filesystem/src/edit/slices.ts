import { yieldToEventLoop } from '@rootbound/kit/primitives';

/** Work that pauses at each `yield`, so that the event loop can run. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Steps of a plain loop between two yields. */
export const STEPS_IN_ONE_GO = 4096;

/** Bytes that native code compares or searches between two yields. */
export const BYTES_IN_ONE_GO = 4 * 1024 * 1024;

const SLICE_MS = 10;

/**
 * Runs sliced work to its end: synchronously if it takes a few milliseconds, or else with a turn of the event loop
 * every few milliseconds.
 */
export function inSlices<T>(work: Sliced<T>, signal: AbortSignal): T | Promise<T> {
  const step = slice(work);
  return step.done === true ? step.value : later(work, signal);
}

async function later<T>(work: Sliced<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    await yieldToEventLoop();
    signal.throwIfAborted();
    const step = slice(work);
    if (step.done === true) return step.value;
  }
}

function slice<T>(work: Sliced<T>): IteratorResult<undefined, T> {
  const end = performance.now() + SLICE_MS;
  let step = work.next();
  while (step.done !== true && performance.now() < end) step = work.next();
  return step;
}
