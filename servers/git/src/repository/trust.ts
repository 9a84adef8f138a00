import { join } from 'node:path';
import { LruMap } from '@rootbound/kit/primitives';
import type { Audit, Suppressed } from './audit.ts';
import { realOf } from './named.ts';
import { linksOf } from './private-dir.ts';
import type { Repository } from './repository.ts';

/** `changed`: it was trusted, and the programs that it would execute have changed since. */
export type TrustState = 'untrusted' | 'trusted' | 'changed';

/** Repositories that are remembered as waiting for trust. */
const MOST_STANDINGS = 256;

/** The trust in the work trees of one common directory. */
interface Given {
  /** everything that may execute in a work tree that nobody has trusted by itself */
  readonly programs: Set<string>;
  /** digests by identity; undefined for a work tree that lost its trust */
  readonly hashes: Map<string, string | undefined>;
}

/** The repositories that may execute their configured programs: each as it was when it was trusted, and no longer. */
export class Trust {
  readonly #named: readonly string[];
  readonly #onChange: () => void;
  /** of repositories that the operator named, fixed at first sight; by common directory */
  readonly #pinned = new Map<string, Given>();
  /** the same for repositories that users trust through their clients, by owner and common directory */
  readonly #given = new Map<string, Given>();
  /** common directories, with their owners, in which a user goes on without the operator's trust that was lost */
  readonly #setAside = new Set<string>();
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
    return [...this.#given.values()].some(({ hashes }) =>
      [...hashes.values()].some((hash) => hash !== undefined),
    );
  }

  /** Returns the trust in a repository for the owner of a call. All owners may use what the operator trusts. */
  stateOf(repository: Repository, audit: Audit, owner: string): TrustState {
    const state = this.#judge(repository, audit, owner);
    this.#note(standingOf(repository, owner), state, audit);
    return state;
  }

  /** Trusts a repository in the audited state, and its other work trees with the same programs, for one owner. */
  grant(repository: Repository, audit: Audit, owner: string): void {
    const key = keyOf(repository, owner);
    const given = this.#given.get(key) ?? { programs: new Set(), hashes: new Map() };
    this.#given.set(key, given);
    // the answer is for those that lost their trust, too
    for (const [identity, hash] of given.hashes) if (hash === undefined) given.hashes.delete(identity);
    pin(given, repository, audit);
    this.#setAside.delete(key);
    this.#note(standingOf(repository, owner), 'trusted', audit);
  }

  /** Withdraws trust that an owner gave, in all work trees, and returns the state without it. */
  revoke(repository: Repository, audit: Audit, owner: string): TrustState {
    const key = keyOf(repository, owner);
    this.#given.delete(key);
    this.#standings.delete(standingOf(repository, owner));
    const state = this.stateOf(repository, audit, owner);
    if (state !== 'changed') return state;
    this.#setAside.add(key);
    return this.stateOf(repository, audit, owner);
  }

  isNamed({ place: { gitDir, workTree }, top }: Repository): boolean {
    return this.#named.some((path) => {
      const real = realOf(path);
      return real !== undefined && [gitDir, workTree, top].includes(real);
    });
  }

  /** Returns whether the operator has named the main work tree, or the common directory, outside of the roots. */
  #isNamedOutside({ commonDir, opened: { roots } }: Repository): boolean {
    return this.#named.some((path) => {
      const real = realOf(path);
      if (real === undefined || roots.rootOf(real) !== undefined) return false;
      return real === commonDir || join(real, '.git') === commonDir;
    });
  }

  /**
   * Returns the paths among which the operator may have named another work tree of a repository, whose programs are
   * not known yet.
   */
  unseenFor(repository: Repository): readonly string[] {
    const { commonDir, commonIdentity, kind } = repository;
    if (this.#named.length === 0 || this.#pinned.has(commonIdentity) || this.isNamed(repository)) return [];
    return kind === 'linked-worktree' || linksOf(commonDir).length > 0 ? this.#named : [];
  }

  #judge(repository: Repository, audit: Audit, owner: string): TrustState {
    const key = keyOf(repository, owner);
    const given = this.#given.get(key);
    const users = given === undefined ? 'untrusted' : stateIn(given, repository, audit);
    if (users === 'trusted') return users;
    const operators = this.#operatorState(repository, audit);
    if (operators === 'trusted') return operators;
    if (users === 'changed') return users;
    return this.#setAside.has(key) ? 'untrusted' : operators;
  }

  #operatorState(repository: Repository, audit: Audit): TrustState {
    const { commonIdentity, identity } = repository;
    const before = this.#pinned.get(commonIdentity);
    const isFirst = before?.hashes.has(identity) !== true && this.isNamed(repository);
    if (isFirst || (before === undefined && this.#isNamedOutside(repository))) {
      const pinned = before ?? { programs: new Set(), hashes: new Map() };
      this.#pinned.set(commonIdentity, pinned);
      pin(pinned, repository, audit);
      return 'trusted';
    }
    return before === undefined ? 'untrusted' : stateIn(before, repository, audit);
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

function pin({ programs, hashes }: Given, { identity }: Repository, audit: Audit): void {
  for (const program of audit.programs) programs.add(program);
  hashes.set(identity, audit.hash);
}

/**
 * Returns the state of a work tree: unchanged where it was trusted by itself, else with no program that another one of
 * its common directory was not trusted for.
 */
function stateIn(given: Given, { identity }: Repository, audit: Audit): TrustState {
  const { programs, hashes } = given;
  const isTrusted = hashes.has(identity)
    ? hashes.get(identity) === audit.hash
    : audit.programs.every((program) => programs.has(program));
  if (isTrusted) return 'trusted';
  // a repository that returns to its earlier state is not trusted again: nobody has checked the states in between
  hashes.set(identity, undefined);
  return 'changed';
}

/** Returns the findings from which git is kept in the repository's present state. */
export function suppressedIn({ suppressed }: Audit, state: TrustState): readonly Suppressed[] {
  return state === 'trusted' ? [] : suppressed;
}

function keyOf({ commonIdentity }: Repository, owner: string): string {
  return `${owner}\0${commonIdentity}`;
}

function standingOf({ identity }: Repository, owner: string): string {
  return `${owner}\0${identity}`;
}
