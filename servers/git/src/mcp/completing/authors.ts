import { matching } from '@rootbound/kit/prompts';
import type { Complete } from '@rootbound/protocol';
import type { Workspace } from '../../call/workspace.ts';
import { recentCommits } from './commits.ts';
import { completeIn } from './in-repository.ts';

const MOST_COMMITS = 1000;

/** Returns the authors of the last commits of the given branch, or of HEAD, as `name <email>`, the newest first. */
export const completeAuthors: Complete<Workspace> = (value, context, { repo_path, branch }) =>
  completeIn(repo_path, context, async (opened) => {
    const tip = await opened.resolve(branch || 'HEAD', 'commit');
    const commits = await recentCommits(opened, tip, MOST_COMMITS);
    return matching(
      commits.map(({ author: { name, email } }) => `${name} <${email}>`),
      value,
    );
  });
