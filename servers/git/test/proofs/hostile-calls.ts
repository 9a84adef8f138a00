/** A call of a tool that works, to which each of its texts is hostile in turn. */
export interface Row {
  readonly args?: Readonly<Record<string, unknown>>;
  /** what more an argument needs to be looked at */
  readonly besides?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** in the middle of a merge with conflicts */
  readonly merging?: boolean;
}

const oid = '0'.repeat(40);
const confirm = true;

/** One row for each tool; a test holds it complete. */
export const rows: Readonly<Record<string, Row>> = {
  git_overview: {},
  git_status: {},
  git_diff: {},
  git_diff_unstaged: {},
  git_diff_staged: {},
  git_log: { args: { files: true } },
  git_show: { args: { revision: 'HEAD' } },
  git_blame: { args: { path: 'a' } },
  git_branch: {},
  git_list: {
    args: { kind: 'tags' },
    besides: { ref: { kind: 'reflog' }, max_count: { kind: 'reflog' } },
  },
  git_list_files: {},
  git_read_file: { args: { path: 'a' } },
  git_search: { args: { pattern: 'one', syntax: 'basic' }, besides: { include: { untracked: true } } },
  git_conflicts: { merging: true },
  git_repositories: {},
  git_add: { besides: { files: { force: true } } },
  git_reset: { args: { confirm }, besides: { revision: { mode: 'hard' }, expected_head: { mode: 'soft' } } },
  git_restore: { args: { confirm }, besides: { source: { paths: ['a'] } } },
  git_commit: { args: { message: 'x', allow_empty: true } },
  git_create_branch: { args: { branch_name: 'new' }, besides: { base_branch: { track: true } } },
  git_checkout: {
    args: { branch_name: 'side', discard_changes: true, confirm },
    besides: { branch_name: { guess: true }, base: { branch_name: 'based', create: true } },
  },
  git_tag: {
    args: { tag_name: 'new', force: true },
    besides: { expected: { tag_name: 'v1', delete: true }, message: { tag_name: 'annotated' } },
  },
  git_stash: {
    args: { action: 'push' },
    besides: {
      stash: { action: 'apply' },
      expected: { action: 'drop' },
      branch_name: { action: 'branch' },
    },
  },
  git_init: {},
  git_clone: { args: { url: '/nowhere', path: 'clone' } },
  git_fetch: { args: { remote: 'origin' } },
  git_pull: { args: { remote: 'origin', branch: 'main', strategy: 'merge' } },
  git_push: {
    args: { remote: 'origin', refs: ['main'] },
    besides: { refs: { force_with_lease: [oid] }, force_with_lease: { delete: true } },
  },
  git_remote: {
    args: { action: 'add', name: 'other', url: 'https://host.invalid/x' },
    besides: { new_name: { action: 'rename', name: 'origin' }, url: { action: 'set_url', name: 'origin' } },
  },
  git_merge: { args: { revisions: ['side'] } },
  git_rebase: {
    args: { upstream: 'side' },
    besides: { todo: { upstream: 'HEAD~1' }, onto: { upstream: 'HEAD~1' } },
  },
  git_cherry_pick: { args: { commits: ['v1'] } },
  git_revert: { args: { commits: ['HEAD'] } },
  git_continue: { args: { action: 'abort', confirm }, merging: true },
  git_resolve: { args: { paths: ['a'] }, besides: { paths: { side: 'ours' } }, merging: true },
  git_clean: { args: { dry_run: false, confirm } },
  git_worktree: {
    args: { action: 'add', path: 'tree', branch_name: 'side' },
    besides: {
      base: { branch_name: 'based', create: true },
      reason: { action: 'lock' },
      new_path: { action: 'move' },
    },
  },
  git_update_branch: {
    args: { branch_name: 'side', action: 'move', revision: 'HEAD', confirm },
    besides: {
      new_name: { action: 'rename' },
      upstream: { action: 'set_upstream' },
      expected: { action: 'delete' },
    },
  },
  git_update_submodules: { args: { action: 'update', init: true } },
  git_bisect: { args: { action: 'start', good: ['v1'] }, besides: { revision: { action: 'good' } } },
  git_trust: {},
};

/** The parts of a JSON schema that say where text goes. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Where a text of the caller goes in. */
export interface Slot {
  readonly name: string;
  readonly isPath: boolean;
  readonly with: (text: string) => unknown;
}

/** The places for text in the arguments of a tool. */
export function slotsOf({ properties = {} }: Schema): Slot[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    waysIn(schema).map((way) => ({ name, isPath: /path|files/.test(name), with: way })),
  );
}

function waysIn(schema: Schema): ((text: string) => unknown)[] {
  if (schema.type === 'string') return [(text) => text];
  if (schema.type === 'array') return waysIn(schema.items!).map((way) => (text: string) => [way(text)]);
  const several = schema.anyOf?.flatMap(waysIn) ?? [];
  const keys = Object.entries(schema.properties ?? {});
  // the other texts of an object are what its schema would take
  const usual = Object.fromEntries(
    keys.flatMap(([key, { type, enum: values }]) =>
      type === 'string' ? [[key, values?.[0] ?? 'HEAD']] : [],
    ),
  );
  const inObject = keys.flatMap(([key, inner]) =>
    waysIn(inner).map((way) => (text: string) => ({ ...usual, [key]: way(text) })),
  );
  return [...several, ...inObject];
}
