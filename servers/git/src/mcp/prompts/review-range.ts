import { quoteArgument, quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import { ToolError } from '@rootbound/protocol';
import type { Workspace } from '../../call/workspace.ts';
import { tipsFor } from '../../reading/history/tips.ts';
import { sidesOf } from '../../reading/patches/diff-sides.ts';
import { diffBlock, logBlock } from './blocks.ts';

const WORDS = 2_000;
const MOST_COMMITS = 30;

/** Returns the prompt for a review of the commits that one revision has and another has not, with the diff. */
export function reviewRange(
  args: Readonly<Record<string, string>>,
  { scope: { scope, repositories, maxOutput }, signal }: CallContext<Workspace, unknown>,
): Promise<string> {
  const { repo_path, base, head = 'HEAD' } = readArguments(args, ['base', 'head', 'repo_path']);
  if (base === undefined)
    throw new ToolError('base is blank', {
      code: 'invalid-argument',
      hint: 'name the revision that the changes go on from',
    });
  return repositories.use(scope, repo_path, signal, async (opened) => {
    const [from, to] = [await opened.resolve(base, 'commit'), await opened.resolve(head, 'commit')];
    const room = maxOutput - WORDS;
    const log = await logBlock(
      opened,
      await tipsFor(opened, `${from}..${to}`, false),
      'commits, the newest first',
      { limit: MOST_COMMITS, body: true, share: Math.floor(room / 20) },
    );
    const diff = await diffBlock(opened, await sidesOf(opened, { target: `${from}...${to}` }), 'diff', room);
    const what = `what ${quoteArgument(head)} (${to.slice(0, 12)}) has beyond ${quoteArgument(base)} (${from.slice(0, 12)})`;
    if (diff === undefined)
      return `There is no difference in ${what}. Say so, and ask which range was meant.`;
    return [
      `Review ${what}, since both were one.`,
      'Say first what the change does as a whole. Then name what is wrong or risky, the worst first, each with file and line and how to fix it: faults, missing cases, security, what tests do not cover. Say what you could not judge from the diff alone.',
      'Look at whole files with git_read_file and at what calls them with git_search where the diff is not enough.',
      quoted('the repository', [log, diff], room),
    ].join('\n');
  });
}
