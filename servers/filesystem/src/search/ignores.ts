import { type Decide, IgnoreRules } from './ignore-rules.ts';

/** The texts of one folder's ignore files, as they are sent between threads. */
export interface IgnoreTexts {
  /** Path of the folder from the topmost one that is read, '' or ending in '/'. */
  base: string;
  /** Whether a repository begins here, so that no `.gitignore` of an ancestor applies. */
  repository: boolean;
  /** `.gitignore`, `.git/info/exclude`, `.ignore`. */
  git?: string | undefined;
  exclude?: string | undefined;
  own?: string | undefined;
}

/** The ignore files of a folder and of its ancestors. */
export interface Ignores {
  readonly outer: Ignores | undefined;
  readonly texts: IgnoreTexts;
  readonly git: IgnoreRules | undefined;
  readonly exclude: IgnoreRules | undefined;
  readonly own: IgnoreRules | undefined;
}

/** Returns whether an entry of the directory is ignored. */
export type IgnoreTest = (name: string, isDirectory: boolean) => boolean;

export function withIgnores(outer: Ignores | undefined, texts: IgnoreTexts): Ignores {
  return {
    outer,
    texts,
    git: rulesOf(texts.git),
    exclude: rulesOf(texts.exclude),
    own: rulesOf(texts.own),
  };
}

/** Returns the texts from the outermost folder to this one. */
export function textsOf(ignores: Ignores | undefined): IgnoreTexts[] {
  const all: IgnoreTexts[] = [];
  for (let at = ignores; at !== undefined; at = at.outer) all.unshift(at.texts);
  return all;
}

/** Returns the test for the entries of `directory`, a path like `base`: the nearest file with a matching rule decides. */
export function ignoredIn(ignores: Ignores | undefined, directory: string): IgnoreTest | undefined {
  const own: Decide[] = [];
  const git: Decide[] = [];
  let repository = false;
  for (let at = ignores; at !== undefined; at = at.outer) {
    const below = directory.slice(at.texts.base.length);
    if (at.own !== undefined) own.push(at.own.inside(below));
    if (repository) continue;
    if (at.git !== undefined) git.push(at.git.inside(below));
    if (at.exclude !== undefined) git.push(at.exclude.inside(below));
    repository = at.texts.repository;
  }
  // .ignore is written for search tools, so it takes precedence over .gitignore
  const all = [...own, ...git];
  if (all.length === 0) return undefined;
  return (name, isDirectory) => {
    for (const decide of all) {
      const rule = decide(name, isDirectory);
      if (rule !== undefined) return !rule.negated;
    }
    return false;
  };
}

function rulesOf(text: string | undefined): IgnoreRules | undefined {
  return text === undefined ? undefined : new IgnoreRules(text);
}
