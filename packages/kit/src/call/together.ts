/** Work that is done once for all calls of one turn of the event loop. */
export interface Together {
  (): void;
  /** what is due is not done, nor what is asked for later */
  cancel(): void;
}

/** Tells together what comes together, such as the changes of a list. */
export function together(work: () => void): Together {
  let due: NodeJS.Immediate | undefined;
  let cancelled = false;
  const ask = (): void => {
    if (cancelled) return;
    due ??= setImmediate(() => {
      due = undefined;
      work();
    });
  };
  const cancel = (): void => {
    cancelled = true;
    clearImmediate(due);
  };
  return Object.assign(ask, { cancel });
}
