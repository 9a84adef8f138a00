import { SearchError } from './query.ts';
import { type NameTest, segmentTest } from './segment.ts';
import { statesBelow } from './steps.ts';

/** A glob on relative byte paths, asked directory by directory; a prefix is '' or a path that ends in '/'. */
export interface Glob {
  /** The test of names directly inside, or undefined when none can match. */
  inside(prefix: string): NameTest | undefined;
  /** Whether anything inside or further below can match. */
  reaches(prefix: string): boolean;
}

const EXTENDED = /[!?*+@]\(|^!|\[\[:|[{}]/;
const MOST_ALTERNATIVES = 64;

export function isBareWord(pattern: string): boolean {
  return !/[*?[\]{}\\/]|[!+@]\(|^!/.test(pattern);
}

/** The glob of a pattern: `*` and `?` within a name, `**` across directories, classes and alternatives; dots are nothing special. */
export function compileGlob(pattern: string, extended: CompileExtended | undefined): Glob {
  return anyGlob(
    plainOnes(pattern).map((one) => {
      if (!isExtended(one)) return segmentsGlob(one);
      if (extended === undefined) throw new SearchError('worker', 'the compiler of such globs is not loaded');
      return extended(one);
    }),
  );
}

/** Makes a glob of a pattern that `isExtended`. */
export type CompileExtended = (pattern: string) => Glob;

/** Whether a pattern needs the compiler for extended ones, which is loaded for them alone. */
export function needsExtended(pattern: string): boolean {
  return !isBareWord(pattern) && plainOnes(pattern).some(isExtended);
}

function isExtended(pattern: string): boolean {
  return EXTENDED.test(pattern);
}

function plainOnes(pattern: string): string[] {
  return alternatives(pattern.startsWith('./') ? pattern.slice(2) : pattern);
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
    const innermost = /\{([^{},]*,[^{}]*)\}/.exec(patterns[0]!);
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
  return {
    inside: (prefix) => (statesBelow(steps, prefix).includes(last) ? test : undefined),
    reaches: (prefix) => statesBelow(steps, prefix).length > 0,
  };
}
