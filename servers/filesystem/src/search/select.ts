import {
  anyGlob,
  anywhere,
  type CompileExtended,
  compileGlob,
  type Glob,
  isBareWord,
  needsExtended,
} from './glob.ts';
import { isAscii, toBytes, toText } from './order.ts';
import { SearchError } from './query.ts';
import type { NameTest } from './segment.ts';

/** The include and exclude globs of a query, evaluated once per directory. */
export interface Selection {
  /** The glob of the results. */
  included: Glob;
  /** Returns the test for names in a directory that are neither results nor entered. */
  excluded(prefix: string): NameTest | undefined;
}

export async function compileSelection(
  include: readonly string[],
  exclude: readonly string[],
  hidden: boolean,
): Promise<Selection> {
  const extended = [...include, ...exclude].some(needsExtended)
    ? (await import('./extended-glob.ts')).extendedGlob
    : undefined;
  const excludes = compileAll(exclude, (pattern) => compileExclude(pattern, extended));
  if (!hidden) excludes.push(anywhere((name) => name.startsWith('.')));
  const excluded = excludes.length === 0 ? undefined : anyGlob(excludes);
  const includes = compileAll(include, (pattern) => compileInclude(pattern, extended));
  return {
    included: includes.length === 0 ? anywhere(() => true) : anyGlob(includes),
    excluded: (prefix) => excluded?.inside(prefix),
  };
}

function compileAll(patterns: readonly string[], compile: (pattern: string) => Glob): Glob[] {
  return patterns.map((pattern) => {
    try {
      return compile(pattern);
    } catch (error) {
      if (error instanceof SearchError) throw error;
      throw new SearchError('pattern', 'glob is not valid: check its brackets', { cause: error });
    }
  });
}

function compileInclude(pattern: string, extended: CompileExtended | undefined): Glob {
  return isBareWord(pattern) ? anywhere(wordTest(pattern)) : compileGlob(pattern, extended);
}

function wordTest(word: string): NameTest {
  const wanted = word.normalize('NFC').toLowerCase();
  // toLowerCase is correct for a byte string only if it is ASCII
  return (name) => (isAscii(name) ? name : toText(name).normalize('NFC')).toLowerCase().includes(wanted);
}

function compileExclude(pattern: string, extended: CompileExtended | undefined): Glob {
  const directory = pattern.endsWith('/') ? pattern.slice(0, -1) : pattern;
  if (isBareWord(directory)) {
    const name = toBytes(directory);
    return anywhere((candidate) => candidate === name);
  }
  // excluding everything below a directory excludes the directory
  const whole = directory.length > 3 && directory.endsWith('/**') ? directory.slice(0, -3) : directory;
  return compileGlob(whole, extended);
}
