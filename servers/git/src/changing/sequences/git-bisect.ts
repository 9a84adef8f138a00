import { counted } from '@rootbound/kit/budget';
import { defined } from '@rootbound/kit/primitives';
import { ToolError } from '@rootbound/protocol';
import * as z from 'zod';
import { repoPath } from '../../call/arguments.ts';
import { gitFilesOf } from '../../call/git-files.ts';
import type { Opened } from '../../call/open-repository.ts';
import { tool } from '../../call/workspace.ts';
import { type Bisecting, readOperations } from '../../porcelain/operation.ts';
import { command } from '../../run/command.ts';
import { changed } from '../safety/change-schema.ts';
import { refuseFiltered } from '../safety/filters.ts';
import { refuseOverwritingBy } from '../safety/overwriting.ts';
import { movement, movementLine, pointOf } from '../safety/point.ts';

const input = z.strictObject({
  repo_path: repoPath,
  action: z.enum(['start', 'good', 'bad', 'skip', 'reset']),
  bad: z.string().optional().describe('start: default HEAD'),
  good: z.array(z.string()).min(1).optional().describe('start'),
  revision: z.string().optional().describe('good, bad, skip: default HEAD'),
});

type Arguments = z.output<typeof input>;

export const gitBisect = tool({
  name: 'git_bisect',
  title: 'Bisect',
  description: 'Searches the commit that broke something: checks out the next one to test.',
  input,
  output: z.object({
    ...changed,
    state: z.enum(['testing', 'found', 'only-skipped', 'ended']),
    found: z.string().optional().describe('the first bad commit'),
    left: z.int().optional().describe('commits to test after this one'),
    steps: z.int().optional(),
    next: z.string().optional(),
    output: z.string().optional().describe('by a hook that failed'),
  }),
  annotations: { destructiveHint: false, openWorldHint: false },
  run(args, { scope: { scope, repositories }, signal }) {
    return repositories.change(scope, args.repo_path, signal, async (opened) => {
      if (opened.repository.place.workTree === undefined) throw noWorkTree();
      const before = await pointOf(opened);
      const printed = await act(opened, args);
      const bisecting = bisectingOf(opened);
      const undo = args.action === 'start' ? 'git_bisect with action "reset"' : undefined;
      const { output } = printed;
      const head = { ...movement(opened, before, await pointOf(opened), undo), ...defined({ output }) };
      if (bisecting === undefined) return { ...head, state: 'ended' as const };
      const { found } = bisecting;
      const end = 'git_bisect with action "reset" returns to the start';
      if (found !== undefined) return { ...head, state: 'found' as const, found, next: end };
      if (printed.onlySkipped) return { ...head, state: 'only-skipped' as const, next: end };
      const next = 'test this commit, then git_bisect with action "good", "bad" or "skip"';
      return { ...head, state: 'testing' as const, ...printed.left, next };
    });
  },
  render(facts) {
    const { state, found, left, steps, next, output } = facts;
    if (state === 'ended') return `the bisect is over; ${movementLine(facts)}`;
    if (state === 'found') return `${found} is the first bad commit; ${next}`;
    if (state === 'only-skipped') return `only skipped commits are left; ${next}`;
    const rest =
      left === undefined ? '' : ` (${left} left after it, about ${counted(steps ?? 0, 'step', 'steps')})`;
    const hook = output === undefined ? '' : `\n${output}`;
    return `at ${(facts.after ?? facts.before)?.slice(0, 12)}${rest}: ${next}${hook}`;
  },
});

interface BisectOutput {
  readonly onlySkipped: boolean;
  readonly left: { readonly left?: number; readonly steps?: number };
  readonly output?: string;
}

async function act(opened: Opened, args: Arguments): Promise<BisectOutput> {
  const { action, bad = 'HEAD', good, revision = 'HEAD' } = args;
  const going = bisectingOf(opened) !== undefined;
  if (going !== (action !== 'start')) throw going ? underWay() : notBegun();
  if (action === 'start' && good === undefined) throw noGood();
  // any commit on the way may be checked out
  await refuseFiltered(opened, undefined);
  if (action === 'reset') {
    await opened.run(command('bisect reset'));
    return { onlySkipped: false, left: {} };
  }
  const named = action === 'start' ? [bad, ...good!] : [revision];
  const revisions = await Promise.all(named.map((each) => opened.resolve(each, 'commit')));
  if (action === 'start') {
    const { commit } = await pointOf(opened);
    await refuseOverwritingBy(opened, commit, { targets: revisions });
  }
  try {
    // 2: all remaining commits were skipped
    const asked = command(`bisect ${action}`, { revisions });
    const { status, stdout } = await opened.run(asked, { okay: [0, 2] });
    return { onlySkipped: status === 2, left: leftOf(stdout.toString()) };
  } catch (error) {
    // git takes the status of the hook for its own, though it has checked out the next commit
    if (error instanceof ToolError && error.code === 'hook-rejected' && bisectingOf(opened) !== undefined)
      return { onlySkipped: false, left: {}, output: error.message };
    // the half-made state would prevent the next start
    if (action === 'start' && bisectingOf(opened) !== undefined) await opened.run(command('bisect reset'));
    throw error;
  }
}

function leftOf(printed: string): BisectOutput['left'] {
  const [, left, steps] =
    /^Bisecting: (\d+) revisions? left to test after this \(roughly (\d+) steps?\)/m.exec(printed) ?? [];
  return left === undefined ? {} : { left: Number(left), steps: Number(steps) };
}

function bisectingOf({ repository }: Opened): Bisecting | undefined {
  return readOperations(gitFilesOf(repository)).find((each) => each.kind === 'bisect');
}

function noWorkTree(): ToolError {
  return new ToolError('a bare repository has no work tree', { code: 'unsupported' });
}

function underWay(): ToolError {
  return new ToolError('a bisect is in progress', {
    code: 'exists',
    hint: 'continue it, or end it with action "reset"',
  });
}

function notBegun(): ToolError {
  return new ToolError('no bisect is in progress', {
    code: 'unknown-revision',
    hint: 'action "start" begins one',
  });
}

function noGood(): ToolError {
  return new ToolError('good, the commits that are known to work, is missing', { code: 'invalid-arguments' });
}
