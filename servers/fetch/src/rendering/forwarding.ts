import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { WebError } from '../failure.ts';

/** What is said to the next on the way alone. */
const hopByHop = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authentication-info', 'proxy-authorization'],
  ...['proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'],
]);

/** The fields of a message that a proxy passes on. */
export function forwardable(fields: IncomingHttpHeaders): OutgoingHttpHeaders {
  const named = (fields.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  return Object.fromEntries(
    Object.entries(fields).filter(([name]) => !hopByHop.has(name) && !named.includes(name)),
  );
}

/** The first and last status of an answer that ends a request. */
const FIRST_STATUS = 200;
const LAST_STATUS = 999;

/** The head of an answer that a proxy passes on. */
export interface AnswerHead {
  readonly status: number;
  /** undefined where the answer gives none that may be passed on */
  readonly reason: string | undefined;
  readonly fields: OutgoingHttpHeaders;
}

/** Returns the head of the answer of a host as it is passed on; throws a WebError for a status that HTTP does not have. */
export function answerHead(answer: IncomingMessage, host: string): AnswerHead {
  const { statusCode: status = 0, statusMessage: reason = '', headers } = answer;
  // Node reads any three digits, and writes none of those below 100
  if (status < FIRST_STATUS || status > LAST_STATUS) throw statusRefused(host, status);
  return { status, reason: isReason(reason) ? reason : undefined, fields: forwardable(headers) };
}

/** The failure of an answer whose status answers no request. */
export function statusRefused(host: string, status: number): WebError {
  return new WebError(`${host} answers with status ${status}, which answers no request of HTTP`, {
    code: 'invalid-response',
  });
}

/** Whether a text is one that Node writes behind a status. */
function isReason(text: string): boolean {
  return text !== '' && /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}
