import type { Hop } from '../failure.ts';

/** The originator of a request: a model, subject to robots.txt, or a user through a prompt. */
export type Identity = 'autonomous' | 'user';

/**
 * How redirects are handled: followed wherever the guard allows, followed within the site only, or returned as the
 * response.
 */
export type RedirectPolicy = 'follow' | 'same-site' | 'report';

export interface VisitLimits {
  /** bytes of the body before decoding */
  readonly wireBytes: number;
  /** bytes of the body after its content codings are undone */
  readonly bodyBytes: number;
  /** bytes of the response headers, and their number */
  readonly headerBytes: number;
  readonly headerFields: number;
  readonly redirects: number;
  /** milliseconds from the start to the last byte */
  readonly deadlineMs: number;
}

export interface VisitRequest {
  readonly url: URL;
  /** GET unless given */
  readonly method?: string | undefined;
  /** header fields by lower-case name; secrets come only from the configuration */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
  readonly identity: Identity;
  readonly redirects: RedirectPolicy;
  readonly limits?: Partial<VisitLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A response whose body has not been read. */
export interface Visit {
  /** the URL that responded */
  readonly url: URL;
  readonly status: number;
  /** by lower-case name, repeated fields joined by `, `; without Set-Cookie */
  readonly headers: Readonly<Record<string, string>>;
  readonly redirects: readonly Hop[];
  /** bytes of the decoded body by Content-Length; undefined if it is unknown */
  readonly length: number | undefined;
  /**
   * The decoded body in pieces, readable once. Throws a WebError at a limit, at the deadline and if the connection is
   * cut; ending the iteration early closes the connection.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** bytes of the body received so far */
  readonly wireBytes: () => number;
  /** milliseconds since the start of the visit */
  readonly elapsedMs: () => number;
  /** Closes the connection without reading the rest. */
  discard(): void;
}
