import { WebError } from '../failure.ts';
import type { RawHeaders } from './exchange.ts';

const LONGEST_WAIT_MS = 86_400_000;
/** fields that only this server and the operator's configuration may set */
const reserved = new Set([
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
]);
export const fieldName = /^[!#$%&'*+.^_`|~\da-z-]+$/;
export const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Returns a caller's header fields by lower-case name; throws for fields that callers may not set. */
export function checkFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  const checked: Record<string, string> = {};
  for (const [given, value] of Object.entries(fields)) {
    const name = given.toLowerCase();
    if (reserved.has(name) || name.startsWith('proxy-'))
      throw invalid(
        `the header ${name} cannot be set by the caller`,
        'secrets and cookies come from the configuration',
      );
    if (!fieldName.test(name)) throw invalid('a header has a name that HTTP does not allow');
    if (!fieldValue.test(value)) throw invalid(`the header ${name} has characters that HTTP does not allow`);
    checked[name] = value;
  }
  return checked;
}

/** Returns the method in upper case; throws for an invalid method, and for CONNECT and TRACE. */
export function checkMethod(method: string): string {
  const name = method.toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(name) || name === 'CONNECT' || name === 'TRACE')
    throw invalid('the method is not supported', 'use GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS');
  return name;
}

/** Returns the header fields of a response for results: repeated ones joined, without cookies. */
export function visibleFields(raw: RawHeaders): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined || name === 'set-cookie' || name === 'set-cookie2' || name === '__proto__')
      continue;
    fields[name] = typeof value === 'string' ? value : value.join(', ');
  }
  return fields;
}

/** Parses a Retry-After field to milliseconds, at most a day. */
export function parseRetryAfter(field: string | undefined, now = Date.now()): number | undefined {
  const value = field?.trim() ?? '';
  const date = /^[a-z]{3,9},? /i.test(value) ? Date.parse(value) - now : Number.NaN;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : date;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}

function invalid(message: string, hint?: string): WebError {
  return new WebError(message, { code: 'invalid-request', hint });
}
