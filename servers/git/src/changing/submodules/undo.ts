import { join } from 'node:path';
import { undoBy } from './configured.ts';
import type { SubmoduleChange } from './submodule-schema.ts';

/** Calls that an undo writes out at most. */
const MOST_CALLS = 10;

/** Returns the calls that restore each submodule's HEAD; undefined where they would be too many. */
export function undoOf(workTree: string, changes: readonly SubmoduleChange[]): string | undefined {
  const moved = changes.filter(({ before, after }) => after !== undefined && before !== after);
  const made = moved.filter(({ before }) => before === undefined).map(({ path }) => path);
  // nested ones go with them
  const outer = made.filter((path) => !made.some((other) => path.startsWith(`${other}/`)));
  if (outer.some((path) => changes.some((each) => path.startsWith(`${each.path}/`)))) return undefined;
  const calls = moved.flatMap(({ path, before }) =>
    before === undefined
      ? []
      : `git_checkout with ${JSON.stringify({ repo_path: join(workTree, path), branch_name: before, detach: true })}`,
  );
  if (outer.length > 0) calls.push(undoBy({ action: 'deinit', paths: outer }));
  return calls.length === 0 || calls.length > MOST_CALLS ? undefined : calls.join(', then ');
}
