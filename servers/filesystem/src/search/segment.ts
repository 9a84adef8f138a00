import { isAscii, toBytes, toText } from './order.ts';

/** Tests the byte string of one name. */
export type NameTest = (name: string) => boolean;

// '*', '?', or '=' and a literal character; otherwise a class
type Token = string | { ranges: [number, number][]; negated: boolean };

/** The test of one path segment of a glob, in time linear in the name for every pattern; case matters. */
export function segmentTest(segment: string): NameTest {
  if (/[?[\\]/.test(segment)) return tokenTest(tokenize(segment));
  return starTest(toBytes(segment).split(/\*+/));
}

function starTest(parts: readonly string[]): NameTest {
  const first = parts[0]!;
  const last = parts.at(-1)!;
  const middle = parts.slice(1, -1);
  if (parts.length === 1) return (name) => name === first;
  if (middle.length === 0) {
    if (first === '' && last === '') return () => true;
    if (first === '') return (name) => name.endsWith(last);
    if (last === '') return (name) => name.startsWith(first);
  }
  if (middle.length === 1 && first === '' && last === '') return (name) => name.includes(middle[0]!);
  return (name) => {
    const end = name.length - last.length;
    if (end < first.length || !name.startsWith(first) || !name.endsWith(last)) return false;
    let at = first.length;
    for (const part of middle) {
      const found = name.indexOf(part, at);
      if (found === -1 || found + part.length > end) return false;
      at = found + part.length;
    }
    return true;
  };
}

function tokenTest(tokens: readonly Token[]): NameTest {
  return (name) => {
    // a class or a question mark stands for a character, whatever its bytes
    const characters = isAscii(name) ? name : Array.from(toText(name));
    let at = 0;
    let token = 0;
    let star = -1;
    let resume = 0;
    while (at < characters.length) {
      if (token < tokens.length && tokens[token] === '*') {
        star = token++;
        resume = at;
      } else if (token < tokens.length && accepts(tokens[token]!, characters[at]!)) {
        token++;
        at++;
      } else if (star !== -1) {
        token = star + 1;
        at = ++resume;
      } else {
        return false;
      }
    }
    while (tokens[token] === '*') token++;
    return token === tokens.length;
  };
}

function accepts(token: Token, character: string): boolean {
  if (token === '?') return true;
  // literals are kept with a mark in front, so that a literal star is not the wildcard
  if (typeof token === 'string') return token === `=${character}`;
  const code = character.codePointAt(0)!;
  return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated;
}

function tokenize(segment: string): Token[] {
  const tokens: Token[] = [];
  const characters = Array.from(segment);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    const end = character === '[' ? classEnd(characters, at) : -1;
    if (end !== -1) {
      tokens.push(parseClass(characters.slice(at + 1, end)));
      at = end;
    } else if (character === '*' || character === '?') {
      tokens.push(character);
    } else {
      tokens.push(`=${character === '\\' ? (characters[++at] ?? '\\') : character}`);
    }
  }
  return tokens;
}

// a bracket that is first in its class is a member of it
function classEnd(characters: readonly string[], start: number): number {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  return characters.indexOf(']', start + (negated ? 3 : 2));
}

function parseClass(body: readonly string[]): Token {
  const negated = body[0] === '!' || body[0] === '^';
  const members = negated ? body.slice(1) : body;
  const ranges: [number, number][] = [];
  for (let at = 0; at < members.length; at++) {
    const low = members[at]!.codePointAt(0)!;
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([low, isRange ? members[at + 2]!.codePointAt(0)! : low]);
    if (isRange) at += 2;
  }
  return { ranges, negated };
}
