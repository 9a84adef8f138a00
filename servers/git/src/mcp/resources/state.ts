import { defined } from '@rootbound/kit/primitives';
import { toGitUri } from '../../call/git-uri.ts';
import type { Opened } from '../../call/open-repository.ts';
import { parseChanges } from '../../porcelain/changes.ts';
import { changesCommand } from '../../porcelain/diff.ts';
import { parseStashes, stashesCommand } from '../../porcelain/stash.ts';
import { isoDate } from '../../reading/history/person.ts';
import { filtersOffIn, filtersOffNotice } from '../../reading/state/filters-off.ts';
import { operationsOf } from '../../reading/state/operations.ts';
import { factsOf, remotesIn } from '../../reading/state/read-overview.ts';
import { readStatus } from '../../reading/state/read-status.ts';
import { branchFacts, entryFacts } from '../../reading/state/status-facts.ts';
import { worktreesOf } from '../../reading/state/worktrees.ts';
import { suppressedIn } from '../../repository/trust.ts';
import { nothingThere, type Read, tooLarge } from './outcome.ts';
import { headFacts } from './refs.ts';

/** Reads the repository itself: its kind, its state, and links to its other resources. */
export async function readRepository(opened: Opened): Promise<Read> {
  const { repository, audit, state } = opened;
  const head = await headFacts(opened);
  const body = {
    path: repository.top,
    kind: repository.kind,
    ...(repository.readOnly && { read_only: true }),
    head,
    facts: factsOf(opened),
    trust: state,
    operations: operationsOf(repository),
    worktrees: await worktreesOf(opened),
    remotes: await remotesIn(opened),
    suppressed: suppressedIn(audit, state),
    links: {
      ...Object.fromEntries(statesOf(opened).map((kind) => [kind, toGitUri(repository.top, { kind })])),
      ...(head.commit !== undefined && {
        commit: toGitUri(repository.top, { kind: 'commit', oid: head.commit }),
      }),
    },
  };
  return { body, tool: 'git_overview' };
}

/** The resources that a repository without a work tree does not have. */
const ofWorkTree = ['status', 'index', 'stash'] as const;

function statesOf({ audit }: Opened) {
  return [...(audit.facts.bare ? [] : ofWorkTree), 'operation', 'refs'] as const;
}

type WorkTreeState = (typeof ofWorkTree)[number];

export async function readState(
  opened: Opened,
  kind: WorkTreeState | 'operation',
  maxOutput: number,
): Promise<Read> {
  if (kind === 'operation')
    return { body: { operations: operationsOf(opened.repository) }, tool: 'git_overview' };
  if (opened.audit.facts.bare) throw nothingThere();
  return readers[kind](opened, maxOutput);
}

const readers: Readonly<Record<WorkTreeState, (opened: Opened, maxOutput: number) => Promise<Read>>> = {
  status: async (opened) => {
    const { branch, stashes, entries, problem } = await readStatus(opened);
    const filtersOff = await filtersOffIn(opened, entries);
    const body = {
      ...branchFacts(branch),
      stashes,
      clean: entries.length === 0,
      entries: entries.map((each) => entryFacts(each, filtersOff)),
      ...defined({ problem, notice: filtersOffNotice(filtersOff.values()) }),
    };
    return { body, tool: 'git_status' };
  },

  /** the changes that a commit would make */
  index: async (opened, maxOutput) => {
    const { stdout, truncated } = await opened.run(changesCommand({ sides: { kind: 'staged' } }));
    const tool = 'git_diff with staged';
    if (truncated) throw tooLarge(tool, maxOutput);
    const staged = parseChanges(stdout).map(({ path, kind, from, new: { mode, oid } }) => {
      return { path, change: kind, ...(from !== undefined && { from: from.path }), mode, oid };
    });
    return { body: { staged }, tool };
  },

  stash: async (opened, maxOutput) => {
    const { stdout, truncated } = await opened.run(stashesCommand());
    const tool = 'git_list with kind stashes';
    if (truncated) throw tooLarge(tool, maxOutput);
    const stashes = parseStashes(stdout).map(({ position, time, ...stash }) => {
      return { name: `stash@{${position}}`, ...stash, date: isoDate(time, undefined) };
    });
    return { body: { stashes }, tool };
  },
};
