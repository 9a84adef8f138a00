import { DEFAULT_MESSAGE_LIMIT } from './stream.ts';

/**
 * Limits of the connections of one listener.
 * @example
 * const limits: ConnectionLimits = { messageLimit: 1024 * 1024, connectionCap: 100, idleTimeout: 600_000 };
 */
export interface ConnectionLimits {
  /** maximum size of a message in bytes; default 64 MiB */
  messageLimit?: number;
  /** maximum number of connections; further ones are refused. Default 1,000 */
  connectionCap?: number;
  /**
   * maximum number of connections of one principal, or without authorization of one address other than
   * loopback; further ones are refused. Default a quarter of `connectionCap`
   */
  connectionShare?: number;
  /** milliseconds in which a connection must send its first message; default 60,000 */
  startTimeout?: number;
  /**
   * milliseconds after which a connection is closed that sends nothing, waits for no response and has no
   * subscriptions; default never
   */
  idleTimeout?: number;
  /** milliseconds without reading after which a client with unread responses is disconnected; default 120,000 */
  stallTimeout?: number;
}

export type Limits = Readonly<Required<ConnectionLimits>>;

/** The longest interval between two checks of a connection, in milliseconds. */
const SWEEP_MS = 15_000;

export function normaliseLimits({
  messageLimit = DEFAULT_MESSAGE_LIMIT,
  connectionCap = 1000,
  connectionShare = Math.max(1, Math.floor(connectionCap / 4)),
  startTimeout = 60_000,
  idleTimeout = Number.POSITIVE_INFINITY,
  stallTimeout = 120_000,
}: ConnectionLimits): Limits {
  return Object.freeze({
    messageLimit,
    connectionCap,
    connectionShare,
    startTimeout,
    idleTimeout,
    stallTimeout,
  });
}

/** Returns the interval at which the limits of a connection are checked, in milliseconds. */
export function sweepInterval({ startTimeout, idleTimeout }: Limits): number {
  return Math.min(SWEEP_MS, startTimeout, idleTimeout);
}

/** The idle and start timeouts of one connection. */
export class ConnectionTimeouts {
  readonly #limits: Limits;
  /** by `performance.now()` */
  #since = performance.now();
  #spoken = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** Records that the other side has sent something. */
  received(): void {
    this.#spoken = true;
    this.#since = performance.now();
  }

  /** Returns the reason to close the connection, or undefined; a busy connection is not idle. */
  expired(busy: boolean): string | undefined {
    const now = performance.now();
    const { startTimeout, idleTimeout } = this.#limits;
    if (!this.#spoken) {
      return now - this.#since >= startTimeout ? `nothing was received within ${startTimeout} ms` : undefined;
    }
    if (busy) this.#since = now;
    return now - this.#since >= idleTimeout ? `nothing was received for ${idleTimeout} ms` : undefined;
  }
}
