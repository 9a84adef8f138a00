import { isUtf8 } from 'node:buffer';
import { BodyError } from './exchange.ts';

/** The chunks of a body as text, or what is wrong with them. */
export function decodeBody(chunks: readonly Buffer[], bytes: number): string | BodyError {
  const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes);
  const text = whole.toString('utf8');
  if (text.includes('\ufffd') && !isUtf8(whole)) return new BodyError(400, 'the body is not valid UTF-8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

const BYTE_ORDER_MARK = 0xfeff;

export function tooLong(limit: number): BodyError {
  return new BodyError(413, `the body is longer than ${limit} bytes, the most that this server takes`);
}
