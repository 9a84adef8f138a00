import type { Opened } from '../opened.ts';
import { assertKnownStates } from '../repository/states/assert.ts';

/**
 * Refuses what is in progress as git itself does not write it, unless the repository is trusted. Asked right before each
 * verb that acts on state files: merge, rebase, cherry-pick, revert, am, bisect, commit, reset, switch and stash.
 */
export function refuseForeignStates({ repository, state }: Pick<Opened, 'repository' | 'state'>): void {
  if (state !== 'trusted') assertKnownStates(repository);
}
