/** Work that stops at each `yield`, so that somebody else can have a turn. */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Steps of a plain loop between two yields. */
export const STEPS_IN_ONE_GO = 4096;

const SLICE_MS = 10;

/** Does sliced work to its end; the event loop has a turn every few milliseconds. */
export async function inSlices<T>(work: Sliced<T>, signal: AbortSignal): Promise<T> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    let step = work.next();
    while (step.done !== true && performance.now() < end) step = work.next();
    if (step.done === true) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
}
