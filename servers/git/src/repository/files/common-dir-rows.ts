import { data, eachCall, type FileRow, type Place } from './row.ts';

const ref: Omit<FileRow, 'at' | 'path'> = {
  grammar: 'an id, or "ref:" and a ref',
  check: 'links.ts: no link leads out; git takes no ref with a name that could be another path',
  stale: eachCall,
};
const log: Omit<FileRow, 'at' | 'path'> = {
  grammar: 'lines of ids, persons and notes',
  check: data,
  stale: eachCall,
};
/** some refs and logs belong to one work tree */
const both: readonly Place[] = ['git dir', 'common dir'];

/** The files that all work trees of a repository share. */
export const commonDirRows: readonly FileRow[] = [
  ...both.flatMap((at): FileRow[] => [
    { at, path: /^refs(?:\/|$)/, ...ref },
    { at, path: /^logs(?:\/|$)/, ...log },
  ]),
  { at: 'common dir', path: /^packed-refs(?:\.new)?$/, ...ref, grammar: 'an id and a ref in each line' },
  {
    at: 'common dir',
    path: /^config$/,
    grammar: 'a configuration',
    check:
      'git sees a copy, with what config-rules.ts allows by key and value; local-config.ts reads this one',
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^hooks(?:\/[^/]+)?$/,
    grammar: 'programs by the names of githooks(5)',
    check:
      'none is in the common directory that git is given; hook-files.ts pins those of a trusted repository',
    stale: 'the stamps of the folder and of each file',
  },
  {
    at: 'common dir',
    path: /^info(?:\/(?:refs|sparse-checkout)?)?$/,
    grammar: 'patterns of paths; refs for dumb transports',
    check: data,
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^info\/exclude$/,
    grammar: 'patterns of paths',
    check: 'links.ts finds one that leads outside, and private-dir.ts leaves it out',
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^info\/attributes$/,
    grammar: 'patterns and attributes',
    check:
      'the drivers that it can name are those of the operator: none of the repository is in what git is given',
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^(?:info\/grafts|shallow)$/,
    grammar: 'ids',
    check: 'shallow.ts reads it; ids lead to objects alone',
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^(?:branches|remotes)(?:\/|$)/,
    grammar: 'an address of a remote in the form of old',
    check: 'remotes/target.ts resolves remotes itself, and hands addresses to git',
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^modules(?:\/|$)/,
    grammar: 'git dirs of submodules',
    check:
      'open.ts for each, as a repository of its own; the git around it reads `extensions` alone, and starts none in it',
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^worktrees(?:\/|$)/,
    grammar: 'git dirs of linked work trees',
    check: 'links.ts: no link leads out; git compares their HEADs and paths',
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^rr-cache(?:\/|$)/,
    grammar: 'conflicts and how they were settled',
    check: 'the paths that it is applied to are those of MERGE_RR, which states/known.ts checks',
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^(?:gc\.pid|gc\.log|description|reftable(?:\/.*)?)$/,
    grammar: 'texts, and the refs of a table',
    check: data,
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^(?:|commondir|.*\.lock)$/,
    grammar: 'the folder, and what is being written',
    check: 'git-dir.ts, locks.ts',
    stale: eachCall,
  },
  {
    at: 'common dir',
    path: /^objects(?:\/|$)/,
    grammar: 'the objects, which have rows of their own',
    check: 'alternates.ts',
    stale: eachCall,
  },
];

/** The files of an object directory. */
export const objectRows: readonly FileRow[] = [
  {
    at: 'objects',
    path: /^info\/(?:alternates|http-alternates)$/,
    grammar: 'a path in each line, quoted or not; # begins a comment',
    check: 'alternates.ts follows each inside the boundary, and those of theirs',
    stale: eachCall,
  },
  {
    at: 'objects',
    path: /^(?:|info|info\/(?:packs|commit-graph|commit-graphs(?:\/.*)?)|pack|pack\/.*)$/,
    grammar: 'packs, indexes of packs and of commits, each with a sum',
    check: data,
    stale: eachCall,
  },
  {
    at: 'objects',
    path: /^(?:[0-9a-f]{2}(?:\/[^/]*)?|tmp_obj.*|incoming-.*|.*\.lock)$/,
    grammar: 'one object, named by its sum',
    check: data,
    stale: 'nothing: the name is the sum of the content',
  },
];

/** The files of a work tree. */
export const workTreeRows: readonly FileRow[] = [
  {
    at: 'work tree',
    path: /^(?:.*\/)?\.git$/,
    grammar: 'a git dir, or "gitdir: " and its path',
    check: 'open.ts: the same repository as git finds, or a refusal',
    stale: eachCall,
  },
  {
    at: 'work tree',
    path: /^(?:.*\/)?\.gitattributes$/,
    grammar: 'patterns and attributes',
    check:
      'the drivers that it can name are those of the operator: none of the repository is in what git is given',
    stale: 'nothing: no attribute defines a driver',
  },
  {
    at: 'work tree',
    path: /^(?:(?:.*\/)?\.gitignore|\.mailmap|\.lfsconfig)$/,
    grammar: 'patterns; names and addresses; settings of git-lfs, which is off',
    check: data,
    stale: eachCall,
  },
  {
    at: 'work tree',
    path: /^\.gitmodules$/,
    grammar: 'a configuration of submodules, of which git takes no commands',
    check: 'submodules/addresses.ts; updates by a command are off',
    stale: eachCall,
  },
  {
    at: 'work tree',
    path: /^/,
    grammar: 'any file',
    check: 'none: contents are data, and git follows no link in a work tree',
    stale: eachCall,
  },
];
