import type { ServerOptions } from 'node:http';

/** The bounds of the connections of a listener, as its options name them. */
export interface Bounds {
  requestTimeout?: number;
  headersTimeout?: number;
  idleTimeout?: number;
  headerLimit?: number;
}

/** How often connections are looked at for timeouts. */
const CHECK_MS = 2000;
const DEFAULT_HEADERS_MS = 15_000;

/** The bounds as node:http takes them; throws one line that names the option. */
export function nodeBounds(bounds: Bounds): ServerOptions {
  const { requestTimeout = 60_000, idleTimeout = 75_000, headerLimit = 32 * 1024 } = bounds;
  // node:http takes 0 for no limit, and refuses more time for a part than for the whole
  const longest = requestTimeout === 0 ? Number.POSITIVE_INFINITY : requestTimeout;
  const { headersTimeout = Math.min(DEFAULT_HEADERS_MS, longest) } = bounds;
  const all = { requestTimeout, headersTimeout, idleTimeout, headerLimit };
  for (const [name, value] of Object.entries(all)) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new TypeError(`${name} must be an integer of at least 0`);
  }
  if (headersTimeout > longest) {
    const both = `headersTimeout ${headersTimeout} must not be above requestTimeout ${requestTimeout}`;
    throw new TypeError(`${both}; lower it or raise requestTimeout`);
  }
  return {
    requestTimeout,
    headersTimeout,
    keepAliveTimeout: idleTimeout,
    maxHeaderSize: headerLimit,
    connectionsCheckingInterval: CHECK_MS,
  };
}
