import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { WebError } from '../failure.ts';

/** Hop-by-hop header fields. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the header fields that a proxy forwards. */
export function forwardable(fields: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (fields.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !hopByHop.has(name) && !named.includes(name)),
  );
}

/** First and last status of a final response. */
const FIRST_STATUS = 200;
const LAST_STATUS = 999;

/** The head of a response that a proxy forwards. */
export interface AnswerHead {
  readonly status: number;
  /** undefined if the reason phrase is empty or cannot be forwarded */
  readonly reason: string | undefined;
  readonly fields: OutgoingHttpHeaders;
}

/** Returns the head of a response for forwarding; throws a WebError for a status that HTTP does not define. */
export function answerHead(answer: IncomingMessage, host: string): AnswerHead {
  const { statusCode: status = 0, statusMessage: reason = '', headers } = answer;
  // Node reads any three digits, but does not write statuses below 100
  if (status < FIRST_STATUS || status > LAST_STATUS) throw statusRefused(host, status);
  return { status, reason: isReason(reason) ? reason : undefined, fields: forwardable(headers) };
}

/** Returns the failure for a status that is not final. */
export function statusRefused(host: string, status: number): WebError {
  return new WebError(`${host} responds with status ${status}, which is not a final status of HTTP`, {
    code: 'invalid-response',
  });
}

/** Returns whether Node accepts a text as reason phrase. */
function isReason(text: string): boolean {
  return text !== '' && /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
