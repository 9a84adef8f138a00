/** Resolves when work is done or the grace is over. */
export function within(grace: number, work: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, grace);
    void work.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
