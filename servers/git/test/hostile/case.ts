import * as fc from 'fast-check';
import { call, type Served } from '../harness.ts';
import { rows } from '../proofs/hostile-calls.ts';
import { type Kind, type Mutation, mutations } from './mutation.ts';
import { type HostileSite, siteOf } from './site.ts';
import { everyState } from './states.ts';

/** A call of a tool, with what it needs besides the repository. */
interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A repository that somebody hostile has made, and the calls that read what is hostile in it. */
export interface HostileCase {
  readonly state: string;
  readonly mutations: readonly Mutation[];
  readonly calls: readonly Call[];
  readonly set: (typeof sets)[number];
}

const sets = ['read-only', 'default', 'all'] as const;

const looking = /overview|status|diff|log|show|blame|branch$|list|read_file|search|conflicts|repositories/;
const NOT_OF_REPOSITORIES = ['git_init', 'git_clone', 'git_trust'];
const all = Object.keys(rows).filter((tool) => !NOT_OF_REPOSITORIES.includes(tool));

const confirm = true;
/** Of tools that do several things, the others. */
const others: Readonly<Record<string, readonly Call['args'][]>> = {
  git_list: ['stashes', 'worktrees', 'submodules', 'reflog'].map((kind) => ({ kind })),
  git_continue: [{ action: 'continue' }, { action: 'skip', confirm }, { action: 'skip', confirm }],
  git_bisect: [{ action: 'reset' }, { action: 'bad' }],
  git_stash: [{ action: 'pop' }, { action: 'apply' }],
  git_worktree: [{ action: 'add', path: 'tree', revision: 'side', detach: true }],
  git_resolve: [{ paths: ['a'], side: 'ours' }],
  git_rebase: [{ upstream: 'HEAD~1' }],
  git_pull: [{ strategy: 'rebase' }],
};
const callsOf = (tool: string): Call[] =>
  [rows[tool]!.args ?? {}, ...(others[tool] ?? [])].map((args) => ({ tool, args }));

const those = (pattern: RegExp): string[] => all.filter((tool) => pattern.test(tool));

/** The tools whose calls make git read what a kind of mutation touches. */
const readersOf: Readonly<Record<Kind, readonly string[]>> = {
  config: all,
  attributes: those(
    /status|diff|add|commit|checkout|merge|stash|restore|reset|blame|show|log|search|list|worktree|pull|pick|revert/,
  ),
  hook: those(
    /add|commit|checkout|merge|rebase|pick|revert|pull|push|fetch|stash|worktree|reset|restore|continue|branch|tag/,
  ),
  state: those(
    /status|overview|conflicts|continue|resolve|rebase|merge|pick|revert|bisect|checkout|commit|reset|stash|pull/,
  ),
  pointer: all,
  entry: all,
  submodule: those(
    /status|diff|overview|submodules|add|commit|checkout|stash|pull|fetch|restore|list|search|worktree|clean/,
  ),
};

/** Where git reads state files. */
const inProgress = everyState.filter((state) => state.endsWith('ing'));

const MOST_CALLS = 8;

/** The cases of some kinds of mutations. */
export function casesOf(kinds: readonly Kind[]): fc.Arbitrary<HostileCase> {
  const mutation = fc.oneof(...kinds.map((kind) => mutations[kind]));
  return fc
    .tuple(fc.nat(), fc.array(mutation, { minLength: 1, maxLength: 3 }), fc.constantFrom(...sets))
    .chain(([at, mutated, drawn]) => {
      const acts = mutated.some(({ kind }) => kind === 'state');
      const states = acts ? inProgress : everyState;
      const state = states[at % states.length]!;
      // what goes on with a sequence is of no smaller set
      const set = acts && drawn === 'default' ? 'all' : drawn;
      const reading = [...new Set(mutated.flatMap(({ kind }) => readersOf[kind]))];
      const open = set === 'read-only' ? reading.filter((tool) => looking.test(tool)) : reading;
      const calls = open.flatMap(callsOf);
      const length = Math.min(MOST_CALLS - 1, calls.length);
      return fc
        .tuple(
          // first, before another call ends what is in progress
          fc.constantFrom(...callsOf('git_continue')),
          fc.shuffledSubarray(calls, { minLength: length, maxLength: length }),
        )
        .map(([first, rest]) => ({
          ...{ state, set, mutations: mutated },
          calls: acts ? [first, ...rest] : rest,
        }));
    });
}

/** A case in words, for a report. */
export function wordsOf({ state, mutations: mutated, calls, set }: HostileCase): string {
  return `${state}: ${mutated.map(({ what }) => what).join('; ')} (${set}: ${JSON.stringify(calls)})`;
}

/** Applies a mutation, as far as an earlier one has left a place for it. */
function applyWhere(mutation: Mutation, site: HostileSite): void {
  try {
    mutation.apply(site);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!noPlace.includes(code)) throw error;
  }
}

const noPlace: readonly unknown[] = ['EEXIST', 'EISDIR', 'ELOOP', 'ENOENT', 'ENOTDIR'];

/** Makes the repository of a case and calls its tools: what was run, reached or told that must not be. */
export async function findingsOf(served: Served, given: HostileCase): Promise<string[]> {
  const site = siteOf(given.state);
  try {
    for (const mutation of given.mutations) applyWhere(mutation, site);
    const watched = site.watch();
    const client = await served.client([site.root], {
      readOnly: given.set === 'read-only',
      ...(given.set === 'default' && { tools: ['read', 'write'] }),
    });
    const offered = new Set((await client.listTools()).map(({ name }) => name));
    const findings: string[] = [];
    for (const { tool, args } of given.calls.filter((each) => offered.has(each.tool))) {
      const { result } = await call(client, tool, { repo_path: site.top, ...args }).catch(
        (cause: unknown) => {
          throw new Error(`${tool} did not answer: ${String(cause)}`, { cause });
        },
      );
      const seen = watched.ran();
      if (JSON.stringify(result).includes(site.token)) seen.push('told what is outside');
      findings.push(...seen.map((each) => `${tool} ${each}`));
      if (findings.length > 0) break;
    }
    await client.close();
    return [
      ...(findings.length > 0 ? findings : watched.damage()),
      ...served.faults.splice(0).map((fault) => `a fault of the server: ${String(fault)}`),
    ];
  } finally {
    site.remove();
  }
}
