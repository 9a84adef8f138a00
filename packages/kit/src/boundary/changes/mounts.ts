import { readFileSync } from 'node:fs';
import type { OpenDirectory } from '../opening/directories.ts';
import type { Scope } from '../scope/scope.ts';

/**
 * Returns the test for open folders below an open one: whether something is mounted there, even of the same file
 * system.
 */
export function mountsBelow(scope: Scope, top: OpenDirectory): (below: OpenDirectory) => boolean {
  const own = mountOf(scope, top);
  return (below) => below.stat.dev !== top.stat.dev || mountOf(scope, below) !== own;
}

function mountOf({ containment }: Scope, { fd }: OpenDirectory): string | undefined {
  if (containment !== 'kernel') return undefined;
  return /^mnt_id:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1];
}
