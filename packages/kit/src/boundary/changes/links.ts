import type { Stats } from 'node:fs';
import { refuse } from '../scope/refusal.ts';

/** The policy for a file with other names (hard links), which may lie outside the roots. */
export type HardLinks = 'break' | 'refuse';

/** Returns how many other names a file has. */
export function otherNames(stat: Stats): number {
  return stat.isFile() ? Math.max(0, stat.nlink - 1) : 0;
}

/** Throws for a file with other names where the policy forbids it; for reads and changes alike. */
export function assertOneName(stat: Stats, displayPath: string, hardLinks: HardLinks | undefined): void {
  if (hardLinks === 'refuse' && otherNames(stat) > 0)
    throw refuse('linked', displayPath, 'the operator refuses files with other hard links');
}
