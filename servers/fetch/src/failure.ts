/** The reason why a page was not fetched or parsed; stable for programs. */
export type FailureCode =
  // before the request is sent
  | 'invalid-url'
  | 'invalid-request'
  | 'scheme-refused'
  | 'port-refused'
  | 'domain-refused'
  | 'address-refused'
  | 'consent-refused'
  | 'unseen-url'
  | 'robots-refused'
  | 'robots-unreachable'
  | 'redirect-refused'
  | 'redirect-loop'
  | 'too-many-redirects'
  // during the request
  | 'name-not-found'
  | 'connect-failed'
  | 'tls-failed'
  | 'proxy-failed'
  | 'connection-cut'
  | 'invalid-response'
  | 'timeout'
  | 'too-large'
  | 'busy'
  | 'browser-failed'
  // in the response
  | 'http-status'
  | 'unreadable'
  | 'not-found'
  | 'not-cached'
  | 'checksum-mismatch';

/** A response that redirected to another URL. */
export interface Hop {
  readonly url: string;
  readonly status: number;
}

/** The facts of a redirect chain, for a success or a failure. */
export interface Way {
  /** the URL that responded last */
  readonly finalUrl?: string | undefined;
  /** the redirects before it, in order */
  readonly redirects?: readonly Hop[] | undefined;
  /** the target of a redirect that was not followed */
  readonly leadsTo?: string | undefined;
  /** HTTP status of the last response */
  readonly status?: number | undefined;
  readonly elapsedMs?: number | undefined;
}

export interface WebErrorOptions extends Way {
  readonly code: FailureCode;
  /** whether the same call may succeed later */
  readonly retryable?: boolean | undefined;
  /** the next step, one sentence */
  readonly hint?: string | undefined;
  /** milliseconds to wait before the next try, from Retry-After */
  readonly retryAfterMs?: number | undefined;
  /** the beginning of the page of an error response; untrusted */
  readonly excerpt?: string | undefined;
  readonly cause?: unknown;
}

/** The failure to fetch or parse a page: a sentence for people, and fields for programs. */
export class WebError extends Error {
  readonly code: FailureCode;
  readonly retryable: boolean;
  readonly hint: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly excerpt: string | undefined;
  readonly way: Way;

  constructor(message: string, options: WebErrorOptions) {
    const { code, retryable = false, hint, retryAfterMs, excerpt, cause, ...way } = options;
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'WebError';
    this.code = code;
    this.retryable = retryable;
    this.hint = hint;
    this.retryAfterMs = retryAfterMs;
    this.excerpt = excerpt;
    this.way = way;
  }
}
