import type { Repositories } from '../../call/repositories.ts';

type List = 'tools' | 'prompts';

/** The entries that are listed only while they have an effect: while trust can be given or, for the tool, withdrawn. */
const dependent: Readonly<Record<List, string>> = { tools: 'git_trust', prompts: 'review_trust' };

/**
 * The lists by the present trust. They are the same for everyone: they do not tell whose repository waits, and an entry
 * that is not listed can still be used.
 */
export class TrustLists {
  readonly #changed: (list: List) => void;
  #now: Readonly<Record<List, boolean>> = { tools: false, prompts: false };

  constructor(changed: (list: List) => void) {
    this.#changed = changed;
  }

  readonly isListed = (list: List, name: string): boolean => name !== dependent[list] || this.#now[list];

  /** Announces the lists that another state of trust has changed. */
  readonly look = ({ isAwaited, isGiven }: Repositories['standing']): void => {
    const before = this.#now;
    this.#now = { tools: isAwaited || isGiven, prompts: isAwaited };
    for (const list of ['tools', 'prompts'] as const)
      if (before[list] !== this.#now[list]) this.#changed(list);
  };
}
