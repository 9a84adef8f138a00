import type { NameTest } from './segment.ts';

/** The test of one byte; `star` matches any number of bytes. */
type Step = number | 'any' | 'star' | Uint8Array;

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  cntrl: /[^ -~\x80-\xff]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
};

/**
 * Returns the test of a name by a pattern as git matches it: byte by byte, in time linear in the name for each star.
 * Returns undefined for a pattern that cannot match.
 */
export function byteTest(pattern: string): NameTest | undefined {
  if (!/[*?[\\]/.test(pattern)) return (name) => name === pattern;
  const steps = stepsOf(pattern);
  if (steps === undefined) return undefined;
  return (name) => matches(steps, name);
}

function matches(steps: readonly Step[], name: string): boolean {
  let at = 0;
  let step = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    const wanted = steps[step];
    if (wanted === 'star') {
      star = step++;
      resume = at;
    } else if (wanted !== undefined && accepts(wanted, name.charCodeAt(at))) {
      step++;
      at++;
    } else if (star !== -1) {
      step = star + 1;
      at = ++resume;
    } else {
      return false;
    }
  }
  while (steps[step] === 'star') step++;
  return step === steps.length;
}

function accepts(step: Step, byte: number): boolean {
  if (typeof step === 'number') return step === byte;
  return step === 'any' || (typeof step !== 'string' && step[byte] === 1);
}

function stepsOf(pattern: string): Step[] | undefined {
  const steps: Step[] = [];
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '*') {
      if (steps.at(-1) !== 'star') steps.push('star');
    } else if (character === '?') {
      steps.push('any');
    } else if (character === '[') {
      const end = classEnd(pattern, at);
      const set = end === -1 ? undefined : parseClass(pattern.slice(at + 1, end));
      if (set === undefined) return undefined;
      steps.push(set);
      at = end;
    } else {
      if (character === '\\' && ++at === pattern.length) return undefined;
      steps.push(pattern.charCodeAt(at));
    }
  }
  return steps;
}

/** Returns the end of the class that begins at `open`, or -1 if it is not closed. */
export function classEnd(pattern: string, open: number): number {
  let at = open + 1;
  if (pattern[at] === '!' || pattern[at] === '^') at++;
  // a closing bracket in first position is a member
  for (let first = true; at < pattern.length; at++, first = false) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (character === '[' && pattern[at + 1] === ':') {
      const close = pattern.indexOf(']', at + 2);
      if (close !== -1 && pattern[close - 1] === ':' && close - 1 > at + 1) at = close;
    } else if (character === ']' && !first) return at;
  }
  return -1;
}

/** Returns the members of a class by byte; undefined if it names an unknown class. */
function parseClass(body: string): Uint8Array | undefined {
  const negated = body[0] === '!' || body[0] === '^';
  const set = new Uint8Array(256);
  let before = -1;
  for (let at = negated ? 1 : 0; at < body.length; at++) {
    const close = body[at] === '[' && body[at + 1] === ':' ? body.indexOf(':]', at + 2) : -1;
    if (close !== -1 && !body.slice(at + 2, close).includes(']')) {
      const named = CLASSES[body.slice(at + 2, close)];
      if (named === undefined) return undefined;
      for (let byte = 0; byte < 256; byte++) if (named.test(String.fromCharCode(byte))) set[byte] = 1;
      before = -1;
      at = close + 1;
    } else if (body[at] === '-' && before !== -1 && at + 1 < body.length) {
      if (body[++at] === '\\') at++;
      for (let byte = before; byte <= body.charCodeAt(at); byte++) set[byte] = 1;
      before = -1;
    } else {
      if (body[at] === '\\') at++;
      before = body.charCodeAt(at);
      set[before] = 1;
    }
  }
  return negated ? set.map((member) => 1 - member) : set;
}
