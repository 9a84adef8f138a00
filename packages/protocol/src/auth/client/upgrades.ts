import type { Demand } from './challenge.ts';
import type { Tokens } from './records.ts';
import { lackingScopes, selectScopes, uniteScopes } from './scopes.ts';

/** The inputs for the choice of scopes for one flow. */
export interface Wanted {
  /** a token was refused for lack of scopes */
  readonly insufficient: boolean;
  readonly demand: Pick<Demand, 'scopes'>;
  readonly configured: readonly string[] | undefined;
  readonly supported: readonly string[] | undefined;
  /** the current tokens of the same issuer and resource */
  readonly held: Tokens | undefined;
}

/** The maximum number of flows for the same missing scopes. */
const MOST_TIMES = 2;

/**
 * Selects the scopes of each flow, and gives up on scopes that are requested repeatedly without success.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#step-up-authorization-flow
 */
export class Upgrades {
  readonly #times = new Map<string, number>();

  /** Returns the scopes to request; undefined if a flow cannot help. */
  next({ insufficient, demand, configured, supported, held }: Wanted): readonly string[] | undefined {
    const first = selectScopes({ demanded: demand.scopes, configured, supported });
    if (held === undefined) return first;
    if (insufficient && !this.#isWorthIt(lackingScopes(first, held.granted))) return undefined;
    return uniteScopes(held.requested, held.granted, first);
  }

  #isWorthIt(lacking: readonly string[]): boolean {
    const key = lacking.toSorted().join(' ');
    const times = this.#times.get(key) ?? 0;
    this.#times.set(key, times + 1);
    return lacking.length > 0 && times < MOST_TIMES;
  }
}
