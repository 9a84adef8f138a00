import type { LookupFunction } from 'node:net';

/** How requests for metadata and tokens are sent. */
export interface Net {
  /** sends requests instead of node:http */
  readonly fetch: typeof fetch | undefined;
  /** resolves names instead of the system */
  readonly lookup: LookupFunction | undefined;
  /** the hosts that servers may name on any network, as spelled in URLs */
  readonly privateHosts: ReadonlySet<string>;
  /** timeout of one request in milliseconds */
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
  /** returns a header by its lower-case name */
  header(name: string): string | undefined;
  /** the body; leaving the iteration early closes the connection */
  readonly chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** Discards an unread body. */
  cancel(): Promise<void> | void;
}

/** Returns the signal of one request: its timeout, and the end of every flow. */
export function deadlineOf({ timeout, signal }: Net): AbortSignal {
  const time = AbortSignal.timeout(timeout);
  return signal === undefined ? time : AbortSignal.any([time, signal]);
}
