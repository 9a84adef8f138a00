/** Work that is done once for all calls of one turn of the event loop. */
export interface Together {
  (): void;
  /** what is due is not done, nor what is asked for later */
  cancel(): void;
}

/**
 * Tells together what comes together, such as the changes of a list: with the next turn of the event loop, but not
 * before `pauseMs` have gone by since it was last told.
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
