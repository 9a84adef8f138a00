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

/** The filters of a walk through history, for `log` and for the count of its commits. */
const walkFlags = [
  '--topo-order',
  '--first-parent',
  '--merges',
  '--no-merges',
  '--no-walk=unsorted',
  '--regexp-ignore-case',
  '--fixed-strings',
  '--extended-regexp',
  '--basic-regexp',
] as const;

const walkOptions = {
  '--max-count': count,
  '--skip': count,
  '--since': line,
  '--until': line,
  '--author': line,
  '--committer': line,
  '--grep': line,
} as const;

const diffFilter = /^[ACDMRTUXBacdmrtuxb]+\*?$/;

/** Verbs that compare, or walk through history. */
export const comparing = {
  diff: rule({
    ...long,
    always: plainDiff,
    flags: [
      '--patch',
      '--raw',
      '--numstat',
      '--name-only',
      '--name-status',
      '-z',
      '-0',
      '--full-index',
      '--binary',
      '--no-abbrev',
      '--no-renames',
      '--find-renames',
      '--ignore-all-space',
      '--ignore-space-change',
      '--ignore-space-at-eol',
      '--diff-algorithm=myers',
      '--indent-heuristic',
      '--ita-visible-in-index',
      '--ignore-submodules=none',
      '--ignore-submodules=dirty',
      '--cached',
      '--merge-base',
    ],
    options: {
      '--unified': count,
      '--inter-hunk-context': count,
      '--diff-filter': diffFilter,
      '--find-renames': percent,
      '--skip-to': text,
    },
    bulk: 'revisions',
  }),
  'diff-tree': rule({
    ...long,
    always: plainDiff,
    flags: ['--name-only', '-z', '--no-renames', '-m', '-r', '--root', '--no-commit-id', '--stdin'],
    options: { '--diff-filter': diffFilter },
  }),
  log: rule({
    ...long,
    always: [...plainDiff, '--no-show-signature'],
    // no `--diff-merges=remerge`: it merges anew, by the merge drivers of the configuration
    flags: [
      ...walkFlags,
      '--walk-reflogs',
      '--no-patch',
      '--raw',
      '-z',
      '--no-abbrev',
      '--find-renames',
      '--graph',
      '--follow',
      '--no-follow',
      '--root',
      '--no-mailmap',
    ],
    options: {
      ...walkOptions,
      '--format': format,
      '--encoding': line,
      '--date': line,
      '--find-renames': percent,
      '-S': text,
      '-G': text,
    },
    bulk: 'revisions',
  }),
  'rev-list': rule({
    ...long,
    flags: [...walkFlags, '--reverse', '--all', '--stdin', '--count'],
    options: walkOptions,
    bulk: 'revisions',
  }),
  blame: rule({
    pathspecs: false,
    ...long,
    always: ['--no-textconv'],
    flags: ['--incremental', '-w', '-M', '-C', '--root', '--first-parent'],
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
      '-z',
      '--line-number',
      '--column',
      '--count',
      '--files-with-matches',
      '--ignore-case',
      '--word-regexp',
      '--fixed-strings',
      '--extended-regexp',
      '--perl-regexp',
      '--basic-regexp',
      '--invert-match',
      '-I',
      '--text',
      '--cached',
      '--untracked',
      '--exclude-standard',
    ],
    options: { '-e': text, '--context': count },
  }),
  'merge-base': rule({
    ...quick,
    flags: ['--all', '--is-ancestor'],
    layout: ['revisions'],
  }),
  // merges by the merge drivers of the configuration
  'merge-tree': rule({
    ...long,
    always: ['--write-tree'],
    flags: ['-z', '--messages', '--allow-unrelated-histories'],
    options: { '--merge-base': oid },
    layout: ['revisions'],
  }),
};
