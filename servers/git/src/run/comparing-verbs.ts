import { count, format, line, lines, long, oid, percent, quick, rule, text, word } from './verb-rule.ts';

/** Programs and formats that the configuration would set otherwise. */
const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  // `log` and `diff` would run git inside the submodule
  '--submodule=short',
  '--no-relative',
  '--src-prefix=a/',
  '--dst-prefix=b/',
] as const;

const diffFlags = [
  ...['--patch', '--no-patch', '--raw', '--numstat', '--shortstat', '--summary', '--name-only'],
  ...['--name-status', '-z', '--full-index', '--binary', '--text', '--no-abbrev', '--irreversible-delete'],
  ...['--no-renames', '--find-renames', '--find-copies', '--find-copies-harder', '--no-rename-empty'],
  ...['--ignore-all-space', '--ignore-space-change', '--ignore-space-at-eol', '--ignore-cr-at-eol'],
  ...['--ignore-blank-lines', '--function-context', '--minimal', '--patience', '--histogram'],
  ...['--diff-algorithm=myers', '--diff-algorithm=histogram', '--indent-heuristic', '--no-indent-heuristic'],
  ...['-R', '--quiet', '--exit-code', '--check', '--pickaxe-all', '--pickaxe-regex'],
  ...['--ita-visible-in-index', '--ita-invisible-in-index', '--combined-all-paths', '--cc', '-m'],
  ...['--ignore-submodules=none', '--ignore-submodules=untracked', '--ignore-submodules=dirty'],
  '--ignore-submodules=all',
] as const;

const diffOptions = {
  '--unified': count,
  '--inter-hunk-context': count,
  '--diff-filter': /^[ACDMRTUXBacdmrtuxb]+\*?$/,
  '--find-renames': percent,
  '--find-copies': percent,
  '-l': count,
  '-S': text,
  '-G': text,
  '--ignore-matching-lines': line,
  '--find-object': oid,
  '--rotate-to': text,
  '--skip-to': text,
} as const;

const walkFlags = [
  ...['--reverse', '--topo-order', '--date-order', '--author-date-order', '--first-parent', '--merges'],
  ...[
    '--no-merges',
    '--all',
    '--branches',
    '--tags',
    '--remotes',
    '--boundary',
    '--left-right',
    '--left-only',
  ],
  ...['--right-only', '--cherry-pick', '--cherry-mark', '--cherry', '--full-history', '--simplify-merges'],
  ...[
    '--dense',
    '--sparse',
    '--remove-empty',
    '--ancestry-path',
    '--walk-reflogs',
    '--parents',
    '--children',
  ],
  ...['--no-walk', '--no-walk=unsorted', '--regexp-ignore-case', '--fixed-strings', '--extended-regexp'],
  ...['--perl-regexp', '--basic-regexp', '--all-match', '--invert-grep', '--exclude-first-parent-only'],
  '--stdin',
] as const;

const walkOptions = {
  '--format': format,
  '--max-count': count,
  '--skip': count,
  '--since': line,
  '--until': line,
  '--author': line,
  '--committer': line,
  '--grep': line,
  '--min-parents': count,
  '--max-parents': count,
  '--glob': line,
  '--exclude': line,
  '--encoding': line,
  '--date': line,
} as const;

const logFlags = [
  ...walkFlags,
  ...diffFlags,
  ...['--graph', '--follow', '--no-follow', '--root', '--full-diff', '--source', '--no-expand-tabs'],
  // not `remerge`: it merges anew, by the merge drivers of the configuration
  ...['--diff-merges=off', '--diff-merges=first-parent', '--diff-merges=separate', '--diff-merges=combined'],
  ...['--diff-merges=dense-combined', '--no-decorate', '--decorate=full', '--no-notes', '--no-mailmap'],
] as const;

const log = rule({
  ...long,
  always: [...plainDiff, '--no-show-signature'],
  flags: logFlags,
  options: { ...walkOptions, ...diffOptions, '-L': /^(?:\d+,[+-]?\d+|:[^\0\n\r:]+):[^\0\n\r]+$/ },
  bulk: 'revisions',
});

/** Verbs that compare, or walk through history. */
export const comparing = {
  diff: rule({
    ...long,
    always: plainDiff,
    flags: [...diffFlags, '--cached', '--merge-base', '--base', '--ours', '--theirs', '-0'],
    options: diffOptions,
    bulk: 'revisions',
  }),
  'diff-tree': rule({
    ...long,
    always: plainDiff,
    flags: [...diffFlags, '-r', '--root', '--no-commit-id', '--stdin', '--merge-base'],
    options: diffOptions,
  }),
  'diff-index': rule({
    ...long,
    always: plainDiff,
    flags: [...diffFlags, '--cached', '--merge-base'],
    options: diffOptions,
  }),
  'diff-files': rule({
    ...long,
    always: plainDiff,
    flags: [...diffFlags, '--base', '--ours', '--theirs'],
    options: diffOptions,
  }),
  log,
  show: log,
  'rev-list': rule({
    ...long,
    flags: [
      ...walkFlags,
      '--count',
      '--objects',
      '--no-commit-header',
      '--use-bitmap-index',
      '--not',
      '--quiet',
    ],
    options: walkOptions,
    bulk: 'revisions',
  }),
  shortlog: rule({
    ...long,
    flags: [
      ...['--no-merges', '--merges', '--first-parent', '--all', '--numbered', '--summary', '--email'],
      ...['--group=author', '--group=committer'],
    ],
    options: { '--since': line, '--until': line, '--max-count': count },
  }),
  blame: rule({
    pathspecs: false,
    ...long,
    // git reads the file that blame.ignoreRevsFile names, and quotes it in an error
    always: ['--no-textconv', '--ignore-revs-file='],
    flags: [
      '--porcelain',
      '--line-porcelain',
      '--incremental',
      '-w',
      '-M',
      '-C',
      '--root',
      '--first-parent',
      '--progress',
    ],
    options: {
      '-L': lines,
      '-M': count,
      '-C': count,
      '--since': line,
      '--ignore-rev': oid,
      '--encoding': word,
    },
  }),
  grep: rule({
    ...long,
    always: ['--no-color', '--no-textconv', '--no-recurse-submodules', '--full-name'],
    flags: [
      ...['-z', '--line-number', '--column', '--count', '--files-with-matches', '--files-without-match'],
      ...['--ignore-case', '--word-regexp', '--fixed-strings', '--extended-regexp', '--perl-regexp'],
      ...[
        '--basic-regexp',
        '--invert-match',
        '-I',
        '--text',
        '--cached',
        '--untracked',
        '--exclude-standard',
      ],
      ...['--no-exclude-standard', '--only-matching', '--show-function', '--function-context', '--all-match'],
    ],
    options: {
      '-e': text,
      '--context': count,
      '--before-context': count,
      '--after-context': count,
      '--max-depth': count,
      '--max-count': count,
      '--threads': count,
    },
  }),
  'merge-base': rule({
    ...quick,
    flags: ['--all', '--is-ancestor', '--octopus', '--fork-point'],
    layout: ['revisions'],
  }),
  // merges by the merge drivers of the configuration
  'merge-tree': rule({
    ...long,
    always: ['--write-tree'],
    flags: ['-z', '--name-only', '--messages', '--no-messages', '--allow-unrelated-histories'],
    options: { '--merge-base': oid },
    layout: ['revisions'],
  }),
  cherry: rule({ ...long, flags: ['-v'], layout: ['revisions'] }),
};
