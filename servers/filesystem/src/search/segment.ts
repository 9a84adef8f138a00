import { isAscii, toBytes, toText } from './order.ts';

/** Returns whether a name, as a byte string, matches. */
export type NameTest = (name: string) => boolean;

// '*', '?', or '=' and a literal character; otherwise a class
type Token = string | { ranges: [number, number][]; negated: boolean };

/** Returns the test for one path segment of a glob: case-sensitive, in time linear in the name for each star. */
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
    // a class or a question mark matches a character, however many bytes it has
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

/** Returns whether a character matches a `?`, a class or a literal. */
export type CharacterTest = (character: string) => boolean;

/** Parses the part of a pattern at `at` that matches one character, and returns its end. */
export function readCharacter(
  pattern: readonly string[],
  at: number,
): { readonly accepts: CharacterTest; readonly end: number } {
  const character = pattern[at]!;
  if (character === '?') return { accepts: (one) => one !== '/', end: at + 1 };
  const end = character === '[' ? classEnd(pattern, at) : -1;
  if (end !== -1) {
    const token = parseClass(pattern.slice(at + 1, end));
    return { accepts: (one) => one !== '/' && accepts(token, one), end: end + 1 };
  }
  const isEscaped = character === '\\' && at + 1 < pattern.length;
  const literal = isEscaped ? pattern[at + 1] : character;
  return { accepts: (one) => one === literal, end: at + (isEscaped ? 2 : 1) };
}

function accepts(token: Token, character: string): boolean {
  if (token === '?') return true;
  // literals have a prefix, so that a literal star differs from the wildcard
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

// a closing bracket in first position is a member of the class, and so is a named class
function classEnd(characters: readonly string[], start: number): number {
  const negated = characters[start + 1] === '!' || characters[start + 1] === '^';
  for (let at = start + (negated ? 2 : 1); at < characters.length; at++) {
    const named = namedClassAt(characters, at);
    if (named !== undefined) at = named.last;
    else if (characters[at] === ']' && at > start + (negated ? 2 : 1)) return at;
  }
  return -1;
}

/** The named classes (POSIX.1-2024, XBD 9.3.5) of the C locale, in ASCII, and `word`. */
const namedClasses: Readonly<Record<string, readonly [number, number][]>> = {
  alnum: [
    [48, 57],
    [65, 90],
    [97, 122],
  ],
  alpha: [
    [65, 90],
    [97, 122],
  ],
  ascii: [[0, 127]],
  blank: [
    [9, 9],
    [32, 32],
  ],
  cntrl: [
    [0, 31],
    [127, 127],
  ],
  digit: [[48, 57]],
  graph: [[33, 126]],
  lower: [[97, 122]],
  print: [[32, 126]],
  punct: [
    [33, 47],
    [58, 64],
    [91, 96],
    [123, 126],
  ],
  space: [
    [9, 13],
    [32, 32],
  ],
  upper: [[65, 90]],
  word: [
    [48, 57],
    [65, 90],
    [95, 95],
    [97, 122],
  ],
  xdigit: [
    [48, 57],
    [65, 70],
    [97, 102],
  ],
};

/** Parses a named class such as `[:alpha:]` inside a class. */
function namedClassAt(
  characters: readonly string[],
  at: number,
): { readonly ranges: readonly [number, number][]; readonly last: number } | undefined {
  if (characters[at] !== '[' || characters[at + 1] !== ':') return undefined;
  const end = characters.indexOf(':', at + 2);
  if (end === -1 || characters[end + 1] !== ']') return undefined;
  const name = characters.slice(at + 2, end).join('');
  return Object.hasOwn(namedClasses, name) ? { ranges: namedClasses[name]!, last: end + 1 } : undefined;
}

function parseClass(body: readonly string[]): Token {
  const negated = body[0] === '!' || body[0] === '^';
  const members = negated ? body.slice(1) : body;
  const ranges: [number, number][] = [];
  for (let at = 0; at < members.length; at++) {
    const named = namedClassAt(members, at);
    if (named !== undefined) {
      ranges.push(...named.ranges);
      at = named.last;
      continue;
    }
    const low = members[at]!.codePointAt(0)!;
    const isRange = members[at + 1] === '-' && at + 2 < members.length;
    ranges.push([low, isRange ? members[at + 2]!.codePointAt(0)! : low]);
    if (isRange) at += 2;
  }
  return { ranges, negated };
}
