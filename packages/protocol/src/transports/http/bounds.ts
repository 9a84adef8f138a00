import type { ServerOptions } from 'node:http';

/** The timeouts and limits of the connections of a listener. */
export interface Bounds {
  requestTimeout?: number;
  headersTimeout?: number;
  idleTimeout?: number;
  headerLimit?: number;
}

/** The interval at which timeouts are checked, in milliseconds. */
const CHECK_MS = 2000;
const DEFAULT_HEADERS_MS = 15_000;

/** Returns the limits for node:http; throws one line that names an invalid option. */
export function nodeBounds(bounds: Bounds): ServerOptions {
  const { requestTimeout = 60_000, idleTimeout = 75_000, headerLimit = 32 * 1024 } = bounds;
  // node:http uses 0 for no limit, and rejects a longer timeout for the headers than for the request
  const longest = requestTimeout === 0 ? Number.POSITIVE_INFINITY : requestTimeout;
  const { headersTimeout = Math.min(DEFAULT_HEADERS_MS, longest) } = bounds;
  const all = { requestTimeout, headersTimeout, idleTimeout, headerLimit };
  for (const [name, value] of Object.entries(all)) {
    if (!Number.isSafeInteger(value) || value < 0)
      throw new TypeError(`${name} must be an integer of at least 0`);
  }
  if (headersTimeout > longest) {
    const both = `headersTimeout ${headersTimeout} must not exceed requestTimeout ${requestTimeout}`;
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
