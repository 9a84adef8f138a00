import { TextDecoder } from '@exodus/bytes/encoding.js';
import { type MultiByte, multiBytes, singleBytes } from './alphabets.ts';

export interface GuessHints {
  readonly language?: string | undefined;
  /** declared encodings in which the bytes have errors */
  readonly declared?: readonly string[] | undefined;
}

/** Bytes of the sample, from the first byte beyond ASCII. */
const SAMPLED_BYTES = 8192;
const HINT = 0.15;

/** Detects UTF-16 without a byte order mark and ISO-2022-JP, whose bytes may also be valid UTF-8. */
export function wideEncoding(bytes: Uint8Array): string | undefined {
  const start = bytes.subarray(0, 1024);
  if (start.includes(0)) {
    const even = start.filter((byte, index) => byte === 0 && index % 2 === 0).length;
    const odd = start.filter((byte, index) => byte === 0 && index % 2 === 1).length;
    if (odd > start.length * 0.3 && even === 0) return 'utf-16le';
    if (even > start.length * 0.3 && odd === 0) return 'utf-16be';
  }
  if (!bytes.includes(0x1b)) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (text.includes('\x1b$B') || text.includes('\x1b$@')) && !bytes.some((byte) => byte >= 0x80)
    ? 'iso-2022-jp'
    : undefined;
}

/** Returns the likeliest encoding of text that is not UTF-8. */
export function guessEncoding(bytes: Uint8Array, hints: GuessHints): string {
  const first = bytes.findIndex((byte) => byte >= 0x80);
  if (first < 0) return 'windows-1252';
  const sample = bytes.subarray(Math.max(0, first - 1), first + SAMPLED_BYTES);
  const hint = (name: string, languages: readonly string[]) =>
    (hints.language !== undefined && languages.includes(hints.language) ? HINT : 0) +
    (hints.declared?.includes(name) === true ? HINT : 0);
  let best = { name: 'windows-1252', score: Number.NEGATIVE_INFINITY };
  const consider = (name: string, score: number) => {
    if (score > best.score) best = { name, score };
  };
  for (const { name, alphabets, script } of singleBytes)
    for (const { letters, languages } of alphabets) {
      const score = scoreSingle(sample, lettersOf(name, letters, script), script === undefined);
      // most pages without a declaration use it, and most alphabets share its letters
      consider(name, score + hint(name, languages) + (name === 'windows-1252' ? 0.05 : 0));
    }
  for (const each of multiBytes) {
    const score = scoreMulti(bytes.subarray(first, first + SAMPLED_BYTES), each);
    consider(each.name, score + hint(each.name, each.languages));
  }
  return best.name;
}

type Letter = 'none' | 'ascii' | 'frequent' | 'letter' | 'capital' | 'mark' | 'symbol' | 'invalid';

const marks = new Set('\u00a0“”„‘’‚–—…«»°§©®™€№·•¿¡£');
const known = new Map<string, readonly Letter[]>();

/** Returns the class of each byte in an encoding, for languages with these frequent letters. */
function lettersOf(name: string, frequent: string, script: RegExp | undefined): readonly Letter[] {
  const key = `${name} ${frequent}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const text = new TextDecoder(name).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  const letters = Array.from(text, (char, byte): Letter => {
    if (byte < 0x80) return /[a-z]/i.test(char) ? 'ascii' : 'none';
    if (char === '\uFFFD' || /\p{Cc}/u.test(char)) return 'invalid';
    if (frequent.includes(char)) return 'frequent';
    if (marks.has(char)) return 'mark';
    if (!/[\p{L}\p{M}]/u.test(char) || (script !== undefined && !script.test(char))) return 'symbol';
    return /\p{Lu}/u.test(char) ? 'capital' : 'letter';
  });
  known.set(key, letters);
  return letters;
}

/** Scores how well bytes fit an encoding: 1 for frequent letters only, below 0 for a contradiction. */
function scoreSingle(bytes: Uint8Array, alphabet: readonly Letter[], latin: boolean): number {
  let points = 0;
  let wide = 0;
  let run = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte < 0x80) {
      run = 0;
      continue;
    }
    const letter = alphabet[byte]!;
    const before = at === 0 ? 'none' : alphabet[bytes[at - 1]!]!;
    const behind = at + 1 === bytes.length ? 'none' : alphabet[bytes[at + 1]!]!;
    wide += 1;
    run += 1;
    points += worthOf(letter, before, behind);
    if (latin ? run > 2 : isWord(letter) && (before === 'ascii' || behind === 'ascii')) points -= 1;
  }
  return points / wide;
}

function isWord(letter: Letter): boolean {
  return letter === 'frequent' || letter === 'letter' || letter === 'capital' || letter === 'ascii';
}

function worthOf(letter: Letter, before: Letter, behind: Letter): number {
  switch (letter) {
    case 'frequent':
      return 1;
    case 'letter':
      return -0.4;
    case 'capital':
      return before === 'frequent' || before === 'letter' ? -1 : 0.3;
    case 'mark':
      return isWord(before) && isWord(behind) ? -0.3 : 0.3;
    case 'symbol':
      return isWord(before) && isWord(behind) ? -1.5 : -0.7;
    case 'ascii':
    case 'none':
    case 'invalid':
      return -3;
  }
}

/** Scores multi-byte encodings by the share of characters that are typical of the language. */
function scoreMulti(bytes: Uint8Array, { name, typical, share }: MultiByte): number {
  const text = new TextDecoder(name).decode(bytes);
  let seen = 0;
  let wide = 0;
  let errors = 0;
  for (const char of text.slice(0, -1)) {
    if (char < '\x80') continue;
    wide += 1;
    if (char === '\uFFFD' || (char >= '\uFF61' && char <= '\uFF9F')) errors += 1;
    else if (typical instanceof RegExp ? typical.test(char) : typical.has(char)) seen += 1;
  }
  return wide === 0 ? -1 : Math.min(1, seen / wide / share) - (errors / wide) * 5;
}
