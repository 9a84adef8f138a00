import { showPath } from '@rootbound/kit/boundary';
import { quoteArgument, quoted, readArguments } from '@rootbound/kit/prompts';
import type { CallContext } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { tipsFor } from '../../reading/history/tips.ts';
import { sidesOf } from '../../reading/patches/diff-sides.ts';
import type { Oid } from '../../run/oid.ts';
import { diffBlock, logBlock } from './blocks.ts';

const names = ['branch', 'base', 'author', 'repo_path'] as const;
const WORDS = 2_000;
const MOST_COMMITS = 100;
/** The usual bases of a branch; the first that exists is taken. */
const usual = ['origin/HEAD', 'origin/main', 'main', 'origin/master', 'master'];

/**
 * Returns the prompt for a summary of a branch: its commits beyond its base, by all or one author, or its last commits
 * without a base.
 */
export function summarizeBranch(
  args: Readonly<Record<string, string>>,
  { scope: { scope, repositories, maxOutput }, signal }: CallContext<Workspace, unknown>,
): Promise<string> {
  const { repo_path, branch = 'HEAD', base, author } = readArguments(args, names);
  return repositories.use(scope, repo_path, signal, async (opened) => {
    const tip = await opened.resolve(branch, 'commit');
    const from =
      base === undefined
        ? await baseOf(opened, tip)
        : { name: base, oid: await opened.resolve(base, 'commit') };
    const room = maxOutput - WORDS;
    const range = from === undefined ? tip : `${from.oid}..${tip}`;
    const log = await logBlock(
      opened,
      await tipsFor(opened, range, false),
      'commits, the newest first',
      { limit: MOST_COMMITS, body: true, share: Math.floor(room / 20) },
      author === undefined ? {} : { author, patterns: 'fixed' },
    );
    const by = author === undefined ? '' : ` by ${quoteArgument(author)}`;
    const beyond = from === undefined ? '' : ` beyond ${quoteArgument(from.name)}`;
    if (log.text === '') {
      const wrong = author === undefined ? 'base' : 'author';
      return `${quoteArgument(branch)} has no commits${by}${beyond}. Say so, and ask which ${wrong} was meant.`;
    }
    const diff =
      from === undefined
        ? undefined
        : await diffBlock(
            opened,
            await sidesOf(opened, { target: `${from.oid}...${tip}` }),
            'diff since the fork',
            room,
          );
    return [
      `Summarise the branch ${quoteArgument(branch)} (${tip.slice(0, 12)}) of ${showPath(opened.displayPath)}: ${from === undefined ? 'its last commits' : `what it has${beyond}`}${by}.`,
      'Say what it is for in a sentence, then what it changes, by topic and not by commit, the effects on users and callers, and what is left open. Write it so that it can stand as the text of a pull request.',
      ...(by === '' || diff === undefined ? [] : ['The diff also has what others changed: leave that out.']),
      quoted('the repository', [log, ...(diff === undefined ? [] : [diff])], room),
    ].join('\n');
  });
}

async function baseOf(opened: Opened, tip: Oid): Promise<{ name: string; oid: Oid } | undefined> {
  for (const name of usual) {
    const found = await opened.objects.info(`${name}^{commit}`);
    if (found !== undefined && found.oid !== tip) return { name, oid: found.oid };
  }
  return undefined;
}
