import { SearchError } from './query.ts';
import { type NameTest, segmentTest } from './segment.ts';
import { statesBelow } from './steps.ts';

/** A glob for relative byte paths, evaluated per directory; a prefix is '' or a path that ends in '/'. */
export interface Glob {
  /** Returns the test of names in the directory, or undefined if none can match. */
  inside(prefix: string): NameTest | undefined;
  /** Returns whether any path below the directory can match. */
  reaches(prefix: string): boolean;
}

const EXTENDED = /[!?*+@]\(|^!|\[\[:|[{}]/;
const MOST_ALTERNATIVES = 64;

export function isBareWord(pattern: string): boolean {
  return !/[*?[\]{}\\/]|[!+@]\(|^!/.test(pattern);
}

/** Compiles a pattern with `*`, `?` and classes within a name, `**` across directories, and braces; dots are not special. */
export function compileGlob(pattern: string, extended: CompileExtended | undefined): Glob {
  return anyGlob(
    plainOnes(pattern).map((one) => {
      if (!isExtended(one)) return segmentsGlob(one);
      if (extended === undefined)
        throw new SearchError('worker', 'the compiler of extended globs is not loaded');
      return extended(one);
    }),
  );
}

/** Compiles an extended pattern. */
export type CompileExtended = (pattern: string) => Glob;

/** Returns whether a pattern needs the compiler of extended globs, which is loaded on demand. */
export function needsExtended(pattern: string): boolean {
  return !isBareWord(pattern) && plainOnes(pattern).some(isExtended);
}

function isExtended(pattern: string): boolean {
  return EXTENDED.test(pattern);
}

function plainOnes(pattern: string): string[] {
  return alternatives(pattern.startsWith('./') ? pattern.slice(2) : pattern);
}

/** Returns a glob that matches if one of `globs` matches. */
export function anyGlob(globs: readonly Glob[]): Glob {
  if (globs.length === 1) return globs[0]!;
  return {
    inside: (prefix) => anyTest(globs.map((glob) => glob.inside(prefix))),
    reaches: (prefix) => globs.some((glob) => glob.reaches(prefix)),
  };
}

/** Returns a glob that tests only the name, at any depth. */
export function anywhere(test: NameTest): Glob {
  return { inside: () => test, reaches: () => true };
}

function anyTest(tests: readonly (NameTest | undefined)[]): NameTest | undefined {
  const some = tests.filter((test) => test !== undefined);
  return some.length < 2 ? some[0] : (name) => some.some((test) => test(name));
}

/** Expands the plain braces of a pattern. */
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

/** Compiles a pattern's segments into a state machine, so that no pattern causes backtracking. */
function segmentsGlob(pattern: string): Glob {
  const parts = pattern.split('/');
  // matches everything below a directory, but not the directory
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
