import { count, format, line, long, oid, rule, text } from './verb-rule.ts';

const ignoredSubmodules = [
  '--ignore-submodules=none',
  '--ignore-submodules=untracked',
  '--ignore-submodules=dirty',
  '--ignore-submodules=all',
] as const;

const sortKey = /^-?[a-z][^\0\s]*$/;

const refFilters = {
  '--points-at': oid,
  '--contains': oid,
  '--no-contains': oid,
  '--merged': oid,
  '--no-merged': oid,
} as const;

/** Verbs that read the content and the state of a repository. */
export const looking = {
  version: rule({ layout: [] }),
  status: rule({
    ...long,
    always: ['--porcelain=v2', '-z'],
    flags: [
      ...[
        '--branch',
        '--show-stash',
        '--ahead-behind',
        '--no-ahead-behind',
        '--no-renames',
        '--find-renames',
      ],
      ...['--untracked-files=no', '--untracked-files=normal', '--untracked-files=all'],
      ...['--ignored=no', '--ignored=traditional', '--ignored=matching', ...ignoredSubmodules],
    ],
    layout: ['--', 'paths'],
  }),
  'for-each-ref': rule({
    flags: ['--ignore-case', '--omit-empty'],
    options: { '--format': format, '--sort': sortKey, '--count': count, ...refFilters },
    layout: ['names'],
  }),
  'show-ref': rule({
    flags: ['--head', '--dereference', '--verify', '--quiet', '--heads', '--tags'],
    layout: ['names'],
  }),
  'symbolic-ref': rule({ flags: ['--quiet', '--short', '--no-recurse'], layout: ['names'] }),
  'rev-parse': rule({
    flags: [
      ...['--verify', '--quiet', '--is-shallow-repository', '--is-bare-repository', '--is-inside-work-tree'],
      ...['--show-object-format', '--show-ref-format', '--absolute-git-dir', '--git-common-dir'],
      ...['--show-toplevel', '--show-superproject-working-tree', '--symbolic-full-name', '--abbrev-ref'],
      ...['--path-format=absolute', '--end-of-options'],
    ],
    options: {
      '--short': count,
      '--disambiguate': /^[0-9a-f]{4,64}$/i,
      // prints the times for these dates
      '--since': line,
      '--until': line,
    },
    layout: ['names', 'revisions'],
  }),
  'name-rev': rule({
    flags: ['--name-only', '--tags', '--always', '--no-undefined'],
    options: { '--refs': line, '--exclude': line },
    layout: ['revisions'],
  }),
  describe: rule({
    flags: [
      '--all',
      '--tags',
      '--contains',
      '--always',
      '--long',
      '--exact-match',
      '--first-parent',
      '--dirty',
    ],
    options: { '--match': line, '--exclude': line, '--abbrev': count, '--candidates': count },
    layout: ['revisions'],
  }),
  'ls-tree': rule({
    flags: ['-z', '-r', '-t', '-d', '--long', '--full-tree', '--name-only', '--object-only'],
    options: { '--format': format },
    layout: ['revisions', '--', 'paths'],
    maxBytes: long.maxBytes,
  }),
  'ls-files': rule({
    flags: [
      ...[
        '-z',
        '--cached',
        '--deleted',
        '--others',
        '--ignored',
        '--stage',
        '--unmerged',
        '--killed',
        '--modified',
      ],
      ...['--exclude-standard', '--directory', '--no-empty-directory', '--eol', '--full-name', '--sparse'],
      ...['--deduplicate', '--error-unmatch', '-t', '-v', '--resolve-undo'],
    ],
    options: { '--format': format, '--with-tree': oid },
    layout: ['--', 'paths'],
    maxBytes: long.maxBytes,
  }),
  // never `--textconv` or `--filters`
  'cat-file': rule({
    flags: [
      '--batch',
      '--batch-check',
      '--batch-command',
      '--buffer',
      '--unordered',
      '--batch-all-objects',
      '-z',
      '-Z',
      '-e',
      '-p',
      '-s',
      '-t',
    ],
    options: { '--batch': format, '--batch-check': format, '--batch-command': format },
    layout: ['revisions'],
    maxBytes: long.maxBytes,
  }),
  'config --list': rule({
    flags: [
      ...['-z', '--show-scope', '--show-origin', '--name-only', '--includes', '--no-includes'],
      ...['--local', '--worktree', '--global', '--system', '--file=-'],
    ],
    layout: [],
  }),
  'check-ignore': rule({
    pathspecs: false,
    flags: ['-z', '--stdin', '--verbose', '--non-matching', '--no-index'],
    layout: ['--', 'paths'],
  }),
  'check-attr': rule({
    pathspecs: false,
    flags: [
      '-z',
      '--stdin',
      '--cached',
      '--all',
      'filter',
      'diff',
      'merge',
      'text',
      'eol',
      'working-tree-encoding',
      'conflict-marker-size',
    ],
    layout: ['--', 'paths'],
  }),
  remote: rule({ flags: ['--verbose'], layout: [] }),
  'remote get-url': rule({ flags: ['--push', '--all'], layout: ['names'] }),
  'stash list': rule({
    always: ['--no-show-signature', '--no-color'],
    flags: ['-z', '--no-patch'],
    options: { '--format': format, '--max-count': count, '--skip': count, '--encoding': line },
    layout: [],
  }),
  'worktree list': rule({ heads: true, flags: ['--porcelain', '-z'], layout: [] }),
  'submodule status': rule({
    scripted: true,
    ...long,
    flags: ['--cached', '--recursive'],
    layout: ['--', 'paths'],
  }),
  'sparse-checkout list': rule({ layout: [] }),
  'bisect log': rule({ scripted: true, layout: [] }),
  'count-objects': rule({ flags: ['-v'], layout: [] }),
  'verify-commit': rule({ flags: ['--raw'], layout: ['revisions'] }),
  'verify-tag': rule({ flags: ['--raw'], options: { '--format': text }, layout: ['revisions'] }),
};
