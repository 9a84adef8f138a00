import type { Hop } from '../failure.ts';

/** Who asks: a model on its own, bound by robots.txt, or a person through a prompt. */
export type Identity = 'autonomous' | 'user';

/** What happens to a redirect: followed anywhere that the guard allows, within the site alone, or told as the answer. */
export type RedirectPolicy = 'follow' | 'same-site' | 'report';

export interface VisitLimits {
  /** of the body as it comes over the wire */
  readonly wireBytes: number;
  /** of the body after its content codings are undone */
  readonly bodyBytes: number;
  /** of the head of an answer, and how many fields */
  readonly headerBytes: number;
  readonly headerFields: number;
  readonly redirects: number;
  /** from the first look-up to the last byte, ms */
  readonly deadlineMs: number;
}

export interface VisitRequest {
  readonly url: URL;
  /** GET unless given */
  readonly method?: string | undefined;
  /** header fields by lower-case name; secrets come from the configuration alone */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: Uint8Array | undefined;
  readonly identity: Identity;
  readonly redirects: RedirectPolicy;
  readonly limits?: Partial<VisitLimits> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An answer whose body is still to come. */
export interface Visit {
  /** the address that answered */
  readonly url: URL;
  readonly status: number;
  /** by lower-case name, values of repeated fields joined by `, `; without Set-Cookie */
  readonly headers: Readonly<Record<string, string>>;
  readonly redirects: readonly Hop[];
  /** bytes that Content-Length promises after decoding: undefined where it says nothing of that */
  readonly length: number | undefined;
  /**
   * The decoded body in pieces, once. Throws a WebError at a limit, at the deadline and where the connection is cut;
   * whoever stops early closes the connection.
   */
  readonly body: AsyncIterable<Uint8Array>;
  /** how much has come over the wire so far */
  readonly wireBytes: () => number;
  /** since the visit began, ms */
  readonly elapsedMs: () => number;
  /** Lets the connection go without reading the rest. */
  discard(): void;
}
