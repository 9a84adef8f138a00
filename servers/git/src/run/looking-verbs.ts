import { count, format, line, long, oid, rule } from './verb-rule.ts';

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
      '--branch',
      '--show-stash',
      '--ahead-behind',
      '--no-renames',
      '--find-renames',
      '--untracked-files=no',
      '--untracked-files=normal',
      '--untracked-files=all',
      '--ignored=no',
      '--ignored=traditional',
      '--ignored=matching',
      '--ignore-submodules=dirty',
    ],
    layout: ['--', 'paths'],
  }),
  'for-each-ref': rule({
    options: { '--format': format, '--sort': sortKey, '--count': count, ...refFilters },
    layout: ['names'],
  }),
  'symbolic-ref': rule({ flags: ['--quiet'], layout: ['names'] }),
  'rev-parse': rule({
    flags: ['--verify', '--quiet', '--symbolic-full-name', '--end-of-options'],
    options: {
      '--disambiguate': /^[0-9a-f]{4,64}$/i,
      // prints the times for these dates
      '--since': line,
      '--until': line,
    },
    layout: ['names', 'revisions'],
  }),
  'ls-tree': rule({
    flags: ['-z', '-r', '--full-tree', '--name-only'],
    layout: ['revisions', '--', 'paths'],
    maxBytes: long.maxBytes,
  }),
  'ls-files': rule({
    flags: [
      '-z',
      '--cached',
      '--others',
      '--stage',
      '--unmerged',
      '--exclude-standard',
      '--full-name',
      '--deduplicate',
      '-t',
      '--resolve-undo',
    ],
    layout: ['--', 'paths'],
    maxBytes: long.maxBytes,
  }),
  // never `--textconv` or `--filters`
  'cat-file': rule({
    flags: ['--batch-command', '-p'],
    options: { '--batch-command': format },
    layout: ['revisions'],
    maxBytes: long.maxBytes,
  }),
  'config --list': rule({
    flags: ['-z', '--show-scope', '--show-origin', '--includes', '--no-includes', '--file=-'],
    layout: [],
  }),
  'check-ignore': rule({ pathspecs: false, flags: ['-z', '--stdin'], layout: ['--', 'paths'] }),
  'check-attr': rule({
    pathspecs: false,
    flags: ['-z', '--stdin', 'filter', 'working-tree-encoding', 'conflict-marker-size'],
    layout: ['--', 'paths'],
  }),
  'stash list': rule({
    always: ['--no-show-signature', '--no-color'],
    flags: ['-z'],
    options: { '--format': format, '--max-count': count, '--skip': count, '--encoding': line },
    layout: [],
  }),
  'worktree list': rule({ heads: true, flags: ['--porcelain', '-z'], layout: [] }),
};
