import { expect, test } from 'vitest';
import { Served } from '../harness.ts';
import { full } from '../seeds.ts';
import { findingsOf, type HostileCase } from './case.ts';
import { entries, odd, oddEntry } from './mutation.ts';

const served = new Served();
/** Those for which git waits are few in the generated ones, and the limit for its silence is long. */
const kinds = full ? Object.keys(odd).filter((as) => !as.includes('FIFO')) : ['an executable file'];
const folders = entries.filter((name) => entries.some((other) => other.startsWith(`${name}/`)));
const calls: HostileCase['calls'] = [
  ...[
    'git_overview',
    'git_status',
    'git_log',
    'git_branch',
    'git_worktrees',
    'git_submodules',
    'git_stashes',
  ],
  ...['git_reflog', 'git_commit', 'git_stash', 'git_checkout', 'git_worktree', 'git_fetch'],
].map((tool) => ({ tool, args: argsOf(tool) }));

function argsOf(tool: string): Readonly<Record<string, unknown>> {
  if (tool === 'git_commit') return { message: 'x', allow_empty: true };
  if (tool === 'git_stash') return { action: 'push' };
  if (tool === 'git_checkout') return { branch_name: 'side', discard_changes: true, confirm: true };
  if (tool === 'git_worktree') return { action: 'add', path: 'tree', revision: 'side', detach: true };
  return tool === 'git_fetch' ? { remote: 'origin' } : {};
}

test.each(kinds.flatMap((as) => (full ? entries : folders).map((name) => [as, name] as const)))(
  '%s as %s is no fault of the server, and does no harm',
  async (as, name) => {
    const findings = await findingsOf(served, {
      ...{ state: 'normal', set: 'all', calls },
      mutations: [oddEntry(name, as)],
    });
    expect(findings).toEqual([]);
  },
);
