import { type Way, WebError } from '../failure.ts';
import { parseRetryAfter } from '../web/header-fields.ts';

export interface Refused {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** text of the response */
  readonly text: string;
  readonly way: Way;
}

const EXCERPT = 1000;

/** Returns the failure for an HTTP status, with the beginning of the response. */
export function statusFailure({ status, headers, text, way }: Refused): WebError {
  const retryable = status === 408 || status === 429 || status >= 500;
  const retryAfterMs = parseRetryAfter(headers['retry-after']);
  const asks = retryAfterMs === undefined ? '' : ` and asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
  const later = asks === '' ? 'try again later' : 'wait that long, then try again';
  return new WebError(`the server responds with status ${status}${asks}`, {
    code: 'http-status',
    retryable,
    hint: retryable ? later : undefined,
    retryAfterMs,
    excerpt: text.slice(0, EXCERPT),
    ...way,
  });
}
