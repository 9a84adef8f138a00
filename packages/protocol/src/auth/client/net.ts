import type { LookupFunction } from 'node:net';

/** How metadata and tokens are asked for. */
export interface Net {
  /** carries requests in place of node:http */
  readonly fetch: typeof fetch | undefined;
  /** resolves names in place of the system */
  readonly lookup: LookupFunction | undefined;
  /** the hosts that the operator lets servers name wherever they are, as URLs spell them */
  readonly privateHosts: ReadonlySet<string>;
  /** milliseconds for one request */
  readonly timeout: number;
  /** ends every request */
  readonly signal: AbortSignal | undefined;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpReply {
  readonly status: number;
  /** the value of a header by its lower-case name */
  header(name: string): string | undefined;
  /** the body; leaving it early breaks the connection */
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Lets go of a body that nobody reads. */
  cancel(): Promise<void> | void;
}

/** Returns a signal for one request: its time, and the end of every flow. */
export function deadlineOf({ timeout, signal }: Net): AbortSignal {
  const time = AbortSignal.timeout(timeout);
  return signal === undefined ? time : AbortSignal.any([time, signal]);
}
