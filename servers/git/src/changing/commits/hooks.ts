import type { Opened } from '../../call/open-repository.ts';

/** The hooks that a commit runs. */
const hooksOfCommit = new Set([
  ...['core.hookspath', 'hooks', 'hooks/pre-commit', 'hooks/pre-merge-commit', 'hooks/prepare-commit-msg'],
  ...['hooks/commit-msg', 'hooks/post-commit', 'hooks/post-rewrite', 'hooks/reference-transaction'],
]);

/** Returns whether a commit runs the repository's hooks. */
export function hooksRun({ state }: Opened): boolean {
  return state === 'trusted';
}

/** Returns a notice of the hooks that exist; undefined where there is none. */
export function hooksNotice(opened: Opened, skipped: boolean): string | undefined {
  const { audit, state } = opened;
  const there = audit.suppressed.some(
    ({ key, submodule }) => submodule === undefined && hooksOfCommit.has(key.replace(/\.exe$/i, '')),
  );
  if (!there) return undefined;
  if (hooksRun(opened)) return skipped ? 'on, but pre-commit and commit-msg were left out' : 'on';
  return state === 'changed' ? 'off: changed since the repository was trusted' : 'off: not trusted';
}
