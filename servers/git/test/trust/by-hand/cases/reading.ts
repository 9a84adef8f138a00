import type { Call, Case, Here, Place } from '../case.ts';
import type { HandCommand } from '../site.ts';

const withFiles: readonly Place[] = ['main', 'linked', 'elsewhere'];
const everywhere: readonly Place[] = ['main', 'linked', 'bare'];
const monitored = ['core.fsmonitor'];
const cleaned = [...monitored, 'filter.plain.clean', 'filter.staying.process'];

/** Changes files without their size, so that git has to read them, and has programs say what is to be shown. */
function change(here: Here): void {
  if (here.place === 'bare') return;
  here.site.record(here.top, 'core.fsmonitor', 'monitor');
  here.site.record(here.top, 'diff.own.textconv', 'textconv');
  for (const name of ['plain', 'staying', 'diff']) here.write(`a.${name}`, `${name.toUpperCase()}\n`);
}

function reading(
  name: string,
  byHand: HandCommand,
  call: Call,
  starts: readonly string[],
  more: Partial<Case> = {},
): Case {
  return {
    name,
    prepare: change,
    byHand: () => [byHand],
    calls: () => [call],
    starts,
    reads: true,
    places: withFiles,
    ...more,
  };
}

/** Cases that only read. */
export const looking: readonly Case[] = [
  reading('a status', ['status'], ['git_status'], cleaned, { everyday: ['main'] }),
  reading('an overview', ['status'], ['git_overview'], cleaned),
  reading('a diff', ['diff'], ['git_diff'], cleaned.concat('diff.own.textconv'), {
    everyday: ['subfolder'],
    places: [...withFiles, 'subfolder'],
    differs: ['visible'],
  }),
  reading(
    'a diff that another program would show',
    ['diff'],
    ['git_diff'],
    cleaned.concat('diff.own.command'),
    {
      prepare: (here) => {
        change(here);
        here.site.record(here.top, 'diff.own.command', 'hook');
      },
      differs: ['visible'],
    },
  ),
  reading(
    'a diff that another program would show all of',
    ['diff', '--', 'a.diff'],
    ['git_diff', { paths: ['a.diff'] }],
    [...monitored, 'diff.external'],
    {
      prepare: (here) => {
        change(here);
        here.site.record(here.top, 'diff.external', 'hook');
      },
      differs: ['visible'],
    },
  ),
  reading('what is staged', ['diff', '--cached'], ['git_diff', { staged: true }], monitored),
  reading(
    'a commit whose signature is to be shown',
    ['show', 'signed'],
    ['git_show', { revision: 'signed' }],
    ['gpg.program'],
    {
      places: ['main'],
      prepare: (here) => {
        here.set('log.showSignature', 'true');
        here.git('branch', 'signed', here.git('commit-tree', '-S', '-m', 'signed', 'HEAD^{tree}'));
      },
      differs: ['visible'],
    },
  ),
  reading(
    'a log by what changes',
    ['log', '-Gdiff'],
    ['git_log', { changed_lines: 'diff' }],
    ['diff.own.textconv'],
    {
      places: ['main', 'linked'],
      differs: ['visible'],
    },
  ),
  reading(
    'who wrote a file',
    ['blame', 'a.plain'],
    ['git_blame', { path: 'a.plain' }],
    [...monitored, 'filter.plain.clean'],
  ),
  reading(
    'who wrote a file that is converted',
    ['blame', 'a.diff'],
    ['git_blame', { path: 'a.diff' }],
    [...monitored, 'diff.own.textconv'],
    {
      differs: ['visible'],
    },
  ),
  reading('stashes', ['stash', 'list'], ['git_list', { kind: 'stashes' }], []),
  reading('a search', ['grep', 'a'], ['git_search', { pattern: 'a' }], monitored),
  reading('the files of the index', ['ls-files'], ['git_list_files', { staged: true }], monitored),
  reading(
    'a merge that is only tried',
    ['merge-tree', '--write-tree', 'main', 'filtered'],
    ['git_conflicts', { merge: 'filtered', into: 'main' }],
    ['merge.own.driver'],
    { places: ['main', 'linked'] },
  ),
  ...(
    [
      ['branches', ['branch', '-av'], ['git_branch', { branch_type: 'all' }]],
      ['tags', ['tag', '-n'], ['git_list', { kind: 'tags', messages: true }]],
      ['a log', ['log'], ['git_log']],
      ['moves of HEAD', ['reflog'], ['git_list', { kind: 'reflog' }]],
      ['a commit', ['show', 'side'], ['git_show', { revision: 'side' }]],
      [
        'a file of a commit',
        ['show', 'HEAD:a.plain'],
        ['git_read_file', { path: 'a.plain', revision: 'HEAD' }],
      ],
      ['the files of a commit', ['ls-tree', 'HEAD'], ['git_list_files', { revision: 'HEAD' }]],
      ['work trees', ['worktree', 'list'], ['git_list', { kind: 'worktrees' }]],
    ] as const
  ).map(([name, byHand, call]) => reading(name, byHand, call, [], { places: everywhere })),
];
