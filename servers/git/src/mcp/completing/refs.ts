import { defined } from '@rootbound/kit/primitives';
import { matching } from '@rootbound/kit/prompts';
import type { Complete } from '@rootbound/protocol';
import type { Opened } from '../../call/open-repository.ts';
import type { Workspace } from '../../call/workspace.ts';
import { isPlainName } from '../../porcelain/names.ts';
import { parseRefs, type Ref, type RefsOptions, refsCommand } from '../../porcelain/refs.ts';
import { completeIn } from './in-repository.ts';

/** Refs that are suggested at most; typing narrows them. */
const MOST_REFS = 5000;
/** The part before the revision that is being typed: no ref has two dots in its name. */
const range = /^(.*\.\.\.?)?(.*)$/s;

/**
 * Returns HEAD, branches and tags, the newest first, for an argument that takes a revision, or two with dots between.
 */
export const completeRefs: Complete<Workspace> = (value, context, { repo_path }) =>
  completeIn(repo_path, context, async (opened) => {
    const [, before = '', typed = ''] = range.exec(value) ?? [];
    const refs = await newestRefs(opened, ['branch', 'remote', 'tag']);
    const names = ['HEAD', ...refs.map(({ short }) => short).filter(isPlainName)];
    return matching(names, typed).map((name) => before + name);
  });

/** Returns the refs of these kinds, or all; the most recently created first. */
export async function newestRefs(opened: Opened, kinds?: RefsOptions['kinds']): Promise<readonly Ref[]> {
  const options: RefsOptions = { sort: 'newest', limit: MOST_REFS, ...defined({ kinds }) };
  const { stdout } = await opened.run(refsCommand(options));
  return parseRefs(stdout, options);
}
