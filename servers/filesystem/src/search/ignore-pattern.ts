import { byteTest, classEnd } from './byte-pattern.ts';
import type { NameTest } from './segment.ts';
import type { Steps } from './steps.ts';

/** One line of an ignore file. */
export interface IgnoreRule {
  /** Its index in the file: the last matching rule decides. */
  readonly order: number;
  readonly negated: boolean;
  readonly directoryOnly: boolean;
  readonly shape: Shape;
}

/** The pattern of a rule: a name at any depth, or a path below the folder of its file; `first` is a literal first part. */
type Shape =
  | { kind: 'name'; name: string }
  | { kind: 'suffix'; suffix: string }
  | { kind: 'test'; test: NameTest }
  | { kind: 'path'; steps: Steps; first: string | undefined };

const SPECIAL = /[*?[\\]/;

/** Parses an ignore file as git does; the text is a byte string. */
export function parseIgnoreFile(text: string): IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  const start = text.startsWith('\xef\xbb\xbf') ? 3 : 0;
  for (const line of text.slice(start).split('\n')) {
    const rule = parseLine(trimmed(line.endsWith('\r') ? line.slice(0, -1) : line), rules.length);
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

function parseLine(line: string, order: number): IgnoreRule | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const negated = line.startsWith('!');
  const body = negated ? line.slice(1) : line;
  const directoryOnly = body.endsWith('/');
  const pattern = directoryOnly ? body.slice(0, -1) : body;
  const shape = pattern.includes('/') ? pathShape(pattern) : nameShape(pattern);
  return shape && { order, negated, directoryOnly, shape };
}

function nameShape(pattern: string): Shape | undefined {
  if (!SPECIAL.test(pattern)) return pattern === '' ? undefined : { kind: 'name', name: pattern };
  const suffix = pattern.slice(1);
  // only a suffix from the last dot of a name on can be looked up in a map
  if (pattern.startsWith('*.') && suffix.lastIndexOf('.') === 0 && !SPECIAL.test(suffix))
    return { kind: 'suffix', suffix };
  const test = byteTest(pattern);
  return test && { kind: 'test', test };
}

function pathShape(pattern: string): Shape | undefined {
  const steps: (NameTest | undefined)[] = [];
  const parts = splitPath(pattern.startsWith('/') ? pattern.slice(1) : pattern);
  // "**/name" is the same as "name"
  if (parts.length === 2 && parts[0] === '**' && !/^\*{2,}$/.test(parts[1]!)) return nameShape(parts[1]!);
  for (const part of parts) {
    const deep = /^\*{2,}$/.test(part);
    const test = deep ? undefined : byteTest(part);
    if (!deep && test === undefined) return undefined;
    steps.push(test);
  }
  // matches everything below a folder, but not the folder
  if (steps.at(-1) === undefined) steps.push(() => true);
  return { kind: 'path', steps, first: SPECIAL.test(parts[0]!) ? undefined : parts[0] };
}

/** Splits a path at its slashes; a slash in brackets is part of a class, which then never matches. */
function splitPath(pattern: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at += pattern[at + 1] === '/' ? 0 : 1;
    else if (character === '[') at = Math.max(at, classEnd(pattern, at));
    else if (character === '/') {
      // an escaped slash is a slash
      parts.push(pattern.slice(start, pattern[at - 1] === '\\' ? at - 1 : at));
      start = at + 1;
    }
  }
  parts.push(pattern.slice(start));
  return parts;
}

// spaces at the end count only when escaped
function trimmed(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at++;
    else if (line[at] === ' ') continue;
    end = Math.min(line.length, at + 1);
  }
  return line.slice(0, end);
}
