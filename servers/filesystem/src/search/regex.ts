import { RE2JS } from 're2js';
import type { Matcher, Span } from './matcher.ts';
import { NO_WORD } from './whole-words.ts';

// patterns that can match in a single line but not in a text of several lines
const NEEDS_LINE = /\\[AzZ]|\(\?<[=!]|\(\?[a-zA-Z]*-[a-zA-Z]*m/;
const NEWLINE = 10;
const RETURN = 13;
const PIECE_OVERLAP = 4096;

interface RegexOptions {
  quoted: boolean;
  ignoreCase: boolean;
  wholeWord: boolean;
}

/** Returns a matcher that takes linear time. Throws if the pattern is not valid RE2 syntax. */
export function compileRegex(pattern: string, options: RegexOptions): Matcher {
  const asked = options.quoted ? RE2JS.quote(pattern) : pattern;
  const flags = RE2JS.MULTILINE | (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  const plain = RE2JS.compile(asked, flags);
  const source = options.wholeWord ? `(?:^|${NO_WORD})(${asked})(?:${NO_WORD}|$)` : asked;
  const regex = options.wholeWord ? RE2JS.compile(source, flags) : plain;
  const group = options.wholeWord ? 1 : 0;
  const alone = NEEDS_LINE.test(source);
  const endAnchor = source.includes('$');
  return {
    overlap: PIECE_OVERLAP,
    mayMatch: (bytes) => alone || (endAnchor && bytes.includes(RETURN)) || regex.test(bytes),
    find: (bytes, from) => findLine(regex, group, bytes, from),
    span: (bytes, from) => findSpan(regex, group, bytes, from),
  };
}

function findSpan(regex: RE2JS, group: number, bytes: Buffer, from: number): Span | undefined {
  const matcher = regex.matcher(bytes);
  return from <= bytes.length && matcher.find(from)
    ? { start: matcher.start(group), end: matcher.end(group) }
    : undefined;
}

function findLine(regex: RE2JS, group: number, bytes: Buffer, from: number): number {
  for (let start = from; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const next = newline === -1 ? bytes.length : newline;
    const line = bytes.subarray(start, bytes[next - 1] === RETURN && next > start ? next - 1 : next);
    if (regex.test(line)) return start + firstMatch(regex, group, line);
    start = next + 1;
  }
  return -1;
}

function firstMatch(regex: RE2JS, group: number, line: Buffer): number {
  const matcher = regex.matcher(line);
  return matcher.find() ? matcher.start(group) : 0;
}
