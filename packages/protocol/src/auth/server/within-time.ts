/** Returns the result of work; after the timeout it aborts the work and rejects. */
export async function withinTime<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => T | Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const reason = new Error(`no response within ${milliseconds} ms`);
      reject(reason);
      controller.abort(reason);
    }, milliseconds);
  });
  try {
    return await Promise.race([work(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}
