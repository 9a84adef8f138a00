/** Why something was not fetched or could not be read; stable words for programs. */
export type FailureCode =
  // refused before anything is sent
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
  // on the way
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
  // of the answer
  | 'http-status'
  | 'unreadable'
  | 'not-found'
  | 'not-cached'
  | 'checksum-mismatch';

/** One answer that led to another address. */
export interface Hop {
  readonly url: string;
  readonly status: number;
}

/** What is known of the way to a page when it succeeds or fails. */
export interface Way {
  /** the address that answered last */
  readonly finalUrl?: string | undefined;
  /** the answers before it, in order */
  readonly redirects?: readonly Hop[] | undefined;
  /** where it led to, if that was not followed */
  readonly leadsTo?: string | undefined;
  /** HTTP status of the last answer */
  readonly status?: number | undefined;
  readonly elapsedMs?: number | undefined;
}

export interface WebErrorOptions extends Way {
  readonly code: FailureCode;
  /** whether the same call may succeed later */
  readonly retryable?: boolean | undefined;
  /** what to do next, one sentence */
  readonly hint?: string | undefined;
  /** how long to wait before the next try, ms; from Retry-After */
  readonly retryAfterMs?: number | undefined;
  /** how the page begins that came with an HTTP status of a failure; untrusted */
  readonly excerpt?: string | undefined;
  readonly cause?: unknown;
}

/** A page that was not fetched or could not be read: one sentence for people, the rest for programs. */
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
