import { count, type Hook, hooked, line, long, oid, rule, text, word } from './verb-rule.ts';

const steps = ['--continue', '--skip', '--abort', '--quit'] as const;

const onIndex: readonly Hook[] = ['post-index-change'];
const onRefs: readonly Hook[] = ['reference-transaction'];
const onBoth: readonly Hook[] = [...onRefs, ...onIndex];
const onCheckout: readonly Hook[] = ['post-checkout', ...onBoth];
const onMessage: readonly Hook[] = ['prepare-commit-msg', 'commit-msg'];
const onPick: readonly Hook[] = ['pre-commit', ...onMessage, 'post-commit', ...onBoth];

const index = { writes: true, ...long, hooks: onIndex } as const;
const work = { writes: true, ...hooked, acts: true } as const;
const script = { ...work, scripted: true } as const;
const records = {
  writes: true,
  ...hooked,
  hooks: onRefs,
  carried: true,
  layout: ['names', 'revisions'],
} as const;
/** Changes a file of settings by its path, without a repository. */
const onFile = { writes: true, options: { '--file': text }, layout: ['--', 'names'] } as const;
const pathsOnly = { layout: ['--', 'paths'], bulk: 'pathspec' } as const;

/** Verbs that change the index, the work tree, references or history, and use no network. */
export const changing = {
  add: rule({
    ...index,
    ...pathsOnly,
    flags: ['--update', '--intent-to-add', '--force', '--renormalize', '--sparse', '--dry-run'],
  }),
  rm: rule({ ...index, ...pathsOnly, flags: ['--force', '--quiet'] }),
  restore: rule({
    ...work,
    hooks: onCheckout,
    ...pathsOnly,
    always: ['--no-recurse-submodules'],
    flags: ['--staged', '--worktree', '--ours', '--theirs', '--merge', '--quiet'],
    options: { '--source': oid },
  }),
  reset: rule({
    ...work,
    hooks: onBoth,
    always: ['--no-recurse-submodules'],
    flags: ['--soft', '--mixed', '--hard', '--keep', '--quiet'],
    layout: ['revisions', '--', 'paths'],
    bulk: 'pathspec',
  }),
  clean: rule({
    ...work,
    flags: ['--force', '-d', '-x', '--quiet'],
    layout: ['--', 'paths'],
  }),
  apply: rule({
    ...index,
    flags: ['--cached', '--index', '--reverse', '--check', '--whitespace=nowarn', '--no-ignore-whitespace'],
    layout: [],
  }),
  // its entries come over stdin: `--index-info` must be the last argument
  'update-index': rule({ ...index, flags: ['-z', '--index-info'], layout: [] }),
  'hash-object': rule({ always: ['--stdin', '--no-filters'], flags: ['-w'], writes: true, layout: [] }),
  'config --add': rule(onFile),
  'config --unset-all': rule(onFile),
  'config --rename-section': rule(onFile),
  'config --remove-section': rule(onFile),
  'symbolic-ref HEAD': rule({ ...records, layout: ['names'] }),

  commit: rule({
    ...work,
    hooks: [...onPick, 'post-rewrite'],
    ...pathsOnly,
    flags: [
      '--file=-',
      '--amend',
      '--no-edit',
      '--allow-empty',
      '--no-verify',
      '--all',
      '--only',
      '--signoff',
      '--quiet',
      '--gpg-sign',
      '--no-gpg-sign',
      '--cleanup=verbatim',
    ],
    options: { '--message': text, '--author': line, '--date': line, '--gpg-sign': word },
  }),
  branch: rule({
    ...records,
    heads: true,
    flags: ['--force', '--delete', '--move', '--track', '--no-track', '--unset-upstream'],
    options: { '--set-upstream-to': word },
  }),
  tag: rule({
    ...records,
    flags: ['--annotate', '--delete', '--force', '--sign', '--no-sign', '--file=-', '--cleanup=verbatim'],
  }),
  switch: rule({
    ...work,
    hooks: onCheckout,
    always: ['--no-recurse-submodules'],
    flags: [
      '--detach',
      '--discard-changes',
      '--track',
      '--no-track',
      '--no-guess',
      '--progress',
      '--quiet',
      '--no-overwrite-ignore',
    ],
    options: { '--create': word },
    layout: ['names', 'revisions'],
  }),
  merge: rule({
    ...work,
    hooks: ['pre-merge-commit', 'post-merge', ...onPick],
    flags: [
      '--ff',
      '--no-ff',
      '--ff-only',
      '--squash',
      '--no-squash',
      '--commit',
      '--no-commit',
      '--no-edit',
      '--allow-unrelated-histories',
      '--no-stat',
      '--no-autostash',
      '--cleanup=verbatim',
      '--progress',
      '--abort',
      '--quit',
      '--strategy-option=ours',
      '--strategy-option=theirs',
      '--strategy-option=ignore-all-space',
    ],
    options: { '--message': text },
    layout: ['names', 'revisions'],
  }),
  rebase: rule({
    ...work,
    hooks: ['pre-rebase', 'post-checkout', 'post-rewrite', ...onPick],
    flags: [
      ...steps,
      '--merge',
      '--interactive',
      '--autosquash',
      '--no-autosquash',
      '--autostash',
      '--no-autostash',
      '--update-refs',
      '--no-update-refs',
      '--no-fork-point',
      '--no-stat',
    ],
    options: { '--onto': oid },
    layout: ['revisions', 'names'],
  }),
  'cherry-pick': rule({
    ...work,
    hooks: onPick,
    flags: [...steps, '--cleanup=verbatim', '--no-commit', '-x'],
    options: { '--mainline': count },
    layout: ['revisions'],
  }),
  revert: rule({
    ...work,
    hooks: onPick,
    flags: [...steps, '--cleanup=verbatim', '--no-commit', '--no-edit'],
    options: { '--mainline': count },
    layout: ['revisions'],
  }),
  // only of a sequence in progress: a mailbox is never read
  am: rule({
    ...work,
    hooks: ['applypatch-msg', 'pre-applypatch', 'post-applypatch', ...onBoth],
    flags: steps,
    layout: [],
  }),
  // its message comes over stdin
  'commit-tree': rule({ writes: true, options: { '-p': oid }, layout: ['revisions'] }),

  'stash push': rule({
    ...work,
    hooks: onBoth,
    ...pathsOnly,
    flags: ['--keep-index', '--no-keep-index', '--include-untracked', '--staged', '--quiet'],
    options: { '--message': text },
  }),
  'stash apply': rule({ ...work, hooks: onBoth, flags: ['--index', '--quiet'], layout: ['names'] }),
  'stash create': rule({ ...work, layout: [] }),
  'stash drop': rule({ ...work, hooks: onRefs, carried: true, flags: ['--quiet'], layout: ['names'] }),
  'stash branch': rule({ ...work, hooks: onCheckout, layout: ['names'] }),
  'stash store': rule({ ...records, flags: ['--quiet'], options: { '--message': line } }),

  'worktree add': rule({
    pathspecs: false,
    ...work,
    hooks: ['post-checkout', ...onRefs],
    heads: true,
    makes: ['worktrees'],
    flags: ['--detach', '--no-track', '--quiet', '--no-guess-remote'],
    options: { '-b': word },
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
  'worktree prune': rule({ ...work, heads: true, layout: [] }),
  'worktree repair': rule({
    pathspecs: false,
    ...work,
    heads: true,
    makes: ['worktrees'],
    layout: ['--', 'paths'],
  }),

  'bisect start': rule({ ...script, hooks: onCheckout, layout: ['revisions', '--', 'paths'] }),
  'bisect good': rule({ ...script, hooks: onCheckout, layout: ['revisions'] }),
  'bisect bad': rule({ ...script, hooks: onCheckout, layout: ['revisions'] }),
  'bisect skip': rule({ ...script, hooks: onCheckout, layout: ['revisions'] }),
  'bisect reset': rule({ ...script, hooks: onCheckout, layout: ['names'] }),

  'submodule init': rule({ ...script, carried: true, layout: ['--', 'paths'] }),
  'submodule sync': rule({ ...script, carried: true, enters: true, layout: ['--', 'paths'] }),
  'submodule absorbgitdirs': rule({
    ...script,
    enters: true,
    makes: ['modules'],
    layout: ['--', 'paths'],
  }),
  'submodule deinit': rule({ ...script, flags: ['--force'], layout: ['--', 'paths'] }),

  'remote add': rule({ ...records, hooks: [] }),
  'remote remove': rule(records),
  'remote rename': rule(records),
  'remote set-url': rule({ ...records, hooks: [], flags: ['--push'] }),
  init: rule({
    pathspecs: false,
    writes: true,
    carried: true,
    flags: ['--bare', '--quiet', '--object-format=sha1', '--object-format=sha256'],
    options: { '--initial-branch': word },
    layout: ['--', 'paths'],
  }),
};
