import type { JsonText } from '../jsonrpc/message.ts';
import { JsonBytes } from './json-bytes.ts';
import { collect, markerPattern, Utf8Text } from './utf8.ts';

/** Returns the JSON text of a value; members of Utf8Text and JsonBytes stay bytes. */
export function stringify(value: unknown): JsonText {
  const text = joined(value, RESULT_LEVEL);
  if (text !== undefined) return text;
  const { text: around, texts } = collect(value);
  // the quotes of a text stay in the pieces around it
  return around.split(markerPattern).flatMap((part, index) => [part, ...(texts[index]?.escaped ?? [])]);
}

// results are joined without JSON.stringify down to the content blocks and the members of structured content
const RESULT_LEVEL = 3;
const CONTENT_LEVEL = 2;
/** Strings that need no escape in JSON. */
const PLAIN = /^[ !#-[\]-~]{0,63}$/;

/**
 * Returns the JSON text as one string, in half the time of JSON.stringify for a small result with a toJSON.
 * Returns undefined if a text stays bytes, or if JSON.stringify has special rules for a value.
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
    const member = (object as Record<string, unknown>)[key]; // one of its keys
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
