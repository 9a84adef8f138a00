import { refuse } from './refusal.ts';

/** Others can be so fast a few times in a row; more often only if they mean to. */
const MOST_LOOKS = 50;

/** What a look gives, which is repeated as long as somebody replaced meanwhile what it looked at. */
export function retryWhileReplaced<T>(displayPath: string, look: () => T | undefined): T {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const seen = look();
    if (seen !== undefined) return seen;
  }
  throw refuse('changed', displayPath, 'it is replaced all the time; repeat the call');
}
