/**
 * Resolves in a later turn of the event loop, after the I/O that waits has been served. Throws the reason of a signal
 * that is aborted already.
 */
export function yieldToEventLoop(signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve) => setImmediate(resolve));
}
