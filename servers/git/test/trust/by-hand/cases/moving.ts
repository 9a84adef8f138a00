import type { Case, Here } from '../case.ts';

const written = ['filter.plain.smudge', 'filter.staying.process'];
const cleaned = ['filter.plain.clean', 'filter.staying.process'];

const putAside = (here: Here): void => {
  here.change();
  here.git('stash', 'push', '-q');
};

/** Cases that move HEAD, branches, files and work trees. */
export const moving: readonly Case[] = [
  {
    name: 'a switch to a branch',
    everyday: ['elsewhere'],
    places: ['main', 'linked', 'subfolder', 'elsewhere'],
    byHand: () => [['switch', 'filtered']],
    calls: () => [['git_checkout', { branch_name: 'filtered' }]],
    starts: [...written, 'hooks/post-checkout'],
  },
  {
    name: 'a switch to a new branch',
    byHand: () => [['switch', '-c', 'new']],
    calls: () => [['git_checkout', { branch_name: 'new', create: true }]],
    starts: ['hooks/post-checkout'],
  },
  {
    name: 'a switch to a new branch elsewhere',
    byHand: () => [['switch', '-c', 'new', 'filtered']],
    calls: () => [['git_checkout', { branch_name: 'new', create: true, base: 'filtered' }]],
    starts: [...written, 'hooks/post-checkout'],
    differs: ['revisions'],
  },
  {
    name: 'a switch to a commit',
    byHand: () => [['switch', '--detach', 'filtered']],
    calls: () => [['git_checkout', { branch_name: 'filtered', detach: true }]],
    starts: [...written, 'hooks/post-checkout'],
    differs: ['revisions'],
  },
  ...(['soft', 'keep'] as const).map(
    (mode): Case => ({
      name: `a reset that is ${mode}`,
      byHand: () => [['reset', `--${mode}`, 'filtered']],
      calls: () => [['git_reset', { mode, revision: 'filtered' }]],
      starts: mode === 'keep' ? written : [],
      differs: mode === 'keep' ? ['revisions'] : [],
    }),
  ),
  {
    name: 'a reset of the index',
    prepare: (here) => here.stage(),
    byHand: () => [['reset', 'v1~1']],
    calls: () => [['git_reset', { mode: 'mixed', revision: 'v1~1' }]],
    starts: cleaned,
    differs: ['kept'],
  },
  {
    name: 'a reset of all',
    prepare: (here) => here.change(),
    byHand: () => [['reset', '--hard', 'filtered']],
    calls: () => [['git_reset', { mode: 'hard', revision: 'filtered', confirm: true }]],
    starts: [...cleaned, ...written],
    differs: ['revisions', 'kept', 'looks'],
  },
  {
    name: 'files that are restored',
    everyday: ['main'],
    prepare: (here) => here.change(),
    byHand: () => [['restore', 'a.plain', 'a.staying']],
    calls: () => [['git_restore', { paths: ['a.plain', 'a.staying'], confirm: true }]],
    starts: [...cleaned, ...written, 'hooks/post-checkout'],
    differs: ['kept', 'looks'],
  },
  {
    name: 'files that are restored from a commit',
    byHand: () => [['restore', '--source=filtered', '--staged', '--worktree', '.']],
    calls: () => [
      ['git_restore', { paths: ['.'], source: 'filtered', staged: true, worktree: true, confirm: true }],
    ],
    starts: [...written, 'hooks/post-checkout'],
    differs: ['revisions', 'looks'],
  },
  {
    name: 'changes that are put aside',
    prepare: (here) => here.change(),
    byHand: () => [['stash', 'push']],
    calls: () => [['git_stash', { action: 'push' }]],
    starts: [...cleaned, ...written],
    differs: ['looks'],
  },
  {
    name: 'changes that are put aside, with what is not tracked',
    prepare: (here) => {
      here.change();
      here.write('new.plain', 'new\n');
    },
    byHand: () => [['stash', 'push', '-u']],
    calls: () => [['git_stash', { action: 'push', include_untracked: true }]],
    starts: [...cleaned, ...written],
    differs: ['looks'],
  },
  {
    name: 'changes that come back and stay aside',
    prepare: putAside,
    byHand: () => [['stash', 'apply', '-q']],
    calls: () => [['git_stash', { action: 'apply' }]],
    starts: written,
  },
  {
    name: 'changes that come back',
    prepare: putAside,
    byHand: () => [['stash', 'pop', '-q']],
    calls: () => [['git_stash', { action: 'pop' }]],
    starts: written,
  },
  {
    name: 'changes that come back on a branch',
    prepare: putAside,
    byHand: () => [['stash', 'branch', 'new']],
    calls: () => [['git_stash', { action: 'branch', branch_name: 'new' }]],
    starts: [...written, ...cleaned, 'hooks/post-checkout'],
  },
  {
    name: 'changes that are dropped, and stored again',
    prepare: (here) => {
      putAside(here);
      here.git('branch', 'kept', 'stash');
    },
    byHand: () => [
      ['stash', 'drop'],
      ['stash', 'store', '-m', 'x', 'kept'],
    ],
    calls: () => [
      ['git_stash', { action: 'drop' }],
      ['git_stash', { action: 'store', stash: 'kept', message: 'x' }],
    ],
    starts: [],
  },
  ...(['main', 'linked', 'subfolder', 'bare'] as const).flatMap((place) =>
    ([false, true] as const).map(
      (create): Case => ({
        name: create ? 'a work tree that is added with a new branch' : 'a work tree that is added',
        places: [place],
        byHand: (here) => [
          ['worktree', 'add', ...(create ? ['-b', 'new'] : []), here.beside('more'), 'filtered'],
        ],
        calls: (here) => [
          [
            'git_worktree',
            {
              ...{ action: 'add', path: here.beside('more') },
              ...(create ? { branch_name: 'new', create, base: 'filtered' } : { branch_name: 'filtered' }),
            },
          ],
        ],
        // the bare one has no filters set up
        starts: [...(place === 'bare' ? [] : [...written, 'filter.smudged.smudge']), 'hooks/post-checkout'],
      }),
    ),
  ),
  {
    name: 'branches that are made, renamed, moved, given an upstream, and deleted',
    everyday: ['bare'],
    places: ['main', 'linked', 'bare'],
    byHand: () => [
      ['branch', 'new', 'side'],
      ['branch', '-m', 'new', 'newer'],
      ['branch', '-f', 'newer', 'filtered'],
      ['branch', '--set-upstream-to=side', 'newer'],
      ['branch', '-D', 'newer'],
    ],
    calls: () => [
      ['git_create_branch', { branch_name: 'new', base_branch: 'side' }],
      ['git_update_branch', { branch_name: 'new', action: 'rename', new_name: 'newer' }],
      ['git_update_branch', { branch_name: 'newer', action: 'move', revision: 'filtered', confirm: true }],
      ['git_update_branch', { branch_name: 'newer', action: 'set_upstream', upstream: 'side' }],
      ['git_update_branch', { branch_name: 'newer', action: 'delete', confirm: true }],
    ],
    starts: [],
  },
  {
    name: 'a remote that is renamed and removed',
    places: ['main', 'linked'],
    byHand: () => [
      ['remote', 'rename', 'origin', 'other'],
      ['remote', 'remove', 'other'],
    ],
    calls: () => [
      ['git_remote', { action: 'rename', name: 'origin', new_name: 'other' }],
      ['git_remote', { action: 'remove', name: 'other' }],
    ],
    starts: [],
  },
  {
    name: 'a search by halves',
    byHand: () => [
      ['bisect', 'start', 'HEAD', 'v1~1'],
      ['bisect', 'reset'],
    ],
    calls: () => [
      ['git_bisect', { action: 'start', bad: 'HEAD', good: ['v1~1'] }],
      ['git_bisect', { action: 'reset' }],
    ],
    starts: ['hooks/post-checkout'],
  },
  {
    name: 'a search by halves where the files are elsewhere',
    places: ['elsewhere'],
    from: ({ files }) => files,
    byHand: ({ top, files }) => [
      [`--git-dir=${top}/.git`, `--work-tree=${files}`, 'bisect', 'start', 'HEAD', 'v1~1'],
    ],
    calls: () => [['git_bisect', { action: 'start', bad: 'HEAD', good: ['v1~1'] }]],
    starts: [],
  },
  {
    name: 'a conflict that is settled by a side',
    prepare: (here) => here.stop('merge', 'clash'),
    byHand: (here) => [
      ['update-index', '--cacheinfo', `100644,${here.git('rev-parse', `${here.branch}:file.txt`)},file.txt`],
      ['restore', '--worktree', 'file.txt'],
    ],
    calls: () => [['git_resolve', { paths: ['file.txt'], side: 'ours' }]],
    starts: ['hooks/post-checkout'],
  },
  {
    name: 'a conflict that is settled by a text',
    prepare: (here) => here.stop('merge', 'clash'),
    byHand: () => [['add', 'file.txt']],
    calls: () => [['git_resolve', { paths: ['file.txt'], content: 'one\nboth\nthree\n' }]],
    starts: [],
  },
];
