import type { Audit, Suppressed } from './audit.ts';
import { realOf } from './named.ts';
import type { Repository } from './repository.ts';

/** `changed`: it was trusted, and what it would execute is not what it was then. */
export type TrustState = 'untrusted' | 'trusted' | 'changed';

/** How many repositories are remembered as waiting for trust. */
const MOST_STANDINGS = 256;

/** Which repositories may execute what they are set up for: each as it was when it was trusted, and no longer. */
export class Trust {
  readonly #named: readonly string[];
  readonly #onChange: () => void;
  /** of what the operator named: hashes by the identity of a repository, pinned at first sight, undefined where trust was lost */
  readonly #pinned = new Map<string, string | undefined>();
  /** the same of what users trust through their clients: whose calls, and which repository */
  readonly #given = new Map<string, string | undefined>();
  /** how what was looked at stands where trust would change something, the oldest first */
  readonly #standings = new Map<string, 'awaits' | 'trusted'>();

  constructor(named: readonly string[], onChange: () => void = () => undefined) {
    this.#named = named;
    this.#onChange = onChange;
  }

  /** Whether trust would let something run in a repository that was looked at. */
  get isAwaited(): boolean {
    return [...this.#standings.values()].includes('awaits');
  }

  /** Whether a user has given trust that can be taken back. */
  get isGiven(): boolean {
    return [...this.#given.values()].some((hash) => hash !== undefined);
  }

  /** Returns the trust in a repository for the owner of a call. All owners may use what the operator trusts. */
  stateOf(repository: Repository, audit: Audit, owner: string): TrustState {
    const key = keyOf(repository, owner);
    const state = this.#judge(key, repository, audit);
    this.#note(key, state, audit);
    return state;
  }

  /** Trusts a repository as this audit saw it, for the calls of one owner. */
  grant(repository: Repository, audit: Audit, owner: string): void {
    const key = keyOf(repository, owner);
    this.#given.set(key, audit.hash);
    this.#note(key, 'trusted', audit);
  }

  /** Takes back what an owner gave: how the repository stands without it. */
  revoke(repository: Repository, audit: Audit, owner: string): TrustState {
    const key = keyOf(repository, owner);
    this.#given.delete(key);
    this.#standings.delete(key);
    return this.stateOf(repository, audit, owner);
  }

  isNamed({ place: { gitDir, workTree }, top }: Repository): boolean {
    return this.#named.some((path) => {
      const real = realOf(path);
      return real !== undefined && [gitDir, workTree, top].includes(real);
    });
  }

  #judge(key: string, repository: Repository, audit: Audit): TrustState {
    if (this.#given.get(key) === audit.hash) return 'trusted';
    const state = this.#operatorState(repository, audit);
    if (state === 'trusted' || !this.#given.has(key)) return state;
    this.#given.set(key, undefined);
    return 'changed';
  }

  #operatorState(repository: Repository, { hash }: Audit): TrustState {
    const { identity } = repository;
    const seen = this.#pinned.has(identity);
    const pinned = this.#pinned.get(identity);
    if (pinned === hash) return 'trusted';
    if (seen && pinned === undefined) return 'changed';
    if (!seen && !this.isNamed(repository)) return 'untrusted';
    // what comes back to what it was is trusted by nobody who has seen what it was in between
    this.#pinned.set(identity, seen ? undefined : hash);
    return seen ? 'changed' : 'trusted';
  }

  #note(key: string, state: TrustState, { suppressed }: Audit): void {
    const before = this.#standings.get(key);
    const now = suppressed.length === 0 ? undefined : state === 'trusted' ? 'trusted' : 'awaits';
    if (now === before) return;
    this.#standings.delete(key);
    if (now !== undefined) this.#standings.set(key, now);
    if (this.#standings.size > MOST_STANDINGS) this.#standings.delete(this.#standings.keys().next().value!);
    this.#onChange();
  }
}

/** Returns what git is kept from obeying as the repository stands. */
export function suppressedIn({ suppressed }: Audit, state: TrustState): readonly Suppressed[] {
  return state === 'trusted' ? [] : suppressed;
}

function keyOf({ identity }: Repository, owner: string): string {
  return `${owner}\0${identity}`;
}
