import type { Stats } from 'node:fs';
import { refuse } from '../refusal.ts';

/** What happens to a file that has other names (hard links), which may lie outside the roots. */
export type HardLinks = 'break' | 'refuse';

/** How many other names a file has. */
export function otherNames(stat: Stats): number {
  return stat.isFile() ? Math.max(0, stat.nlink - 1) : 0;
}

/** Refuses a file with other names where the policy says so; for reads and changes alike. */
export function assertOneName(stat: Stats, displayPath: string, hardLinks: HardLinks | undefined): void {
  if (hardLinks === 'refuse' && otherNames(stat) > 0)
    throw refuse('linked', displayPath, 'the operator refuses files with other hard links');
}
