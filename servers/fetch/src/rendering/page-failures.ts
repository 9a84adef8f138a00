import { type FailureCode, WebError } from '../failure.ts';
import { unshown } from './navigation.ts';

const later = { retryable: true, hint: 'try again later' } as const;
const known: readonly [pattern: RegExp, code: FailureCode, message: string, more: object][] = [
  [/ERR_CERT|ERR_SSL|ERR_BAD_SSL/, 'tls-failed', 'the TLS connection failed', {}],
  [/ERR_TOO_MANY_REDIRECTS/, 'too-many-redirects', 'the page redirects too often', {}],
  [
    /ERR_ABORTED|Download is starting/,
    unshown.code,
    'the URL returns nothing that a browser displays',
    unshown,
  ],
  [
    /ERR_(?:UNSAFE_REDIRECT|INVALID|RESPONSE_HEADERS)/,
    'invalid-response',
    'the response is not valid HTTP',
    {},
  ],
  [
    /ERR_(?:EMPTY_RESPONSE|CONNECTION|TUNNEL|PROXY|CONTENT_LENGTH)/,
    'connection-cut',
    'the connection was closed',
    later,
  ],
];

/** Returns the failure for a browser's error while it opens a page. */
export function toPageFailure(error: unknown): WebError {
  const text = error instanceof Error ? error.message : '';
  const [, code, message, more] = known.find(([pattern]) => pattern.test(text)) ?? [];
  if (code !== undefined && message !== undefined)
    return new WebError(message, { ...more, code, cause: error });
  return new WebError('the browser could not open the page', {
    code: 'browser-failed',
    ...later,
    cause: error,
  });
}

/** Returns the failure for a browser or page that has crashed. */
export function crashed(what: 'browser' | 'page'): WebError {
  return new WebError(`the ${what} has crashed`, {
    code: 'browser-failed',
    retryable: true,
    hint: 'try again; a new browser is started',
  });
}
