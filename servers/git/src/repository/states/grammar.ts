/** Returns the first problem in the content of a state file; undefined where git itself could have written it. */
export type Grammar = (text: string) => string | undefined;

/** Accepts any bytes: git prints, copies or commits them, and parses none. */
export const free: Grammar = () => undefined;

/** Accepts nothing but an empty file. */
export const empty: Grammar = (text) => (text.trim() === '' ? undefined : 'has content');

const hex = '[0-9a-f]{40}(?:[0-9a-f]{24})?';
/** Accepts a ref or branch name that no command takes for an option, a path outside of refs, or two words. */
const name = String.raw`(?!-)(?!.*(?:\.\.|\/\/|@\{|\/\.|\.lock(?:\/|$)))[^\x00-\x20\x7f~^:?*[\\]+(?<![./])`;

/** Accepts a content of one line that the expression matches as a whole. */
export function line(pattern: RegExp, what: string): Grammar {
  return (text) => (pattern.test(withoutEnd(text)) ? undefined : `is not ${what}`);
}

/** Accepts lines that each match, and names the first that does not. */
export function lines(pattern: RegExp, what: string): Grammar {
  return (text) => {
    const index = withoutEnd(text)
      .split('\n')
      .findIndex((each) => each !== '' && !pattern.test(each));
    return index === -1 ? undefined : `has a line ${index + 1} that is not ${what}`;
  };
}

function withoutEnd(text: string): string {
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}

export const oid = line(new RegExp(`^${hex}$`), 'an object id');
export const oidOrEmpty = line(new RegExp(`^(?:${hex})?$`), 'an object id');
export const oids = lines(new RegExp(`^${hex}$`), 'an object id');
export const oidPairs = lines(new RegExp(`^${hex} ${hex}$`), 'two object ids');
/** An id, which git may have abbreviated. */
export const shortOid = line(/^[0-9a-f]{4,64}$/, 'an object id');
export const count = line(/^\d{1,9}$/, 'a number');
export const flag = line(/^[tf]?$/, 't or f');
export const word = line(/^[a-z-]*$/, 'a word');
export const branchOrDetached = line(
  new RegExp(`^(?:refs/${name}|detached HEAD)$`),
  'a ref or "detached HEAD"',
);
export const branchOrOid = line(new RegExp(`^${name}$`), 'a branch or an object id');
export const rewrittenRefs = lines(new RegExp(`^refs/rewritten/${name}$`), 'a ref below refs/rewritten');
export const movedRefs: Grammar = (text) => {
  const rows = withoutEnd(text).split('\n');
  const of = [new RegExp(`^refs/${name}$`), new RegExp(`^${hex}$`), new RegExp(`^${hex}$`)];
  const index = rows.findIndex((row, at) => !of[at % 3]!.test(row) && text !== '');
  return index === -1 ? undefined : `has a line ${index + 1} that is not a ref or the ids of its commits`;
};
export const terms: Grammar = (text) =>
  new RegExp(`^${name}\n${name}\n?$`).test(text) ? undefined : 'is not two terms';
export const signing = line(/^-S[^\0\n]*$/, 'an option -S');
export const strategy = line(
  /^(?:recursive|ort|resolve|octopus|ours|subtree)$/,
  'a strategy that git has built in',
);
export const noFastForward = line(/^(?:no-ff)?$/, 'no-ff');
export const autoupdate = line(/^--(?:no-)?rerere-autoupdate$/, 'an option of rerere');
export const signoff = line(/^(?:--signoff)?$/, '--signoff');
export const fixups = lines(/^(?:fixup|squash)(?: -[cC])? [0-9a-f]{4,64}$/, 'a fixup or squash and its id');
export const bisectLog = lines(/^(?:#|git bisect )/, 'a comment or a command of git bisect');
export const trailers = lines(/^[^\0]*$/, 'a trailer');
/** A conflict that rerere records: it writes to the path, which must be one in the work tree. */
export const rerereConflicts: Grammar = (text) => {
  const records = text.split('\0');
  const last = records.pop();
  const index = records.findIndex((record) => {
    const [, path] = /^[0-9a-f]{40,64}(?:\.\d+)?\t([\s\S]+)$/.exec(record) ?? [];
    return path === undefined || !isBelow(path);
  });
  if (index !== -1) return `has a record ${index + 1} that is not an id and a path in the work tree`;
  return last === '' ? undefined : 'ends in the middle of a record';
};

/** Returns whether a path that git has written stays below the work tree. */
export function isBelow(path: string): boolean {
  return !path
    .split('/')
    .some((part) => part === '' || part === '.' || part === '..' || /^\.git$/i.test(part));
}
