import { count, hooked, line, long, oid, rule, text, word } from './verb-rule.ts';

const signing = ['--gpg-sign', '--no-gpg-sign'] as const;
const cleaning = [
  '--cleanup=verbatim',
  '--cleanup=whitespace',
  '--cleanup=strip',
  '--cleanup=default',
] as const;
const conflicts = ['--conflict=merge', '--conflict=diff3', '--conflict=zdiff3'] as const;
const strategies = [
  ...['--strategy=ort', '--strategy=ours', '--strategy=resolve', '--strategy=octopus'],
  ...['--strategy-option=ours', '--strategy-option=theirs', '--strategy-option=ignore-all-space'],
  ...[
    '--strategy-option=ignore-space-change',
    '--strategy-option=renormalize',
    '--strategy-option=no-renames',
  ],
] as const;
const steps = ['--continue', '--skip', '--abort', '--quit'] as const;

const index = { writes: true, ...long, hooks: true } as const;
const work = { writes: true, ...hooked, acts: true } as const;
const script = { ...work, scripted: true } as const;
const records = { writes: true, ...hooked, carried: true, layout: ['names', 'revisions'] } as const;
/** Changes a file of settings by its path, without a repository. */
const onFile = { writes: true, options: { '--file': text }, layout: ['--', 'names'] } as const;
const pathsOnly = { layout: ['--', 'paths'], bulk: 'pathspec' } as const;

const picking = {
  flags: ['--no-commit', '--no-edit', '--signoff', ...steps, ...strategies, ...signing, ...cleaning],
  options: { '--mainline': count },
} as const;

/** Verbs that change the index, the work tree, references or history, and use no network. */
export const changing = {
  add: rule({
    ...index,
    ...pathsOnly,
    flags: [
      ...[
        '--all',
        '--no-all',
        '--update',
        '--intent-to-add',
        '--force',
        '--dry-run',
        '--verbose',
        '--refresh',
      ],
      ...['--renormalize', '--sparse', '--ignore-errors', '--chmod=+x', '--chmod=-x'],
    ],
  }),
  rm: rule({
    ...index,
    ...pathsOnly,
    flags: ['--cached', '--force', '-r', '--quiet', '--dry-run', '--ignore-unmatch', '--sparse'],
  }),
  mv: rule({
    pathspecs: false,
    ...index,
    flags: ['--force', '-k', '--dry-run', '--verbose', '--sparse'],
    layout: ['--', 'paths'],
  }),
  restore: rule({
    ...work,
    ...pathsOnly,
    always: ['--no-recurse-submodules'],
    flags: [
      ...['--staged', '--worktree', '--ours', '--theirs', '--merge', '--overlay', '--no-overlay', '--quiet'],
      ...['--progress', '--no-progress', '--ignore-unmerged', '--ignore-skip-worktree-bits', ...conflicts],
    ],
    options: { '--source': oid },
  }),
  reset: rule({
    ...work,
    always: ['--no-recurse-submodules'],
    flags: [
      ...['--soft', '--mixed', '--hard', '--merge', '--keep', '--quiet', '--refresh', '--no-refresh'],
      '--intent-to-add',
    ],
    layout: ['revisions', '--', 'paths'],
    bulk: 'pathspec',
  }),
  clean: rule({
    ...work,
    flags: ['--force', '-d', '-x', '-X', '--dry-run', '--quiet'],
    options: { '-e': text },
    layout: ['--', 'paths'],
  }),
  apply: rule({
    ...index,
    flags: [
      ...[
        '--cached',
        '--index',
        '--reverse',
        '--check',
        '--recount',
        '--unidiff-zero',
        '--3way',
        '--numstat',
      ],
      ...['--whitespace=nowarn', '--whitespace=fix', '--whitespace=error', '--allow-empty', '-z', '--reject'],
      ...['--ignore-whitespace', '--no-ignore-whitespace', '--inaccurate-eof'],
    ],
    layout: [],
  }),
  'update-index': rule({
    ...index,
    flags: [
      ...[
        '-q',
        '--refresh',
        '--really-refresh',
        '--unmerged',
        '-z',
        '--stdin',
        '--index-info',
        '--add',
        '--remove',
      ],
      ...['--force-remove', '--chmod=+x', '--chmod=-x', '--ignore-missing'],
    ],
    // paths come over stdin: `--index-info` and `--stdin` must be the last argument
    layout: [],
  }),
  'hash-object': rule({ always: ['--stdin', '--no-filters'], flags: ['-w'], writes: true, layout: [] }),
  'config --add': rule(onFile),
  'config --unset-all': rule(onFile),
  'config --rename-section': rule(onFile),
  'config --remove-section': rule(onFile),
  'symbolic-ref HEAD': rule({ ...records, layout: ['names'] }),
  'update-ref': rule({
    ...records,
    flags: ['--no-deref', '--create-reflog', '-d', '--stdin', '-z'],
    options: { '-m': line },
  }),

  commit: rule({
    ...work,
    ...pathsOnly,
    flags: [
      ...[
        '--file=-',
        '--amend',
        '--no-edit',
        '--allow-empty',
        '--allow-empty-message',
        '--no-verify',
        '--all',
      ],
      ...['--only', '--include', '--signoff', '--no-signoff', '--reset-author', '--quiet', '--dry-run'],
      ...['--no-post-rewrite', '--no-status', ...signing, ...cleaning],
    ],
    options: {
      '--message': text,
      '--author': line,
      '--date': line,
      '--trailer': line,
      '--fixup': /^(?:(?:amend|reword):)?[0-9a-f]{40,64}$/,
      '--squash': oid,
      '--reuse-message': oid,
      '--gpg-sign': word,
    },
  }),
  branch: rule({
    ...records,
    heads: true,
    flags: [
      ...['--force', '--delete', '--move', '--copy', '--track', '--no-track', '--unset-upstream', '--quiet'],
      '--remotes',
    ],
    options: { '--set-upstream-to': word },
  }),
  tag: rule({
    ...records,
    flags: ['--annotate', '--delete', '--force', '--sign', '--no-sign', '--file=-', ...cleaning],
    options: { '--message': text, '--local-user': word },
  }),
  switch: rule({
    ...work,
    always: ['--no-recurse-submodules'],
    flags: [
      ...['--detach', '--discard-changes', '--merge', '--track', '--no-track', '--guess', '--no-guess'],
      ...['--progress', '--no-progress', '--quiet', '--ignore-other-worktrees', ...conflicts],
      '--no-overwrite-ignore',
    ],
    options: { '--create': word, '--force-create': word, '--orphan': word },
    layout: ['names', 'revisions'],
  }),
  merge: rule({
    ...work,
    flags: [
      ...['--ff', '--no-ff', '--ff-only', '--squash', '--no-squash', '--commit', '--no-commit', '--no-edit'],
      ...[
        '--allow-unrelated-histories',
        '--no-verify',
        '--signoff',
        '--stat',
        '--no-stat',
        '--log',
        '--no-log',
      ],
      ...['--no-verify-signatures', '--autostash', '--no-autostash', '--progress', '--no-progress'],
      ...['--rerere-autoupdate', '--no-rerere-autoupdate', '--continue', '--abort', '--quit'],
      ...strategies,
      ...signing,
      ...cleaning,
    ],
    options: { '--message': text, '--into-name': word },
    layout: ['names', 'revisions'],
  }),
  rebase: rule({
    ...work,
    flags: [
      ...['--merge', '--interactive', '--autosquash', '--no-autosquash', '--rebase-merges', '--keep-empty'],
      ...['--no-keep-empty', '--empty=drop', '--empty=keep', '--empty=stop', '--empty=ask', '--force-rebase'],
      ...['--root', '--autostash', '--no-autostash', '--update-refs', '--no-update-refs', '--no-verify'],
      ...['--reapply-cherry-picks', '--committer-date-is-author-date', '--reset-author-date', '--signoff'],
      ...[
        '--fork-point',
        '--no-fork-point',
        '--stat',
        '--no-stat',
        '--quiet',
        ...steps,
        ...strategies,
        ...signing,
      ],
    ],
    options: { '--onto': oid },
    layout: ['revisions', 'names'],
  }),
  'cherry-pick': rule({
    ...work,
    flags: [
      ...picking.flags,
      '--allow-empty',
      '--allow-empty-message',
      '--keep-redundant-commits',
      '--ff',
      '-x',
    ],
    options: picking.options,
    layout: ['revisions'],
  }),
  revert: rule({ ...work, ...picking, layout: ['revisions'] }),
  // only of a sequence in progress: a mailbox is never read
  am: rule({ ...work, flags: steps, layout: [] }),
  // its message comes over stdin
  'commit-tree': rule({ writes: true, options: { '-p': oid }, layout: ['revisions'] }),

  'stash push': rule({
    ...work,
    ...pathsOnly,
    flags: ['--keep-index', '--no-keep-index', '--include-untracked', '--all', '--staged', '--quiet'],
    options: { '--message': text },
  }),
  'stash apply': rule({ ...work, flags: ['--index', '--quiet'], layout: ['names'] }),
  'stash pop': rule({ ...work, flags: ['--index', '--quiet'], layout: ['names'] }),
  'stash create': rule({ ...work, layout: [] }),
  'stash drop': rule({ ...work, carried: true, flags: ['--quiet'], layout: ['names'] }),
  'stash branch': rule({ ...work, layout: ['names'] }),
  'stash store': rule({ ...records, flags: ['--quiet'], options: { '--message': line } }),

  'worktree add': rule({
    pathspecs: false,
    ...work,
    heads: true,
    makes: ['worktrees'],
    flags: [
      ...['--detach', '--force', '--lock', '--checkout', '--no-checkout', '--track', '--no-track', '--quiet'],
      '--no-guess-remote',
    ],
    options: { '-b': word, '--reason': line },
    layout: ['--', 'paths', 'names', 'revisions'],
  }),
  'worktree remove': rule({
    pathspecs: false,
    ...work,
    heads: true,
    flags: ['--force'],
    layout: ['--', 'paths'],
  }),
  'worktree move': rule({
    pathspecs: false,
    ...work,
    heads: true,
    flags: ['--force'],
    layout: ['--', 'paths'],
  }),
  'worktree lock': rule({
    pathspecs: false,
    ...work,
    heads: true,
    carried: true,
    options: { '--reason': line },
    layout: ['--', 'paths'],
  }),
  'worktree unlock': rule({ pathspecs: false, ...work, heads: true, carried: true, layout: ['--', 'paths'] }),
  'worktree prune': rule({
    ...work,
    heads: true,
    flags: ['--dry-run', '--verbose'],
    options: { '--expire': line },
    layout: [],
  }),
  'worktree repair': rule({
    pathspecs: false,
    ...work,
    heads: true,
    makes: ['worktrees'],
    layout: ['--', 'paths'],
  }),

  'bisect start': rule({
    ...script,
    flags: ['--first-parent', '--no-checkout'],
    options: { '--term-new': word, '--term-old': word },
    layout: ['revisions', '--', 'paths'],
  }),
  'bisect good': rule({ ...script, layout: ['revisions'] }),
  'bisect bad': rule({ ...script, layout: ['revisions'] }),
  'bisect skip': rule({ ...script, layout: ['revisions'] }),
  'bisect reset': rule({ ...script, layout: ['names'] }),

  'submodule init': rule({ ...script, carried: true, layout: ['--', 'paths'] }),
  'submodule sync': rule({ ...script, carried: true, enters: true, layout: ['--', 'paths'] }),
  'submodule absorbgitdirs': rule({
    ...script,
    enters: true,
    makes: ['modules'],
    layout: ['--', 'paths'],
  }),
  'submodule deinit': rule({ ...script, flags: ['--force'], layout: ['--', 'paths'] }),

  'remote add': rule({ ...records, flags: ['--no-tags', '--tags'] }),
  'remote remove': rule(records),
  'remote rename': rule(records),
  'remote set-url': rule({ ...records, flags: ['--push', '--add', '--delete'] }),
  'remote set-head': rule({ ...records, flags: ['--delete'] }),

  'commit-graph write': rule({
    ...work,
    flags: ['--reachable', '--changed-paths', '--progress', '--no-progress'],
    layout: [],
  }),
  init: rule({
    pathspecs: false,
    writes: true,
    carried: true,
    flags: [
      '--bare',
      '--quiet',
      '--object-format=sha1',
      '--object-format=sha256',
      '--ref-format=files',
      '--ref-format=reftable',
    ],
    options: { '--initial-branch': word },
    layout: ['--', 'paths'],
  }),
};
