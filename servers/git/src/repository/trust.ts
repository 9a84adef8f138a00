import { LruMap } from '@rootbound/kit/primitives';
import type { Audit, Suppressed } from './audit.ts';
import { realOf } from './named.ts';
import type { Repository } from './repository.ts';

/** `changed`: it was trusted, and the programs that it would execute have changed since. */
export type TrustState = 'untrusted' | 'trusted' | 'changed';

/** Repositories that are remembered as waiting for trust. */
const MOST_STANDINGS = 256;

/** The repositories that may execute their configured programs: each as it was when it was trusted, and no longer. */
export class Trust {
  readonly #named: readonly string[];
  readonly #onChange: () => void;
  /**
   * of repositories that the operator named: digests by identity, fixed at first sight; undefined where trust was lost
   */
  readonly #pinned = new Map<string, string | undefined>();
  /** the same for repositories that users trust through their clients, by owner and repository */
  readonly #given = new Map<string, string | undefined>();
  /** states of repositories in which trust would change something */
  readonly #standings = new LruMap<string, 'awaits' | 'trusted'>(MOST_STANDINGS);

  constructor(named: readonly string[], onChange: () => void = () => undefined) {
    this.#named = named;
    this.#onChange = onChange;
  }

  /** Returns whether trust would let something run in a repository that was opened. */
  get isAwaited(): boolean {
    return [...this.#standings.values()].includes('awaits');
  }

  /** Returns whether a user has given trust that can be withdrawn. */
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

  /** Trusts a repository in the audited state, for the calls of one owner. */
  grant(repository: Repository, audit: Audit, owner: string): void {
    const key = keyOf(repository, owner);
    this.#given.set(key, audit.hash);
    this.#note(key, 'trusted', audit);
  }

  /** Withdraws trust that an owner gave, and returns the state without it. */
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
    // a repository that returns to its earlier state is not trusted again: nobody has checked the states in between
    this.#pinned.set(identity, seen ? undefined : hash);
    return seen ? 'changed' : 'trusted';
  }

  #note(key: string, state: TrustState, { suppressed }: Audit): void {
    const before = this.#standings.get(key);
    const now = suppressed.length === 0 ? undefined : state === 'trusted' ? 'trusted' : 'awaits';
    if (now === before) return;
    if (now === undefined) this.#standings.delete(key);
    else this.#standings.set(key, now);
    this.#onChange();
  }
}

/** Returns the findings from which git is kept in the repository's present state. */
export function suppressedIn({ suppressed }: Audit, state: TrustState): readonly Suppressed[] {
  return state === 'trusted' ? [] : suppressed;
}

function keyOf({ identity }: Repository, owner: string): string {
  return `${owner}\0${identity}`;
}
