/**
 * Sends the benchmark the port of a server, and makes the requested number of list changes, one per turn of the event
 * loop.
 * @param {number} port
 * @param {() => void} change
 */
export function announce(port, change = () => {}) {
  process.on('message', (/** @type {{ changes: number }} */ { changes }) => {
    let left = changes;
    const next = () => {
      if (left === 0) process.send?.({ changed: changes });
      else {
        left -= 1;
        change();
        setImmediate(next);
      }
    };
    next();
  });
  process.once('disconnect', () => process.exit(0));
  process.send?.({ port });
}

/**
 * Listens on a free port of loopback and announces it.
 * @param {import('node:http').Server} server
 * @param {() => void} [change]
 */
export function listen(server, change) {
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('it does not listen on a port');
    announce(address.port, change);
  });
}
