import { ToolError } from '@rootbound/protocol';
import { hookOutput } from './hook-output.ts';
import type { Verb } from './verbs.ts';

/** A run that ended with another status than success, and the hooks that it had to run. */
export interface Ending {
  readonly verb: Verb;
  readonly args: readonly string[];
  readonly hooks: readonly string[];
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The hooks after whose failure git stops, or whose status it takes for its own. */
const refusing: ReadonlySet<string> = new Set([
  ...['applypatch-msg', 'commit-msg', 'post-checkout', 'pre-applypatch', 'pre-commit', 'pre-merge-commit'],
  ...['pre-push', 'pre-rebase', 'prepare-commit-msg', 'reference-transaction'],
]);

/** The hooks of which git itself tells that they refused. */
const announced: readonly (readonly [hook: string, words: RegExp])[] = [
  ['reference-transaction', /\bref updates aborted by (?:hook|the reference-transaction hook)/],
  ['pre-rebase', /^(?:fatal|error): The pre-rebase hook refused to rebase/m],
  ['prepare-commit-msg', /^error: 'prepare-commit-msg' hook failed/m],
  ['commit-msg', /^error: 'commit-msg' hook failed/m],
  ['pre-commit', /^error: 'pre-commit' hook failed/m],
];

/** A verb that ends with status 1 and without a reason of its own after the refusal of a hook. */
interface Silent {
  readonly verbs: readonly Verb[];
  readonly hooks: readonly string[];
  readonly isSo: (ending: Ending) => boolean;
}

const committing = ['pre-commit', 'prepare-commit-msg', 'commit-msg'];

/** Hooks print to git's stderr, except pre-push, so stdout has git's own words alone. */
const silent: readonly Silent[] = [
  {
    verbs: ['commit'],
    hooks: committing,
    isSo: ({ stdout, stderr }) =>
      !/^(?:nothing (?:added )?to commit|no changes added to commit)/m.test(stdout) &&
      !/^(?:Aborting commit|You asked to amend|The previous cherry-pick is now empty)/m.test(stderr),
  },
  {
    verbs: ['merge', 'cherry-pick', 'revert'],
    hooks: committing,
    // git commits what was resolved, and then goes on
    isSo: ({ args, stderr }) =>
      args.includes('--continue') && !/^(?:error: could not (?:apply|revert)|Aborting commit)/m.test(stderr),
  },
  {
    verbs: ['merge'],
    hooks: ['pre-merge-commit', 'prepare-commit-msg', 'commit-msg'],
    isSo: ({ stderr }) =>
      /^Not committing merge; use 'git commit'/m.test(stderr) && !/^Empty commit message\./m.test(stderr),
  },
  { verbs: ['am'], hooks: ['applypatch-msg', 'pre-applypatch'], isSo: () => true },
  {
    verbs: ['push'],
    hooks: ['pre-push'],
    // once the hook has agreed, git packs objects, and says so
    isSo: ({ stdout, stderr }) =>
      !/^(?:Enumerating objects|Total \d|error: src refspec)/m.test(stderr) && !/^[ +*!=-]\t/m.test(stdout),
  },
  {
    verbs: ['stash branch'],
    hooks: ['post-checkout'],
    isSo: ({ stdout, stderr }) => /^Switched to /m.test(stderr) && !/^CONFLICT /m.test(stdout),
  },
  {
    verbs: ['bisect start', 'bisect good', 'bisect bad', 'bisect skip'],
    hooks: ['post-checkout'],
    isSo: ({ stdout, stderr }) =>
      /^Bisecting: /m.test(stdout) && !/^error: (?:Your local changes|The following untracked)/m.test(stderr),
  },
  {
    verbs: ['bisect reset'],
    hooks: ['post-checkout'],
    isSo: ({ stderr }) => /^error: could not check out original HEAD/m.test(stderr),
  },
];

/** Lines of git around the output of a hook. */
const ofGit: readonly RegExp[] = [
  /^(?:fatal|error): (?:ref updates aborted by |The pre-rebase hook refused|failed to push some refs to )/,
  /^error: '[a-z-]{1,40}' hook failed/,
  /^fatal: (?:cherry-pick|revert) failed/,
  /^(?:Not committing merge|hint:|Could not apply|Preparing worktree|Applying:)/,
];

/** Returns the failure of a run that a hook refused; undefined where git failed, or both are possible. */
export function hookRefusal(ending: Ending): ToolError | undefined {
  const { verb, status, stderr } = ending;
  const candidates = ending.hooks.filter((name) => refusing.has(plainName(name)));
  // the hook may be one of the repository that a push goes to
  const isThere = (hook: string) => verb === 'push' || candidates.some((name) => plainName(name) === hook);
  const row = announced.find(([hook, words]) => isThere(hook) && words.test(stderr));
  if (row !== undefined) return refusedBy(ending, [row[0]]);
  if (status !== 1) return undefined;
  for (const { verbs, hooks, isSo } of silent) {
    const left = candidates.filter((name) => hooks.includes(plainName(name)));
    if (left.length > 0 && verbs.includes(verb) && isSo(ending)) return refusedBy(ending, left);
  }
  return undefined;
}

/** Returns the same where git gives no reason of its own, or ends with a status that is none of its own. */
export function likelyRefusal(ending: Ending): ToolError | undefined {
  const { verb, hooks, status, stderr } = ending;
  const judged = silent.flatMap((row) => (row.verbs.includes(verb) ? row.hooks : []));
  const candidates = hooks.filter(
    (name) => refusing.has(plainName(name)) && !judged.includes(plainName(name)),
  );
  const ofHook = status === 1 ? !/^(?:fatal|error):/m.test(stderr) : !isOwnStatus(status);
  return ofHook && candidates.length > 0 ? refusedBy(ending, candidates) : undefined;
}

/** Returns whether git itself ends so; a bisect has some statuses more, and signals are above 128. */
function isOwnStatus(status: number): boolean {
  return status <= 11 || status >= 125;
}

function refusedBy({ verb, stdout, stderr }: Ending, candidates: readonly string[]): ToolError {
  const hook = candidates.length === 1 ? `the hook ${candidates[0]}` : `a hook (${candidates.join(' or ')})`;
  const did = candidates[0] === 'post-checkout' && candidates.length === 1 ? 'failed' : 'refused the change';
  // pre-push writes to the output of git
  const lines = `${verb === 'push' ? stdout : ''}\n${stderr}`.split('\n');
  const words = hookOutput(lines.filter((line) => !ofGit.some((each) => each.test(line))).join('\n'));
  return new ToolError(
    `git ${verb}: ${hook} ${did}${words === undefined ? ', and printed nothing' : `\n${words}`}`,
    { code: 'hook-rejected' },
  );
}

function plainName(name: string): string {
  return name.replace(/\.exe$/i, '');
}
