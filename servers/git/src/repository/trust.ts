import { ToolError } from '@rootbound/protocol';
import type { Setting } from '../run/settings.ts';
import { type Verb, verbs } from '../run/verbs.ts';
import type { Audit } from './audit.ts';
import { realOf } from './named.ts';
import type { Repository } from './repository.ts';

/** `changed`: it was trusted, and what it would execute is not what it was then. */
export type TrustState = 'untrusted' | 'trusted' | 'changed';

/** Which repositories may execute what they are set up for: each as it was when it was trusted, and no longer. */
export class Trust {
  readonly #named: readonly string[];
  readonly #onChange: () => void;
  /** hashes by the identity of a repository, undefined where trust was lost; what the operator named is pinned at first sight */
  readonly #pinned = new Map<string, string | undefined>();

  constructor(named: readonly string[], onChange: () => void = () => undefined) {
    this.#named = named;
    this.#onChange = onChange;
  }

  stateOf(repository: Repository, audit: Audit): TrustState {
    const { identity } = repository;
    const pinned = this.#pinned.get(identity);
    if (pinned === audit.hash) return 'trusted';
    const seen = this.#pinned.has(identity);
    if (seen && pinned === undefined) return 'changed';
    if (!seen && !this.#isNamed(repository)) return 'untrusted';
    // what comes back to what it was is trusted by nobody who has seen what it was in between
    this.#pinned.set(identity, seen ? undefined : audit.hash);
    this.#onChange();
    return seen ? 'changed' : 'trusted';
  }

  /** Trusts a repository as this audit saw it. */
  grant({ identity }: Repository, { hash }: Audit): void {
    if (this.#pinned.get(identity) === hash) return;
    this.#pinned.set(identity, hash);
    this.#onChange();
  }

  #isNamed({ place: { gitDir, workTree } }: Repository): boolean {
    return this.#named.some((path) => {
      const real = realOf(path);
      return real !== undefined && (real === gitDir || real === workTree);
    });
  }
}

/**
 * What a run is given. Trust lets hooks run in the verbs that have any, and filters, merge drivers, trailers, signing
 * and the ways to the network be those of the repository. It never lets the file system monitor, external diffs,
 * textconv, remote helpers, pagers and editors run.
 */
export function configOf(audit: Audit, state: TrustState, verb: Verb): readonly Setting[] {
  const block = audit.blocked[verb];
  if (block !== undefined && !(state === 'trusted' && block.trusted)) {
    throw new ToolError(`git ${verb} is not asked here: nothing would keep it from ${block.by}`, {
      code: 'unsupported',
      hint: block.trusted
        ? 'trust the repository, or remove that'
        : 'remove that, or let it name a file of the repository',
    });
  }
  if (state !== 'trusted') return audit.config;
  if (!verbs[verb].hooks || audit.hooks === undefined) return audit.trustedConfig;
  return [...audit.trustedConfig, ['core.hooksPath', audit.hooks]];
}
