import { ToolError } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import { command } from '../../run/command.ts';
import { isOid, type Oid } from '../../run/oid.ts';
import { type Range, range } from '../../run/operand.ts';

/** Commits that fit a command line. */
const MOST_COMMITS = 300;

/** Returns the commits of revisions and ranges, in the order in which they are applied. */
export async function commitsOf(
  opened: Opened,
  given: readonly string[],
  oldestFirst: boolean,
): Promise<Oid[]> {
  const commits: Oid[] = [];
  for (const each of given) {
    const [, from, to] = /^([^:^{]*?)(?<!\.)\.\.(?!\.)(.*)$/s.exec(each) ?? [];
    if (from === undefined || to === undefined) {
      commits.push(await opened.resolve(each, 'commit'));
      continue;
    }
    const [old, young] = [from || 'HEAD', to || 'HEAD'];
    const asked = range(await opened.resolve(old, 'commit'), await opened.resolve(young, 'commit'));
    commits.push(...(await commitsIn(opened, asked, oldestFirst)));
  }
  if (commits.length === 0)
    throw new ToolError('there are no commits in the range', { code: 'invalid-arguments' });
  if (commits.length > MOST_COMMITS) throw tooMany();
  return commits;
}

/** Returns the commits of a range. */
export async function commitsIn(
  opened: Opened,
  asked: Range,
  oldestFirst: boolean,
  { merges = true }: { readonly merges?: boolean } = {},
): Promise<Oid[]> {
  const { stdout } = await opened.run(
    command('rev-list', {
      flags: [
        '--topo-order',
        ...(oldestFirst ? (['--reverse'] as const) : []),
        ...(merges ? [] : (['--no-merges'] as const)),
      ],
      options: { '--max-count': MOST_COMMITS + 1 },
      revisions: [asked],
    }),
  );
  const found = stdout.toString().split('\n').filter(isOid);
  if (found.length > MOST_COMMITS) throw tooMany();
  return found;
}

function tooMany(): ToolError {
  return new ToolError(`more than ${MOST_COMMITS} commits at once`, {
    code: 'invalid-arguments',
    hint: 'name fewer',
  });
}
