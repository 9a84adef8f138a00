import { catalogOf } from '@rootbound/protocol';
import { gitBlame } from './tools/git-blame.ts';
import { gitBranch } from './tools/git-branch.ts';
import { gitConflicts } from './tools/git-conflicts.ts';
import { gitCreateBranch } from './tools/git-create-branch.ts';
import { gitDiff } from './tools/git-diff.ts';
import { gitDiffStaged } from './tools/git-diff-staged.ts';
import { gitDiffUnstaged } from './tools/git-diff-unstaged.ts';
import { gitListFiles } from './tools/git-list-files.ts';
import { gitLog } from './tools/git-log.ts';
import { gitOverview } from './tools/git-overview.ts';
import { gitReadFile } from './tools/git-read-file.ts';
import { gitReflog } from './tools/git-reflog.ts';
import { gitRepositories } from './tools/git-repositories.ts';
import { gitSearch } from './tools/git-search.ts';
import { gitShow } from './tools/git-show.ts';
import { gitStashes } from './tools/git-stashes.ts';
import { gitStatus } from './tools/git-status.ts';
import { gitSubmodules } from './tools/git-submodules.ts';
import { gitTags } from './tools/git-tags.ts';
import { gitWorktrees } from './tools/git-worktrees.ts';

/** The tools of this server; the build replaces this module by one that knows their list and loads each on call. */
export const catalog = catalogOf(
  [
    gitOverview,
    gitStatus,
    gitDiff,
    gitDiffStaged,
    gitDiffUnstaged,
    gitLog,
    gitShow,
    gitBlame,
    gitBranch,
    gitTags,
    gitStashes,
    gitWorktrees,
    gitSubmodules,
    gitReflog,
    gitListFiles,
    gitReadFile,
    gitSearch,
    gitConflicts,
    gitRepositories,
    gitCreateBranch,
  ],
  // every byte of the list is a model's in each session, and what a result holds it says by its names
  { outputs: 'object' },
);
