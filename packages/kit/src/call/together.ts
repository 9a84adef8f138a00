/** Work that is done once for all calls of one turn of the event loop. */
export interface Together {
  (): void;
  /** drops pending work and all later calls */
  cancel(): void;
}

/**
 * Joins calls that come together, such as the changes of a list: runs `work` in the next turn of the event loop, but
 * not before `pauseMs` have passed since its last run.
 */
export function together(work: () => void, pauseMs = 0): Together {
  let due: NodeJS.Immediate | undefined;
  let pause: NodeJS.Timeout | undefined;
  let cameMeanwhile = false;
  let cancelled = false;
  const rest = (): void => {
    pause = setTimeout(() => {
      pause = undefined;
      if (!cameMeanwhile) return;
      cameMeanwhile = false;
      ask();
    }, pauseMs).unref();
  };
  const ask = (): void => {
    if (cancelled) return;
    if (pause !== undefined) {
      cameMeanwhile = true;
      return;
    }
    due ??= setImmediate(() => {
      due = undefined;
      if (pauseMs > 0) rest();
      work();
    });
  };
  const cancel = (): void => {
    cancelled = true;
    clearImmediate(due);
    clearTimeout(pause);
  };
  return Object.assign(ask, { cancel });
}
