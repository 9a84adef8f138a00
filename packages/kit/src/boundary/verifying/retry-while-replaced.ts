import { refuse } from '../scope/refusal.ts';

/** Replacements in a row after which somebody is taken to do it on purpose. */
const MOST_LOOKS = 50;

/** Returns the result of a look, which is repeated while its subject is replaced. */
export function retryWhileReplaced<T>(displayPath: string, look: () => T | undefined): T {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const seen = look();
    if (seen !== undefined) return seen;
  }
  throw refuse('changed', displayPath, 'it is replaced all the time; repeat the call');
}
