import { catalogOf } from '@rootbound/protocol';
import { gitAdd } from './tools/git-add.ts';
import { gitBisect } from './tools/git-bisect.ts';
import { gitBlame } from './tools/git-blame.ts';
import { gitBranch } from './tools/git-branch.ts';
import { gitCheckout } from './tools/git-checkout.ts';
import { gitCherryPick } from './tools/git-cherry-pick.ts';
import { gitClean } from './tools/git-clean.ts';
import { gitClone } from './tools/git-clone.ts';
import { gitCommit } from './tools/git-commit.ts';
import { gitConflicts } from './tools/git-conflicts.ts';
import { gitContinue } from './tools/git-continue.ts';
import { gitCreateBranch } from './tools/git-create-branch.ts';
import { gitDiff } from './tools/git-diff.ts';
import { gitDiffStaged } from './tools/git-diff-staged.ts';
import { gitDiffUnstaged } from './tools/git-diff-unstaged.ts';
import { gitFetch } from './tools/git-fetch.ts';
import { gitInit } from './tools/git-init.ts';
import { gitListFiles } from './tools/git-list-files.ts';
import { gitLog } from './tools/git-log.ts';
import { gitMerge } from './tools/git-merge.ts';
import { gitOverview } from './tools/git-overview.ts';
import { gitPull } from './tools/git-pull.ts';
import { gitPush } from './tools/git-push.ts';
import { gitReadFile } from './tools/git-read-file.ts';
import { gitRebase } from './tools/git-rebase.ts';
import { gitReflog } from './tools/git-reflog.ts';
import { gitRemote } from './tools/git-remote.ts';
import { gitRepositories } from './tools/git-repositories.ts';
import { gitReset } from './tools/git-reset.ts';
import { gitResolve } from './tools/git-resolve.ts';
import { gitRestore } from './tools/git-restore.ts';
import { gitRevert } from './tools/git-revert.ts';
import { gitSearch } from './tools/git-search.ts';
import { gitShow } from './tools/git-show.ts';
import { gitStash } from './tools/git-stash.ts';
import { gitStashes } from './tools/git-stashes.ts';
import { gitStatus } from './tools/git-status.ts';
import { gitSubmodules } from './tools/git-submodules.ts';
import { gitTag } from './tools/git-tag.ts';
import { gitTags } from './tools/git-tags.ts';
import { gitTrust } from './tools/git-trust.ts';
import { gitUpdateBranch } from './tools/git-update-branch.ts';
import { gitUpdateSubmodules } from './tools/git-update-submodules.ts';
import { gitWorktree } from './tools/git-worktree.ts';
import { gitWorktrees } from './tools/git-worktrees.ts';

/**
 * The tools of this server. The build replaces this module by one that knows their list and loads each on its first
 * call.
 */
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
    gitAdd,
    gitReset,
    gitRestore,
    gitCommit,
    gitCreateBranch,
    gitCheckout,
    gitTag,
    gitStash,
    gitInit,
    gitClone,
    gitFetch,
    gitPull,
    gitPush,
    gitRemote,
    gitMerge,
    gitRebase,
    gitCherryPick,
    gitRevert,
    gitContinue,
    gitResolve,
    gitClean,
    gitWorktree,
    gitUpdateBranch,
    gitUpdateSubmodules,
    gitBisect,
    gitTrust,
  ],
  // every byte of the list costs a model in each session, so results describe themselves by their names
  { outputs: 'object' },
);
