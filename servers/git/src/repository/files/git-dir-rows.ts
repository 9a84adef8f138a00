import { states } from '../states/known.ts';
import { data, eachCall, type FileRow } from './row.ts';

const exact = (names: readonly string[]): RegExp =>
  new RegExp(`^(?:${names.map((name) => name.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')).join('|')})$`);

/** One row for each folder of state, from the table of its checks. */
const stateRows: readonly FileRow[] = Object.entries(states).map(([folder, known]) => ({
  at: 'git dir' as const,
  path: folder === '' ? exact(Object.keys(known)) : new RegExp(`^${folder}(?:/|$)`),
  grammar: 'states/known.ts has one for each file',
  check: 'states/assert.ts, right before each verb that acts on it; reading verbs only show it',
  stale: 'nothing: it is parsed in the turn in which git runs',
}));

/** The files of a git dir of its own: that of the main work tree, of a linked one, of a submodule. */
export const gitDirRows: readonly FileRow[] = [
  {
    at: 'git dir',
    path: /^$/,
    grammar: 'a folder',
    check: 'git-dir.ts: HEAD, objects and refs as git wants them',
    stale: eachCall,
  },
  {
    at: 'git dir',
    path: /^HEAD$/,
    grammar: '"ref:" and a ref, or an id; or a link to a ref',
    check: 'git-dir.ts',
    stale: eachCall,
  },
  {
    at: 'git dir',
    path: /^(?:commondir|gitdir)$/,
    grammar: 'one path and line ends; no NUL',
    check: 'pointers.ts follows it inside the boundary; a linked work tree must be named back',
    stale: eachCall,
  },
  { at: 'git dir', path: /^locked$/, grammar: 'text', check: data, stale: eachCall },
  {
    at: 'git dir',
    path: /^(?:index|sharedindex\.[0-9a-f]{40,64})$/,
    grammar:
      'entries and extensions (link, FSMN, UNTR, ...) with a sum; link names sharedindex.<id> beside it',
    check: 'submodules.ts looks for submodules; core.fsmonitor is off, so that FSMN starts nothing',
    stale: 'its stamp',
  },
  {
    at: 'git dir',
    path: /^config\.worktree$/,
    grammar: 'a configuration',
    check: 'as `config`: what is allowed of both is one text, the only one that git is given',
    stale: eachCall,
  },
  {
    at: 'git dir',
    path: /^info(?:\/sparse-checkout)?$/,
    grammar: 'patterns of paths',
    check: data,
    stale: eachCall,
  },
  {
    at: 'git dir',
    path: /^FETCH_HEAD$/,
    grammar: 'an id, a tab and a note in each line',
    check: data,
    stale: eachCall,
  },
  {
    at: 'git dir',
    path: /^(?:COMMIT_EDITMSG|MERGE_EDITMSG|TAG_EDITMSG|NOTES_EDITMSG|EDIT_DESCRIPTION|rebased-patches)$/,
    grammar: 'text that git writes',
    check: 'none: git writes it anew, never through a link out, which links.ts refuses',
    stale: eachCall,
  },
  {
    at: 'git dir',
    path: /^NOTES_MERGE_(?:PARTIAL|REF|WORKTREE)(?:\/|$)/,
    grammar: 'of a merge of notes',
    check: 'none: no verb merges notes',
    stale: eachCall,
  },
  {
    at: 'git dir',
    path: /^(?:fsmonitor--daemon(?:\.ipc|\/.*)?)$/,
    grammar: 'a socket and cookies',
    check: 'none: core.fsmonitor is off',
    stale: eachCall,
  },
  {
    at: 'git dir',
    path: /^(?:.*\/)?[^/]+\.lock$/,
    grammar: 'content that is being written',
    check: 'locks.ts names those that are left; git makes them anew and fails where one is',
    stale: 'nothing: git opens it exclusively',
  },
  {
    at: 'git dir',
    path: /^head-name$/,
    grammar: 'a branch',
    check: 'none: the script of bisect looks whether it is there, as of programs before git',
    stale: eachCall,
  },
  ...stateRows,
];
