import { yieldToEventLoop } from '../../primitives/yield.ts';
/** Tells `perform` that the work is no longer cancelled: it has taken effect, or it cleans up. */
export const steadfast = Symbol('steadfast');

/**
 * Work written once for short and long runs: `yield` yields to the event loop where the work has taken long, `wait`
 * waits for a promise. Work without either runs through without a pause.
 */
export type Work<T> = Generator<Promise<unknown> | typeof steadfast | undefined, T, unknown>;

/** The conditions for an early end; read only once the work has to pause. */
export interface Cancelling {
  readonly signal?: AbortSignal | undefined;
}

const SLICE_MS = 8;

/**
 * Does the work: at once and without a promise where it never waits and is short, otherwise with pauses for the event
 * loop.
 */
export function perform<T>(work: Work<T>, cancelling: Cancelling): T | Promise<T> {
  const run: Run<T> = { work, heeds: true };
  const step = slice(run, undefined);
  return step.done === true ? step.value : carryOn(run, step, cancelling.signal);
}

/** Waits for a promise within work. */
export function* wait<T>(promise: Promise<T>): Work<T> {
  // `perform` sends back the value of the promise
  return (yield promise) as T;
}

/** Yields to the event loop now, so that a cancellation on its way takes effect. */
export function pause(): Work<void> {
  return wait(yieldToEventLoop());
}

interface Run<T> {
  readonly work: Work<T>;
  /** whether the signal still ends the work */
  heeds: boolean;
}

type Step<T> = IteratorResult<Promise<unknown> | typeof steadfast | undefined, T>;

/** Runs the work until it ends, waits, or has used its share of time. */
function slice<T>(run: Run<T>, sent: unknown): Step<T> {
  return goOn(run, run.work.next(sent));
}

function goOn<T>(run: Run<T>, first: Step<T>): Step<T> {
  const end = performance.now() + SLICE_MS;
  let step = first;
  while (step.done !== true && !(step.value instanceof Promise)) {
    if (step.value === steadfast) run.heeds = false;
    else if (performance.now() >= end) return step;
    step = run.work.next();
  }
  return step;
}

async function carryOn<T>(run: Run<T>, first: Step<T>, signal: AbortSignal | undefined): Promise<T> {
  let step = first;
  while (step.done !== true) {
    let sent: unknown;
    try {
      sent = await (step.value instanceof Promise ? step.value : yieldToEventLoop());
      if (run.heeds) signal?.throwIfAborted();
    } catch (error) {
      // once is enough: the work's own reaction is not interrupted again
      if (signal?.aborted) run.heeds = false;
      step = goOn(run, run.work.throw(error));
      continue;
    }
    step = slice(run, sent);
  }
  return step.value;
}
