import { removeInvisible } from '../markdown/invisible.ts';

/** Characters of a list or object that is written on one line. */
const LINE_LENGTH = 80;
/** Depth of the indentation: the source may be nested as deep as it is long. */
const DEEPEST = 40;

/**
 * Formats valid JSON in lines; numbers keep their spelling, and strings are unescaped. Returns the source if the result
 * would exceed `limit`.
 */
export function layOut(source: string, limit: number): string {
  let out = '';
  let depth = 0;
  let at = 0;
  const newLine = () => (depth > DEEPEST ? '' : `\n${'  '.repeat(depth)}`);
  while (at < source.length) {
    if (out.length > limit) return source;
    const char = source[at]!;
    if (char === '{' || char === '[') {
      const short = shortForm(source, at);
      if (short !== undefined) {
        out += short.text;
        at = short.end;
        continue;
      }
      depth += 1;
      out += `${char}${newLine()}`;
      at += 1;
    } else if (char === '}' || char === ']') {
      depth -= 1;
      // a line break, if the opening bracket had one
      out += depth + 1 > DEEPEST ? char : `\n${'  '.repeat(depth)}${char}`;
      at += 1;
    } else {
      const token = tokenAt(source, at);
      out += token.text === ',' ? `,${newLine()}` : token.text;
      at = token.end;
    }
  }
  return out.length > limit ? source : out;
}

/** Returns a short list or object without nested ones on one line. */
function shortForm(source: string, start: number): { text: string; end: number } | undefined {
  let text = source[start]!;
  const isObject = text === '{';
  let at = start + 1;
  while (at < source.length && text.length <= LINE_LENGTH && at - start < 4 * LINE_LENGTH) {
    const char = source[at]!;
    if (char === '{' || char === '[') return undefined;
    if (char === '}' || char === ']') {
      const inner = isObject && text.length > 1 ? ' ' : '';
      return { text: `${text}${inner}${char}`, end: at + 1 };
    }
    const token = tokenAt(source, at);
    if (isObject && text === '{' && token.text !== '') text += ' ';
    text += token.text === ',' ? ', ' : token.text;
    at = token.end;
  }
  return undefined;
}

/** Returns a string, a number, a literal or a punctuation mark; an empty text for white space. */
function tokenAt(source: string, at: number): { text: string; end: number } {
  const char = source[at]!;
  if (char === '"') {
    const end = endOfString(source, at);
    return { text: readable(source.slice(at, end)), end };
  }
  if (char === ':') return { text: ': ', end: at + 1 };
  if (char === ',') return { text: ',', end: at + 1 };
  let end = at;
  while (end < source.length && isScalar(source.charCodeAt(end))) end += 1;
  return { text: source.slice(at, end), end: Math.max(end, at + 1) };
}

/** Returns whether a code unit is part of a number or a literal. */
function isScalar(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    (unit >= 0x61 && unit <= 0x7a) ||
    unit === 0x2d ||
    unit === 0x2b ||
    unit === 0x2e ||
    unit === 0x45
  );
}

function endOfString(source: string, start: number): number {
  let at = start + 1;
  while (source[at] !== '"') at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** Returns a string without unnecessary escapes; those of invisible characters stay, so that they are visible. */
function readable(literal: string): string {
  if (!literal.includes('\\u') && !literal.includes('\\/')) return literal;
  const plain = JSON.stringify(JSON.parse(literal));
  return removeInvisible(plain).removed === 0 ? plain : literal;
}
