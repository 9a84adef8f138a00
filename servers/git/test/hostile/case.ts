import * as fc from 'fast-check';
import { call, type Served } from '../harness.ts';
import { rows } from '../proofs/hostile-calls.ts';
import { type Kind, type Mutation, mutations } from './mutation.ts';
import { siteOf } from './site.ts';
import { everyState } from './states.ts';

/** A repository that somebody hostile has made, and the calls that read what is hostile in it. */
export interface HostileCase {
  readonly state: string;
  readonly mutations: readonly Mutation[];
  readonly tools: readonly string[];
  readonly set: (typeof sets)[number];
}

const sets = ['read-only', 'default', 'all'] as const;

const looking =
  /overview|status|diff|log|show|blame|branch$|tags|stashes|worktrees|submodules|reflog|list_files|read_file|search|conflicts|repositories/;
const all = Object.keys(rows).filter(
  (tool) => tool !== 'git_init' && tool !== 'git_clone' && tool !== 'git_trust',
);
const those = (pattern: RegExp): string[] => all.filter((tool) => pattern.test(tool));

/** The tools whose calls make git read what a kind of mutation touches. */
const readersOf: Readonly<Record<Kind, readonly string[]>> = {
  config: all,
  attributes: those(
    /status|diff|add|commit|checkout|merge|stash|restore|reset|blame|show|log|search|list_files|worktree|pull|pick|revert/,
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
    /status|diff|overview|submodules|add|commit|checkout|stash|pull|fetch|restore|list_files|search|worktree|clean/,
  ),
};

const MOST_CALLS = 8;

/** The cases of some kinds of mutations. */
export function casesOf(kinds: readonly Kind[]): fc.Arbitrary<HostileCase> {
  const mutation = fc.oneof(...kinds.map((kind) => mutations[kind]));
  return fc
    .tuple(
      fc.constantFrom(...everyState),
      fc.array(mutation, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...sets),
    )
    .chain(([state, mutated, set]) => {
      const reading = [...new Set(mutated.flatMap(({ kind }) => readersOf[kind]))];
      const open = set === 'read-only' ? reading.filter((tool) => looking.test(tool)) : reading;
      return fc
        .shuffledSubarray(open, { minLength: Math.min(MOST_CALLS, open.length), maxLength: MOST_CALLS })
        .map((tools) => ({ state, mutations: mutated, tools, set }));
    });
}

/** A case in words, for a report. */
export function wordsOf({ state, mutations: mutated, tools, set }: HostileCase): string {
  return `${state}: ${mutated.map(({ what }) => what).join('; ')} (${set}: ${tools.join(', ')})`;
}

/** Makes the repository of a case and calls its tools: what was run, reached or told that must not be. */
export async function findingsOf(served: Served, given: HostileCase): Promise<string[]> {
  const site = siteOf(given.state);
  try {
    for (const mutation of given.mutations) mutation.apply(site);
    const client = await served.client([site.root], {
      readOnly: given.set === 'read-only',
      ...(given.set === 'default' && { tools: ['read', 'write'] }),
    });
    const offered = new Set((await client.listTools()).map(({ name }) => name));
    const findings: string[] = [];
    for (const tool of given.tools.filter((name) => offered.has(name))) {
      const { result } = await call(client, tool, { repo_path: site.top, ...rows[tool]!.args });
      const seen = site.damage();
      if (JSON.stringify(result).includes(site.token)) seen.push('told what is outside');
      findings.push(...seen.map((each) => `${tool} ${each}`));
      if (findings.length > 0) break;
    }
    await client.close();
    return [...findings, ...served.faults.splice(0).map((fault) => `a fault of the server: ${fault}`)];
  } finally {
    site.remove();
  }
}
