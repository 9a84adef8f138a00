import picomatch from 'picomatch';
import { toText } from './order.ts';
import { SearchError } from './query.ts';
import { type NameTest, segmentTest } from './segment.ts';

/** A glob on relative byte paths, asked directory by directory; a prefix is '' or a path that ends in '/'. */
export interface Glob {
  /** The test of names directly inside, or undefined when none can match. */
  inside(prefix: string): NameTest | undefined;
  /** Whether anything inside or further below can match. */
  reaches(prefix: string): boolean;
}

const EXTENDED = /[!?*+@]\(|^!|\[\[:|[{}]/;
const MOST_ALTERNATIVES = 64;
const MOST_WILDCARDS = 4;

export function isBareWord(pattern: string): boolean {
  return !/[*?[\]{}\\/]|[!+@]\(|^!/.test(pattern);
}

/** The glob of a pattern: `*` and `?` within a name, `**` across directories, classes and alternatives; dots are nothing special. */
export function compileGlob(pattern: string): Glob {
  const trimmed = pattern.startsWith('./') ? pattern.slice(2) : pattern;
  return anyGlob(
    alternatives(trimmed).map((one) => (EXTENDED.test(one) ? extendedGlob(one) : segmentsGlob(one))),
  );
}

/** A glob that matches whatever one of `globs` matches. */
export function anyGlob(globs: readonly Glob[]): Glob {
  if (globs.length === 1) return globs[0]!;
  return {
    inside: (prefix) => anyTest(globs.map((glob) => glob.inside(prefix))),
    reaches: (prefix) => globs.some((glob) => glob.reaches(prefix)),
  };
}

/** A glob that asks only the name, wherever it is. */
export function anywhere(test: NameTest): Glob {
  return { inside: () => test, reaches: () => true };
}

function anyTest(tests: readonly (NameTest | undefined)[]): NameTest | undefined {
  const some = tests.filter((test) => test !== undefined);
  return some.length < 2 ? some[0] : (name) => some.some((test) => test(name));
}

/** The patterns that plain braces stand for; others are left as they are. */
function alternatives(pattern: string): string[] {
  if (/\\|[!?*+@]\(|\.\./.test(pattern)) return [pattern];
  let patterns = [pattern];
  for (;;) {
    const innermost = /\{([^{}]*,[^{}]*)\}/.exec(patterns[0]!);
    if (innermost === null) return patterns;
    patterns = patterns.flatMap((one) =>
      innermost[1]!.split(',').map((part) => one.replace(innermost[0], () => part)),
    );
    if (patterns.length > MOST_ALTERNATIVES) return [pattern];
  }
}

/** Walks the pattern's segments along a path as a state machine, so that no pattern makes it backtrack. */
function segmentsGlob(pattern: string): Glob {
  const parts = pattern.split('/');
  // all below a directory, and not the directory itself
  if (parts.at(-1) === '**') parts.push('*');
  const steps = parts.map((part) => (part === '**' ? undefined : segmentTest(part)));
  const last = steps.length - 1;
  const test = steps[last]!;
  if (steps.slice(0, last).every((step) => step === undefined) && last > 0) return anywhere(test);
  const statesAt = (prefix: string) => {
    let states = closure([0], steps);
    for (let at = 0; at < prefix.length && states.length > 0; ) {
      const end = prefix.indexOf('/', at);
      states = advance(states, prefix.slice(at, end), steps);
      at = end + 1;
    }
    return states;
  };
  return {
    inside: (prefix) => (statesAt(prefix).includes(last) ? test : undefined),
    reaches: (prefix) => statesAt(prefix).length > 0,
  };
}

function advance(
  states: readonly number[],
  name: string,
  steps: readonly (NameTest | undefined)[],
): number[] {
  const next = states.flatMap((state) => {
    const step = steps[state];
    if (step === undefined) return [state];
    return state + 1 < steps.length && step(name) ? [state + 1] : [];
  });
  return closure(next, steps);
}

function closure(states: readonly number[], steps: readonly (NameTest | undefined)[]): number[] {
  const all = new Set(states);
  for (const state of all) if (steps[state] === undefined) all.add(state + 1);
  return [...all];
}

function extendedGlob(pattern: string): Glob {
  const wildcards = pattern.match(/\*\*|[*+]/g)?.length ?? 0;
  if (wildcards > MOST_WILDCARDS || /[*+]\([^)]*[*+(]/.test(pattern)) {
    throw new SearchError('pattern', 'glob is too complex: use fewer wildcards, or several globs');
  }
  // strict slashes: `dir/**` is what is below dir, not dir itself
  const matches = picomatch(pattern, { dot: true, strictSlashes: true });
  return {
    inside: (prefix) => {
      const shown = toText(prefix);
      return (name) => matches(shown + toText(name));
    },
    reaches: () => true,
  };
}
