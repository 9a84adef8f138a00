import { realpathSync } from 'node:fs';

/** Returns the real path of a path that the operator named; undefined while nothing exists there. */
export function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    // it does not exist yet, so it is nothing that was opened
    return undefined;
  }
}
