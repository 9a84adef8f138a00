import type { JsonText } from '../jsonrpc/message.ts';
import { JsonBytes } from './json-bytes.ts';
import { collect, places, Utf8Text } from './utf8.ts';

/** JSON text of a value in which members that are bytes stay bytes. */
export function stringify(value: unknown): JsonText {
  const text = joined(value, RESULT_LEVEL);
  if (text !== undefined) return text;
  const { text: around, texts } = collect(value);
  // a text is cut out inside its quotes, which stay in the text around
  return around.split(places).flatMap((part, index) => [part, ...(texts[index]?.escaped ?? [])]);
}

// a result is joined by hand down to the blocks of its content and the members of its structure
const RESULT_LEVEL = 3;
const CONTENT_LEVEL = 2;
/** What stands in JSON text as it is. */
const PLAIN = /^[ !#-[\]-~]{0,63}$/;

/**
 * The same as one string, in half the time that JSON.stringify takes for a small result with a toJSON in it;
 * nothing where some text stays bytes, or where JSON.stringify has rules of its own.
 */
function joined(value: unknown, level: number): string | undefined {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean' || Number.isInteger(value)) return String(value);
  if (level > 0 && value) {
    if (Object.getPrototypeOf(value) === Object.prototype) return joinedMembers(value, level);
    if (Array.isArray(value) && level === CONTENT_LEVEL) {
      const items = value.map((item) => joined(item, level - 1));
      return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
    }
  }
  if (value instanceof Utf8Text) {
    const [body, more] = value.escaped;
    return typeof body === 'string' && more === undefined ? `"${body}"` : undefined;
  }
  if (value instanceof JsonBytes) {
    const [text, more] = value.escaped;
    return typeof text === 'string' && more === undefined ? text : undefined;
  }
  const { text, texts } = collect(value);
  return texts.length === 0 ? text : undefined;
}

function joinedMembers(object: object, level: number): string | undefined {
  let text = '';
  for (const key in object) {
    const member = (object as Record<string, unknown>)[key];
    if (member === undefined) continue;
    const part = joined(member, level - 1);
    if (part === undefined) return undefined;
    text += `${text === '' ? '{' : ','}${quote(key)}:${part}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

function quote(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
