import { RE2JS } from 're2js';
import type { Matcher } from './matcher.ts';

// what could match in a line alone and not in a text of many lines
const NEEDS_LINE = /\\[AzZ]|\(\?<[=!]|\(\?[a-zA-Z]*-[a-zA-Z]*m/;
const NEWLINE = 10;
const RETURN = 13;
const PIECE_OVERLAP = 4096;

/** A linear-time matcher of whole lines; throws where the pattern is not one. */
export function compileRegex(pattern: string, options: { quoted: boolean; ignoreCase: boolean }): Matcher {
  const source = options.quoted ? RE2JS.quote(pattern) : pattern;
  const flags = RE2JS.MULTILINE | (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
  const regex = RE2JS.compile(source, flags);
  const alone = NEEDS_LINE.test(source);
  const endAnchor = source.includes('$');
  return {
    overlap: PIECE_OVERLAP,
    mayMatch: (bytes) => alone || (endAnchor && bytes.includes(RETURN)) || regex.test(bytes),
    find: (bytes, from) => findLine(regex, bytes, from),
  };
}

function findLine(regex: RE2JS, bytes: Buffer, from: number): number {
  for (let start = from; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const next = newline === -1 ? bytes.length : newline;
    const line = bytes.subarray(start, bytes[next - 1] === RETURN && next > start ? next - 1 : next);
    if (regex.test(line)) return start + firstMatch(regex, line);
    start = next + 1;
  }
  return -1;
}

function firstMatch(regex: RE2JS, line: Buffer): number {
  const matcher = regex.matcher(line);
  return matcher.find() ? matcher.start() : 0;
}
