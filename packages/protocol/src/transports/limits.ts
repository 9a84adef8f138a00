import { DEFAULT_MESSAGE_LIMIT } from './stream.ts';

/**
 * What one listener bears.
 * @example
 * const limits: ConnectionLimits = { messageLimit: 1024 * 1024, connectionCap: 100, idleTimeout: 600_000 };
 */
export interface ConnectionLimits {
  /** longest message in bytes. Default 64 MiB */
  messageLimit?: number;
  /** connections at once; further ones are refused. Default 1,000 */
  connectionCap?: number;
  /**
   * connections of one principal, or of one address where nobody says who they are, but for loopback; further ones are
   * refused. Default a quarter of `connectionCap`
   */
  connectionShare?: number;
  /** milliseconds in which a connection must say something first, or it is closed. Default 60,000 */
  startTimeout?: number;
  /**
   * milliseconds after which a connection is closed that says nothing, waits for nothing and has subscribed to
   * nothing. Default never
   */
  idleTimeout?: number;
  /** milliseconds after which a client is cut off that has unread answers and reads nothing of them. Default 120,000 */
  stallTimeout?: number;
}

export type Limits = Readonly<Required<ConnectionLimits>>;

/** How often connections are looked at, at most. */
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

/** How often the limits of a connection have to be looked at, in milliseconds. */
export function sweepInterval({ startTimeout, idleTimeout }: Limits): number {
  return Math.min(SWEEP_MS, startTimeout, idleTimeout);
}

/** The right of one connection to stay: lost when it says nothing for too long. */
export class Tenure {
  readonly #limits: Limits;
  /** by `performance.now()` */
  #since = performance.now();
  #spoken = false;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The other side has said something. */
  heard(): void {
    this.#spoken = true;
    this.#since = performance.now();
  }

  /** Why it is over, or undefined while it is not; a connection that is busy does not count as idle. */
  lost(busy: boolean): string | undefined {
    const now = performance.now();
    const { startTimeout, idleTimeout } = this.#limits;
    if (!this.#spoken) {
      return now - this.#since >= startTimeout ? `nothing was said within ${startTimeout} ms` : undefined;
    }
    if (busy) this.#since = now;
    return now - this.#since >= idleTimeout ? `nothing was said for ${idleTimeout} ms` : undefined;
  }
}
