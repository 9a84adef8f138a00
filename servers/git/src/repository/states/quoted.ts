import { type Grammar, isBelow } from './grammar.ts';

/** Returns the words of a list that git has quoted for a shell; undefined where it is none. */
export function wordsOf(text: string): string[] | undefined {
  const words: string[] = [];
  const one = /[ \n]*((?:'[^'\0]*'|\\['!])+)/y;
  const list = text.trimEnd();
  let at = 0;
  while (at < list.length) {
    one.lastIndex = at;
    const [, quoted] = one.exec(list) ?? [];
    if (quoted === undefined) return undefined;
    words.push(
      quoted.replace(/'([^']*)'|\\(.)/g, (_, inner?: string, escaped?: string) => inner ?? escaped!),
    );
    at = one.lastIndex;
  }
  return words;
}

const applyOption =
  /^(?:--whitespace=(?:nowarn|warn|fix|strip|error|error-all)|--ignore-space-change|--ignore-whitespace|--reject|-[Cp]\d{1,4}|--(?:exclude|include|directory)=[\s\S]+)$/;

/** The options that `git am` passes to `git apply`; any other may write a file anywhere. */
export const applyOptions: Grammar = (text) => {
  const words = wordsOf(text);
  if (words === undefined) return 'is not a list of quoted options';
  const odd = words.find((word) => !applyOption.test(word) || !isDirectoryBelow(word));
  return odd === undefined ? undefined : `has an option that git am does not hand on: ${displayWord(odd)}`;
};

function isDirectoryBelow(option: string): boolean {
  const prefix = '--directory=';
  if (!option.startsWith(prefix)) return true;
  const path = option.slice(prefix.length);
  return isBelow(path.endsWith('/') ? path.slice(0, -1) : path);
}

/** Accepts the paths of a bisect. */
export const quotedPaths: Grammar = (text) =>
  wordsOf(text) === undefined ? 'is not a list of quoted paths' : undefined;

const authorLine = /^GIT_AUTHOR_(NAME|EMAIL|DATE)=(.*)$/s;

/** Accepts an author, as lines that a shell could read. */
export const authorScript: Grammar = (text) => {
  if (text.includes('\0')) return 'has a NUL';
  const found = new Set<string>();
  for (const row of text.replace(/\n$/, '').split(/\n(?=GIT_AUTHOR_)/)) {
    const [, field, value] = authorLine.exec(row) ?? [];
    if (field === undefined || found.has(field)) return 'is not the name, email and date of an author';
    if (wordsOf(value!)?.length !== 1 || /^[ \n]/.test(value!)) return `has a ${field} that is not quoted`;
    found.add(field);
  }
  return found.size === 3 ? undefined : 'lacks the name, email or date of an author';
};

const mergeOption =
  /^(?:ours|theirs|patience|histogram|no-renames|renormalize|no-renormalize|subtree(?:=.*)?|diff-algorithm=[a-z]+|ignore-space-change|ignore-all-space|ignore-space-at-eol|ignore-cr-at-eol|find-renames(?:=\d+%?)?|rename-threshold=\d+%?)$/;

/** Returns whether one of git's own strategies takes an option. */
export function isMergeOption(option: string): boolean {
  return mergeOption.test(option);
}

/** Accepts the options of a strategy in one line, as a command line quotes them. */
export const strategyOptions: Grammar = (text) => {
  const words = text.trim().split(/\s+/);
  const odd = words.find(
    (word) => word !== '' && !isMergeOption(word.replace(/^(['"]?)(?:--)?(.*)\1$/, '$2')),
  );
  return odd === undefined ? undefined : `has an option that no strategy of git takes: ${displayWord(odd)}`;
};

/** Returns a word of a repository for a failure's text. */
export function displayWord(word: string): string {
  const text = word.replace(/[^\x20-\x7e]/g, '?');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
