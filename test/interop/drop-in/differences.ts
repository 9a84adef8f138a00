/** An intended difference from the official server. */
export interface Difference {
  /** the sentence of the README about it */
  says: string;
  /** which side refuses the call, or that both succeed with other results */
  how: 'we refuse' | 'they refuse' | 'both answer';
  /** the cases with this difference */
  cases: RegExp;
  /** removes the difference from the facts, in whose rest both sides agree */
  rest?: (facts: unknown, whose: 'theirs' | 'ours') => unknown;
}

const text = (change: (text: string) => string) => (facts: unknown) => change(String(facts));
const names = (keep: (name: string) => boolean) => (facts: unknown) => (facts as string[]).filter(keep);
export const differences: readonly Difference[] = [
  // paths
  {
    says: 'A path may be quoted or a `file://` URI.',
    how: 'they refuse',
    cases: /^(?!read_multiple|create)\w+ (file|folder|from): (quoted|file URI)$/,
  },
  {
    says: 'A path may be quoted or a `file://` URI.',
    how: 'both answer',
    cases: /^read_multiple_files file: (quoted|file URI)$/,
  },
  {
    says: 'An empty path is refused; `.` is the first root.',
    how: 'we refuse',
    cases: /^(?!read|write|edit)\w+ (file|folder): empty$/,
  },
  {
    says: 'A path that ends in a slash names a folder, so no file is written there or moved from there.',
    how: 'we refuse',
    cases: /^(write_file file|move_file from): a slash at the end$/,
  },
  // reading
  {
    says: '`head` and a range give whole lines, with their line ends.',
    how: 'both answer',
    cases: /^read_text_file (?!data|empty|utf16|open\.txt head 100).* head [1-9]\d*$/,
    rest: (lines, whose) => (whose === 'ours' ? String(lines).replace(/\n$/, '') : lines),
  },
  {
    says: 'A line end at the end of a file is not one more line for `tail`.',
    how: 'both answer',
    cases: /^read_text_file (?!data|empty|open|utf16|no extension tail 2|.*head).* tail [12]$/,
  },
  {
    says: 'Text keeps its line ends, also the last lines of a file.',
    how: 'both answer',
    cases: /^read_text_file (crlf|mixed)\.txt tail 100$/,
    rest: text((lines) => lines.replaceAll('\r\n', '\n')),
  },
  {
    says: 'UTF-16 with a byte order mark is read as text, and the mark is no part of it.',
    how: 'both answer',
    cases: /^read_text_file utf16\.txt|^read_multiple_files other encodings$/,
  },
  {
    says: 'A byte order mark is no part of the text.',
    how: 'both answer',
    cases: /^read_text_file bom\.txt( head \d+| tail 100|$)/,
    rest: text((lines) => lines.replace(/^\ufeff/, '')),
  },
  {
    says: 'Binary files are refused as text; `read_media_file` reads them.',
    how: 'we refuse',
    cases: /^read_text_file data\.bin/,
  },
  {
    says: 'Numbers of lines are whole and at least 1, and `head` and `tail` exclude each other.',
    how: 'we refuse',
    cases: /^read_text_file lines\.txt ((head|tail) (0|-1|1\.5)|head 0 tail 1)$/,
  },
  {
    says: 'The type of media comes from the content, and that of other files from the name.',
    how: 'both answer',
    cases:
      /^read_media_file (fake\.png|lines\.txt|empty\.txt|no extension|file: (absolute|relative.*|double slash|up and down again|home|a slash at the end|a link to a file|through a link to a folder|a name with another normal form))$/,
    rest: (facts) => (facts as { data: string }).data,
  },
  // listing
  {
    says: 'Links are shown as links and never followed to tell a size, and are counted by themselves.',
    how: 'both answer',
    cases:
      /^list_directory_with_sizes (folder: (absolute|relative.*|a slash at the end|up and down again|home)|by name)$/,
    rest: (facts) => withoutLinks(facts),
  },
  {
    says: 'Sorted by size, directories are last: they have none.',
    how: 'both answer',
    cases: /^list_directory_with_sizes by size$/,
    rest: (facts) => withoutLinks(facts).filter(([kind, , size]) => kind === 'FILE' && size !== 0),
  },
  {
    says: '`get_file_info` tells of a link itself and of its target.',
    how: 'both answer',
    cases: /^get_file_info (file: a link to a file|of to-file|folder: a link to a folder)$/,
  },
  {
    says: '`get_file_info` tells of a link itself, also when it leads nowhere or outside.',
    how: 'they refuse',
    cases: /^get_file_info (file|folder): a link (to nothing|to a file outside|outside)$/,
  },
  {
    says: '`directory_tree` shows three levels unless `depth` says more, and leaves out `.git` and `node_modules` unless `excludePatterns` says otherwise.',
    how: 'both answer',
    cases:
      /^directory_tree (folder: (absolute|relative.*|a slash at the end|up and down again|home|a link to a folder)|of sub|without \[("\*\.txt"|"\*\*\/\*\.txt"|"\.hidden"|"inner\.txt"|"deep"|"\*\.md".*|"LINES.*)?\])$/,
    rest: names((name) => !/node_modules|\.txt$|^sub\/deep\/deeper/.test(name)),
  },
  // finding
  {
    says: '`search_files` answers with paths that begin as the `path` of the call does.',
    how: 'both answer',
    cases:
      /^search_files folder: (relative.*|home|up and down again|a link to a folder|a name with another normal form)$/,
    rest: (facts) => (facts as string[]).length,
  },
  {
    says: '`search_files` finds links by their names, also those that lead nowhere or outside.',
    how: 'both answer',
    cases: /^search_files ("(\*|\*\*|\*\*\/\*)"|without (?!\["(\*|\*\*)"\]))/,
    rest: names((name) => !/^(exit-|to-none)/.test(name)),
  },
  {
    says: 'In `search_files` a plain word is a part of a name at any depth, in any case.',
    how: 'both answer',
    cases: /^search_files "(inner\.txt|LINES\.TXT)"$/,
  },
  {
    says: 'An empty pattern finds everything, and an empty exclude leaves out nothing.',
    how: 'both answer',
    cases: /^search_files ""$|^directory_tree without \[""\]$/,
  },
  {
    says: 'A leading `./` of a pattern says nothing.',
    how: 'both answer',
    cases: /^search_files "\.\/lines\.txt"$/,
  },
  {
    says: '`!(...)` is a group in a pattern, and no negation of the whole.',
    how: 'both answer',
    cases: /^search_files "!/,
  },
  {
    says: 'An exclude without a slash counts at any depth, and what is below an excluded directory goes with it.',
    how: 'both answer',
    cases:
      /^search_files without \["(\*\.txt|node_modules|inner\.txt|deep|\*\.md|\*\*\/node_modules\/\*\*|sub\/\*\*)/,
    rest: names((name) => !/^(exit-|to-none)|\.(txt|md)$|^sub$|deep|node_modules/.test(name)),
  },
  {
    says: 'An exclude without a slash counts at any depth, and what is below an excluded directory goes with it.',
    how: 'both answer',
    cases: /^directory_tree without \["(sub|\*\*\/node_modules)\/\*\*"\]$/,
    rest: names((name) => !/^sub\/$|node_modules\/$/.test(name)),
  },
  // changing
  {
    says: '`edit_file` refuses an empty `oldText`, edits that change nothing, and an `oldText` that occurs more than once.',
    how: 'we refuse',
    cases:
      /^edit_file (nothing to text|no edits|the same text|text that stands twice|lines that stand twice)/,
  },
  {
    says: '`edit_file` does not match over different white space.',
    how: 'we refuse',
    cases: /^edit_file (other indentation|white space at the end|CRLF in the edit)/,
  },
  {
    says: '`edit_file` keeps line ends and bytes that are not UTF-8.',
    how: 'both answer',
    cases:
      /^edit_file (a file with CRLF|lines of a file with CRLF|mixed line ends$|bytes that are not UTF-8$)/,
  },
  {
    says: '`move_file` moves a link itself, also one that leads nowhere or outside.',
    how: 'both answer',
    cases: /^move_file (a link|a link to a folder|from: a link to a file)$/,
  },
  {
    says: '`move_file` moves a link itself, also one that leads nowhere or outside.',
    how: 'they refuse',
    cases: /^move_file (a link to nothing|a link to outside|from: a link to (nothing|a file outside))$/,
  },
];

type Sized = [kind: string, name: string, size: number | undefined];

function withoutLinks(facts: unknown): Sized[] {
  const { entries } = facts as { entries: Sized[] };
  return entries.filter(([, name]) => !/^(exit|to)-/.test(name));
}
