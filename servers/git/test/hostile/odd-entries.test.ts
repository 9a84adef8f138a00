import { expect, test } from 'vitest';
import { Served } from '../harness.ts';
import { full, sampled } from '../seeds.ts';
import { findingsOf, type HostileCase } from './case.ts';
import { entries, odd, oddEntry } from './mutation.ts';

const served = new Served();
/** Those for which git waits are few in the generated ones, and the limit for its silence is long. */
const kinds = full ? Object.keys(odd).filter((as) => !as.includes('FIFO')) : ['an executable file'];
const folders = entries.filter((name) => entries.some((other) => other.startsWith(`${name}/`)));
const calls: HostileCase['calls'] = [
  ...['git_overview', 'git_status', 'git_log', 'git_branch'].map(toCall),
  ...['worktrees', 'submodules', 'stashes', 'reflog'].map((kind) => ({ tool: 'git_list', args: { kind } })),
  ...['git_commit', 'git_stash', 'git_checkout', 'git_worktree', 'git_fetch'].map(toCall),
];

function toCall(tool: string): HostileCase['calls'][number] {
  return { tool, args: argsOf(tool) };
}

function argsOf(tool: string): Readonly<Record<string, unknown>> {
  if (tool === 'git_commit') return { message: 'x', allow_empty: true };
  if (tool === 'git_stash') return { action: 'push' };
  if (tool === 'git_checkout') return { branch_name: 'side', discard_changes: true, confirm: true };
  if (tool === 'git_worktree') return { action: 'add', path: 'tree', revision: 'side', detach: true };
  return tool === 'git_fetch' ? { remote: 'origin' } : {};
}

const cases = kinds.flatMap((as) =>
  (full ? entries : sampled(folders, 3)).map((name) => [as, name] as const),
);
/** Each case takes a third of the calls, and each name takes all of them over its kinds. */
const callsOf = (place: number) => (full ? calls.filter((_, index) => index % 3 === place % 3) : calls);

test.each(cases.map(([as, name], place) => [as, name, place] as const))(
  '%s as %s is no fault of the server, and does no harm',
  async (as, name, place) => {
    const findings = await findingsOf(served, {
      ...{ state: 'normal', set: 'all', calls: callsOf(place) },
      mutations: [oddEntry(name, as)],
    });
    expect(findings).toEqual([]);
  },
);
