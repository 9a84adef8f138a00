import { foldName, globTest, withoutTail } from './name-glob.ts';
import { nameSet } from './name-set.ts';

/** A part of a pattern, and the part after it. */
export interface Part {
  readonly order: number;
  /** written with `!`: permits names that earlier patterns deny */
  readonly lifts: boolean;
  /** undefined for `**` */
  readonly fits: ((folded: string) => boolean) | undefined;
  readonly next: Part | undefined;
}

/** A compiled list of patterns. */
export interface Rules {
  /** the first parts of the patterns with a slash */
  readonly paths: readonly Part[];
  /** the test of the names in a folder where these parts may match */
  testOf(parts: readonly Part[]): (name: string) => boolean;
}

const known = new WeakMap<readonly string[], Rules>();

/** Returns the rules of a list, compiled once for each list. */
export function rulesOf(globs: readonly string[]): Rules {
  let rules = known.get(globs);
  if (rules === undefined) {
    rules = compile(globs);
    known.set(globs, rules);
  }
  return rules;
}

function compile(globs: readonly string[]): Rules {
  const folded = foldName(globs.join('\0')).split('\0');
  const paths: Part[] = [];
  const names: string[] = [];
  for (let order = 0; order < globs.length; order++) {
    const glob = folded[order]!;
    const slash = glob.indexOf('/');
    if (slash >= 0 && slash < glob.length - 1) paths.push(patternOf(glob, order));
    else if (!glob.startsWith('!')) names.push(slash < 0 ? glob : glob.slice(0, -1));
  }
  const denied = nameSet(names);

  let patterns: Part[] | undefined;
  /** the last matching pattern decides */
  const judges = (name: string, ends: readonly Part[]): boolean => {
    if (!denied.has(name) && !ends.some((end) => end.fits?.(name))) return false;
    patterns ??= folded.map(patternOf).filter(({ order }) => !paths.some((path) => path.order === order));
    const fitting = [...patterns, ...ends].filter((part) => part.fits?.(name));
    return !fitting.reduce((one, other) => (other.order > one.order ? other : one)).lifts;
  };

  const isDenied = (name: string, ends: readonly Part[]): boolean => {
    if (isOdd(name)) {
      const wide = foldName(name);
      // Windows opens the same file by `.env.`, `.env ` and `.env::$DATA`
      return judges(wide, ends) || judges(withoutTail(wide), ends);
    }
    if (ends.length === 0 && denied.excludes(name)) return false;
    return judges(name.toLowerCase(), ends);
  };

  const plain = (name: string): boolean => isDenied(name, []);
  const testOf = (parts: readonly Part[]): ((name: string) => boolean) => {
    const ends = parts.filter((part) => part.next === undefined);
    return ends.length === 0 ? plain : (name) => isDenied(name, ends);
  };
  return { paths, testOf };
}

/** Returns whether a name may need more than lower case for its comparison. */
function isOdd(name: string): boolean {
  let code = 0;
  for (let index = 0; index < name.length; index++) {
    code = name.charCodeAt(index);
    if (code > 127 || code === 58) return true;
  }
  return code === 46 || code === 32;
}

/** Returns the first part of a pattern. */
function patternOf(glob: string, order: number): Part {
  const lifts = glob.startsWith('!');
  const segments = (lifts ? glob.slice(1) : glob).split('/').filter((segment) => segment !== '');
  // "folder/**" is everything in the folder
  if (segments.at(-1) === '**') segments[segments.length - 1] = '*';
  let part: Part | undefined;
  for (const segment of segments.reverse())
    part = { order, lifts, fits: segment === '**' ? undefined : globTest(segment), next: part };
  return part!; // no pattern is empty
}

/** Returns the parts that may match below a folder of this name. */
export function below(part: Part, folded: string): Part[] {
  if (part.fits === undefined) return from(part);
  return part.next !== undefined && part.fits(folded) ? from(part.next) : [];
}

/** Returns a part, and the next one too where `**` may stand for no folder. */
export function from(part: Part): Part[] {
  return part.fits === undefined && part.next !== undefined ? [part, ...from(part.next)] : [part];
}
