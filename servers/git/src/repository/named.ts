import { realpathSync } from 'node:fs';

/** Where a path really leads that the operator named; undefined while nothing is there. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // not there yet, so nothing that was opened is it
    return undefined;
  }
}
