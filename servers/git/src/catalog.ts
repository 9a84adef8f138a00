import { catalogOf } from '@rootbound/protocol';
import { gitCheckout } from './changing/branches/git-checkout.ts';
import { gitCreateBranch } from './changing/branches/git-create-branch.ts';
import { gitUpdateBranch } from './changing/branches/git-update-branch.ts';
import { gitWorktree } from './changing/branches/git-worktree.ts';
import { gitCommit } from './changing/commits/git-commit.ts';
import { gitTag } from './changing/commits/git-tag.ts';
import { gitAdd } from './changing/files/git-add.ts';
import { gitClean } from './changing/files/git-clean.ts';
import { gitReset } from './changing/files/git-reset.ts';
import { gitRestore } from './changing/files/git-restore.ts';
import { gitStash } from './changing/files/git-stash.ts';
import { gitClone } from './changing/remotes/git-clone.ts';
import { gitFetch } from './changing/remotes/git-fetch.ts';
import { gitInit } from './changing/remotes/git-init.ts';
import { gitPull } from './changing/remotes/git-pull.ts';
import { gitPush } from './changing/remotes/git-push.ts';
import { gitRemote } from './changing/remotes/git-remote.ts';
import { gitBisect } from './changing/sequences/git-bisect.ts';
import { gitCherryPick } from './changing/sequences/git-cherry-pick.ts';
import { gitContinue } from './changing/sequences/git-continue.ts';
import { gitMerge } from './changing/sequences/git-merge.ts';
import { gitRebase } from './changing/sequences/git-rebase.ts';
import { gitResolve } from './changing/sequences/git-resolve.ts';
import { gitRevert } from './changing/sequences/git-revert.ts';
import { gitUpdateSubmodules } from './changing/submodules/git-update-submodules.ts';
import { gitTrust } from './mcp/trust/git-trust.ts';
import { gitBlame } from './reading/history/git-blame.ts';
import { gitBranch } from './reading/history/git-branch.ts';
import { gitLog } from './reading/history/git-log.ts';
import { gitList } from './reading/lists/git-list.ts';
import { gitListFiles } from './reading/objects/git-list-files.ts';
import { gitReadFile } from './reading/objects/git-read-file.ts';
import { gitSearch } from './reading/objects/git-search.ts';
import { gitShow } from './reading/objects/git-show.ts';
import { gitDiff } from './reading/patches/git-diff.ts';
import { gitDiffStaged } from './reading/patches/git-diff-staged.ts';
import { gitDiffUnstaged } from './reading/patches/git-diff-unstaged.ts';
import { gitConflicts } from './reading/state/git-conflicts.ts';
import { gitOverview } from './reading/state/git-overview.ts';
import { gitRepositories } from './reading/state/git-repositories.ts';
import { gitStatus } from './reading/state/git-status.ts';

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
    gitList,
    gitSearch,
    gitConflicts,
    gitRepositories,
    gitAdd,
    gitReset,
    gitRestore,
    gitCommit,
    gitCreateBranch,
    gitCheckout,
    gitStash,
    gitMerge,
    gitRebase,
    gitRevert,
    gitContinue,
    gitResolve,
    gitPull,
    gitPush,
    gitListFiles,
    gitReadFile,
    gitInit,
    gitClone,
    gitFetch,
    gitRemote,
    gitTag,
    gitCherryPick,
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
