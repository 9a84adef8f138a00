import type { Case, Here } from '../case.ts';

const written = ['filter.plain.smudge', 'filter.staying.process'];
const ofMerge = [
  'hooks/pre-merge-commit',
  'hooks/prepare-commit-msg',
  'hooks/commit-msg',
  'hooks/post-merge',
];
const ofRebase = ['hooks/pre-rebase', 'filter.smudged.smudge', 'hooks/post-checkout', 'merge.own.driver'];
const ofPick = ['hooks/prepare-commit-msg', 'hooks/post-commit'];

/** Operations that take commits of one branch to another. */
export const joining: readonly Case[] = [
  {
    name: 'a merge',
    everyday: ['main'],
    places: ['main', 'linked', 'subfolder', 'elsewhere'],
    byHand: () => [['merge', '--no-edit', 'filtered']],
    calls: () => [['git_merge', { revisions: ['filtered'] }]],
    starts: ['merge.own.driver', ...written, ...ofMerge],
  },
  {
    name: 'a merge of a revision that is no name of a branch',
    byHand: () => [['merge', '-m', 'x', 'filtered~0']],
    calls: () => [['git_merge', { revisions: ['filtered~0'], message: 'x' }]],
    starts: ['merge.own.driver', ...written, ...ofMerge],
    differs: ['revisions'],
  },
  {
    name: 'a merge that is not committed',
    byHand: () => [['merge', '--no-commit', 'filtered']],
    calls: () => [['git_merge', { revisions: ['filtered'], no_commit: true }]],
    starts: ['merge.own.driver', ...written],
  },
  {
    name: 'a merge into the index alone',
    byHand: () => [['merge', '--squash', 'filtered']],
    calls: () => [['git_merge', { revisions: ['filtered'], squash: true }]],
    starts: ['merge.own.driver', ...written, 'hooks/post-merge'],
  },
  {
    name: 'a merge that only moves the branch',
    prepare: (here) => void here.git('reset', '-q', '--hard', 'v1~1'),
    byHand: () => [['merge', '--no-edit', 'filtered']],
    calls: () => [['git_merge', { revisions: ['filtered'] }]],
    starts: [...written, 'hooks/post-merge'],
  },
  {
    name: 'a merge of commits whose signatures are wanted',
    prepare: (here) => {
      here.set('merge.verifySignatures', 'true');
      here.git('switch', '-q', 'filtered');
      here.git('commit', '-q', '-S', '--amend', '--no-edit');
      here.git('switch', '-q', here.branch);
    },
    byHand: () => [['merge', '--no-edit', 'filtered']],
    calls: () => [['git_merge', { revisions: ['filtered'] }]],
    starts: ['gpg.program', 'merge.own.driver', ...written, ...ofMerge],
  },
  {
    name: 'a merge with conflicts',
    byHand: () => [['merge', '--no-edit', 'clash']],
    calls: () => [['git_merge', { revisions: ['clash'] }]],
    starts: [],
  },
  {
    name: 'a merge that goes on',
    prepare: (here) => here.settle('merge', 'clash'),
    byHand: () => [['merge', '--continue']],
    calls: () => [['git_continue', { action: 'continue' }]],
    starts: [
      ...['hooks/pre-commit', 'hooks/prepare-commit-msg', 'core.editor', 'hooks/commit-msg'],
      'hooks/post-commit',
    ],
    differs: ['editors'],
  },
  {
    name: 'a merge that is given up',
    prepare: (here) => here.stop('merge', 'clash'),
    byHand: () => [['merge', '--abort']],
    calls: () => [['git_continue', { action: 'abort' }]],
    starts: [],
  },
  {
    name: 'a rebase onto a branch',
    places: ['main', 'linked', 'subfolder'],
    prepare: (here) => here.goAhead(),
    byHand: () => [['rebase', 'side']],
    calls: () => [['git_rebase', { upstream: 'side' }]],
    starts: [...ofRebase, ...ofPick, 'hooks/post-rewrite'],
  },
  {
    name: 'a rebase onto the upstream',
    prepare: (here) => {
      here.goAhead();
      here.git('branch', '-q', '--set-upstream-to=side');
    },
    byHand: () => [['rebase']],
    calls: () => [['git_rebase']],
    starts: [...ofRebase, ...ofPick, 'hooks/post-rewrite'],
  },
  {
    name: 'a rebase of another branch',
    prepare: (here) => here.goAhead(),
    byHand: (here) => [['rebase', here.branch, 'side']],
    calls: (here) => [['git_rebase', { upstream: here.branch, branch: 'side' }]],
    starts: [
      'hooks/pre-rebase',
      'hooks/post-checkout',
      'filter.smudged.smudge',
      'merge.own.driver',
      ...ofPick,
      'hooks/post-rewrite',
    ],
  },
  {
    name: 'a rebase of the commits after a tag',
    prepare: (here) => here.goAhead(),
    byHand: () => [['rebase', '--onto', 'side', 'v1']],
    calls: () => [['git_rebase', { upstream: 'v1', onto: 'side' }]],
    starts: [
      'hooks/pre-rebase',
      'filter.smudged.smudge',
      'hooks/post-checkout',
      ...ofPick,
      'hooks/post-rewrite',
    ],
    differs: ['revisions'],
  },
  {
    name: 'a rebase that folds fixups',
    prepare: (here) => {
      here.goAhead();
      here.write('own.txt', 'own, and more\n');
      here.git('commit', '-qm', 'fixup! own', '--', 'own.txt');
    },
    byHand: () => [['rebase', '-i', '--autosquash', 'side']],
    calls: () => [['git_rebase', { upstream: 'side', autosquash: true }]],
    starts: [...ofRebase, 'sequence.editor', ...ofPick, 'hooks/post-rewrite'],
    differs: ['editors'],
  },
  {
    name: 'a rebase that puts changes aside',
    prepare: (here) => {
      here.goAhead();
      here.write('other.txt', 'changed\n');
    },
    byHand: () => [['rebase', '--autostash', 'side']],
    calls: () => [['git_rebase', { upstream: 'side', autostash: true }]],
    starts: [...ofRebase, ...ofPick, 'hooks/post-rewrite'],
  },
  {
    name: 'a rebase by steps',
    prepare: (here) => {
      here.goAhead();
      here.site.record(here.top, 'sequence.editor', 'dropping');
    },
    byHand: () => [['rebase', '-i', 'side']],
    calls: (here) => [
      [
        'git_rebase',
        {
          upstream: 'side',
          todo: [
            { action: 'drop', commit: here.git('rev-parse', 'HEAD~1') },
            { action: 'pick', commit: here.git('rev-parse', 'HEAD') },
          ],
        },
      ],
    ],
    starts: [
      'hooks/pre-rebase',
      'sequence.editor',
      'filter.smudged.smudge',
      'hooks/post-checkout',
      ...ofPick,
      'hooks/post-rewrite',
    ],
    differs: ['editors'],
  },
  {
    name: 'a rebase that goes on, with commands between its steps',
    everyday: ['linked'],
    prepare: (here) => {
      here.goAhead();
      const program = here.site.recorder.program('rebase-exec', 'hook');
      here.settle('rebase', '-x', `${program} 'a b'`, 'clash');
    },
    byHand: () => [['rebase', '--continue']],
    calls: () => [['git_continue', { action: 'continue' }]],
    starts: [...ofPick, 'core.editor', 'rebase-exec', 'hooks/post-rewrite'],
    differs: ['editors'],
  },
  ...(['skip', 'abort'] as const).map(
    (action): Case => ({
      name: `a rebase that is told to ${action}`,
      prepare: (here: Here) => {
        here.goAhead();
        here.stop('rebase', 'clash');
      },
      byHand: () => [['rebase', `--${action}`]],
      calls: () => [['git_continue', { action }]],
      starts: action === 'skip' ? [...ofPick, 'hooks/post-rewrite'] : [],
    }),
  ),
  {
    name: 'a commit that is picked',
    byHand: () => [['cherry-pick', 'filtered']],
    calls: () => [['git_cherry_pick', { commits: ['filtered'] }]],
    starts: ['merge.own.driver', ...written, ...ofPick],
  },
  {
    name: 'a commit that is picked into the index',
    byHand: () => [['cherry-pick', '-n', 'filtered']],
    calls: () => [['git_cherry_pick', { commits: ['filtered'], no_commit: true }]],
    starts: ['merge.own.driver', ...written],
  },
  {
    name: 'a pick that goes on',
    prepare: (here) => here.settle('cherry-pick', 'clash'),
    byHand: () => [['cherry-pick', '--continue']],
    calls: () => [['git_continue', { action: 'continue' }]],
    starts: ['hooks/pre-commit', 'hooks/commit-msg', ...ofPick],
  },
  {
    name: 'a commit that is taken back',
    prepare: (here) => void here.git('reset', '-q', '--hard', 'filtered'),
    byHand: () => [['revert', '--no-edit', 'HEAD']],
    calls: () => [['git_revert', { commits: ['HEAD'] }]],
    starts: [...written, ...ofPick],
  },
  {
    name: 'patches of a mailbox that go on',
    prepare: (here) => {
      const mailbox = `${here.site.folder}/mailbox`;
      here.goAhead();
      const patches = ['clash', 'HEAD'].map((commit) => here.git('format-patch', '-1', '--stdout', commit));
      here.git('reset', '-q', '--hard', 'HEAD~1');
      here.site.write(mailbox, `${patches.join('\n\n')}\n`);
      here.settle('am', mailbox);
    },
    byHand: () => [['am', '--continue']],
    calls: () => [['git_continue', { action: 'continue' }]],
    starts: ['hooks/applypatch-msg', 'hooks/pre-applypatch', 'hooks/post-applypatch'],
  },
];
