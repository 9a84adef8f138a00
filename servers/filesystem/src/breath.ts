/** Lets others have a turn of the event loop. */
export function breath(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
