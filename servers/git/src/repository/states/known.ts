import {
  autoupdate,
  bisectLog,
  branchOrDetached,
  branchOrOid,
  count,
  empty,
  fixups,
  flag,
  free,
  type Grammar,
  movedRefs,
  noFastForward,
  oid,
  oidOrEmpty,
  oidPairs,
  oids,
  rerereConflicts,
  rewrittenRefs,
  shortOid,
  signing,
  signoff,
  strategy,
  terms,
  trailers,
  word,
} from './grammar.ts';
import { sequenceOptions } from './options.ts';
import { applyOptions, authorScript, quotedPaths, strategyOptions } from './quoted.ts';
import { doneSteps, pickSteps, rebaseSteps } from './steps.ts';

/** The files of a folder by their names. */
export type Known = Readonly<Record<string, Grammar>>;

/** The files of every rebase, with either backend. */
const anyRebase: Known = {
  'head-name': branchOrDetached,
  onto: oid,
  'orig-head': oid,
  head: oid,
  quiet: flag,
  verbose: empty,
  signoff,
  strategy,
  strategy_opts: strategyOptions,
  gpg_sign_opt: signing,
  allow_rerere_autoupdate: autoupdate,
  autostash: oid,
};

/**
 * The files of operations in progress, by the folder of the git dir that contains them; of the git dir itself only the
 * listed ones.
 */
export const states: Readonly<Record<'' | 'rebase-merge' | 'rebase-apply' | 'sequencer', Known>> = {
  '': {
    MERGE_HEAD: oids,
    MERGE_MODE: noFastForward,
    MERGE_MSG: free,
    MERGE_RR: rerereConflicts,
    MERGE_AUTOSTASH: oid,
    SQUASH_MSG: free,
    CHERRY_PICK_HEAD: oid,
    REVERT_HEAD: oid,
    REBASE_HEAD: oid,
    ORIG_HEAD: oid,
    AUTO_MERGE: oid,
    BISECT_START: branchOrOid,
    BISECT_TERMS: terms,
    BISECT_NAMES: quotedPaths,
    BISECT_LOG: bisectLog,
    BISECT_EXPECTED_REV: oid,
    BISECT_HEAD: oid,
    BISECT_FIRST_PARENT: empty,
    BISECT_ANCESTORS_OK: empty,
    BISECT_RESET_WHEN_FOUND: word,
    BISECT_RUN: free,
  },
  'rebase-merge': {
    ...anyRebase,
    'git-rebase-todo': rebaseSteps,
    'git-rebase-todo.backup': free,
    done: doneSteps,
    msgnum: count,
    end: count,
    interactive: empty,
    message: free,
    'message-squash': free,
    'message-fixup': free,
    'current-fixups': fixups,
    'author-script': authorScript,
    amend: oid,
    'stopped-sha': shortOid,
    patch: free,
    'rewritten-list': oidPairs,
    'rewritten-pending': oids,
    'squash-onto': oid,
    'refs-to-delete': rewrittenRefs,
    'update-refs': movedRefs,
    dropped: free,
    trailer: trailers,
    cdate_is_adate: empty,
    ignore_date: empty,
    'reschedule-failed-exec': empty,
    'no-reschedule-failed-exec': empty,
    drop_redundant_commits: empty,
    keep_redundant_commits: empty,
  },
  'rebase-apply': {
    ...anyRebase,
    'abort-safety': oidOrEmpty,
    applying: empty,
    rebasing: empty,
    'apply-opt': applyOptions,
    'author-script': authorScript,
    'final-commit': free,
    info: free,
    msg: free,
    patch: free,
    'patch-merge-index': free,
    'original-commit': oid,
    rewritten: oidPairs,
    next: count,
    last: count,
    keep: word,
    messageid: flag,
    'quoted-cr': word,
    'rerere-autoupdate': flag,
    scissors: flag,
    sign: flag,
    threeway: flag,
    utf8: flag,
    dirtyindex: flag,
  },
  sequencer: {
    todo: pickSteps,
    opts: sequenceOptions,
    head: oid,
    'abort-safety': oidOrEmpty,
  },
};

/** The mails of `git am`, each a file with its number. */
const mail = /^\d{4,9}$/;

/** Returns the grammar of a file in a folder of state; undefined for one that git does not write. */
export function grammarOf(folder: keyof typeof states, name: string): Grammar | undefined {
  if (folder === 'rebase-apply' && mail.test(name)) return free;
  return Object.hasOwn(states[folder], name) ? states[folder][name] : undefined;
}
