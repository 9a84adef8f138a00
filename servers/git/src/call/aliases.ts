/**
 * Names that models use for arguments, by the argument that is meant. The first row of a tool's arguments that has a
 * name decides. An argument that agrees to a loss, or forces a change, has no other name.
 */
const guesses: readonly (readonly [argument: string, names: readonly string[]])[] = [
  ['repo_path', ['repo', 'repository', 'repository_path', 'cwd']],
  ['url', ['repository', 'repo', 'remote', 'repository_url', 'remote_url']],
  ['paths', ['path', 'file', 'files', 'file_path', 'file_paths', 'filepath', 'filename', 'pathspec']],
  ['files', ['paths', 'path', 'file', 'file_path', 'file_paths', 'filepath', 'filename', 'pathspec']],
  ['new_path', ['to', 'destination']],
  ['path', ['file', 'paths', 'files', 'file_path', 'filepath', 'filename', 'directory', 'dir', 'folder']],
  ['tag_name', ['tag', 'name']],
  ['name', ['remote', 'remote_name']],
  ['new_name', ['to', 'new_branch', 'new_branch_name']],
  ['base_branch', ['base', 'start_point', 'from', 'from_branch', 'revision', 'ref', 'source', 'commit']],
  ['base', ['base_branch', 'start_point', 'from']],
  ['branch_name', ['branch', 'name', 'new_branch', 'ref', 'revision', 'commit', 'initial_branch']],
  ['branch', ['branch_name', 'ref']],
  ['source', ['revision', 'ref', 'rev', 'commit', 'from']],
  ['target', ['revision', 'ref', 'rev', 'commit', 'range', 'revision_range', 'commit_range', 'against']],
  ['commits', ['commit', 'revision', 'revisions', 'ref', 'sha', 'hash', 'commit_hash']],
  ['revisions', ['revision', 'branch', 'branches', 'branch_name', 'commit', 'commits', 'ref', 'source']],
  [
    'revision',
    [
      ...['ref', 'rev', 'branch', 'branch_name', 'commit', 'commit_hash', 'commit_id', 'sha', 'hash', 'oid'],
      ...['tag', 'tree', 'treeish', 'target', 'range', 'revision_range', 'commit_range'],
    ],
  ],
  ['upstream', ['base', 'revision', 'branch_name', 'target']],
  ['contains', ['commit', 'revision', 'ref']],
  ['ref', ['revision', 'rev', 'branch', 'branch_name']],
  ['refs', ['ref', 'branch', 'branches', 'branch_name', 'refspec', 'refspecs']],
  ['merge', ['theirs', 'branch', 'revision']],
  ['stash', ['ref', 'name', 'stash_ref', 'id']],
  ['max_count', ['limit', 'n', 'count', 'max', 'max_results', 'max_commits', 'number', 'num', 'maxCount']],
  ['limit', ['max_count', 'n', 'count', 'max', 'max_results', 'number', 'num', 'maxResults']],
  ['start_timestamp', ['since', 'after', 'from', 'start_date', 'since_date', 'start']],
  ['end_timestamp', ['until', 'before', 'to', 'end_date', 'until_date', 'end']],
  ['start_line', ['line_start', 'from_line', 'start', 'first_line']],
  ['end_line', ['line_end', 'to_line', 'end', 'last_line']],
  ['grep', ['message', 'message_pattern', 'query', 'search', 'pattern']],
  ['pattern', ['query', 'regex', 'search', 'text', 'filter', 'glob']],
  ['occurs', ['pickaxe', 'S', 'search_string']],
  ['changed_lines', ['G', 'diff_regex']],
  ['context_lines', ['context', 'unified', 'U']],
  ['stat_only', ['stat']],
  ['staged', ['cached']],
  ['all', ['all_branches']],
  ['message', ['msg', 'commit_message']],
  // of a tool without paths in the repository
  ['repo_path', ['path', 'directory', 'dir', 'folder']],
];

/** Returns the other names that a tool takes for its arguments. */
export function aliasesOf(argumentNames: readonly string[]): ReadonlyMap<string, string> {
  const taken = new Map<string, string>();
  for (const [argument, names] of guesses) {
    if (!argumentNames.includes(argument)) continue;
    for (const name of names)
      if (!argumentNames.includes(name) && !taken.has(name)) taken.set(name, argument);
  }
  return taken;
}
