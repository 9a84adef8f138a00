/**
 * Returns a callback for an emitter, a timer or a worker. The callback never throws: an exception or
 * rejection of `run` goes to `onFault`, which must not throw.
 * @example socket.on('data', guarded((bytes: Buffer) => reader.push(bytes), () => socket.destroy()));
 */
export function guarded<A extends unknown[]>(
  run: (...args: A) => unknown,
  onFault: (error: unknown) => void,
): (...args: A) => void {
  return (...args) => {
    try {
      const running = run(...args);
      if (running instanceof Promise) running.catch(onFault);
    } catch (error) {
      onFault(error);
    }
  };
}
