import type { DpopKey } from './dpop.ts';
import type { Binding, Tokens } from './records.ts';
import type { TokenAnswer } from './token-endpoint.ts';

/** The longest time before expiry at which renewal starts, in milliseconds; at most a tenth of the token's life. */
const MOST_LEEWAY = 30_000;

export interface Issued {
  readonly binding: Binding;
  readonly clientId: string;
  readonly requested: readonly string[];
  readonly dpop: DpopKey | undefined;
  /** the tokens that this response renews */
  readonly previous?: Tokens;
}

/** Returns the tokens of a token response. */
export function readTokens(answer: TokenAnswer, issued: Issued): Tokens {
  const { binding, clientId, requested, dpop, previous } = issued;
  const life = answer.expiresIn === undefined ? undefined : answer.expiresIn * 1000;
  const expiresAt = life === undefined ? undefined : Date.now() + life;
  const { issuer, resource, self } = binding;
  return {
    issuer,
    resource,
    self,
    clientId,
    access: answer.access,
    // a refresh token that is not replaced stays valid
    refresh: answer.refresh ?? previous?.refresh,
    expiresAt,
    staleAt:
      expiresAt === undefined || life === undefined
        ? undefined
        : expiresAt - Math.min(MOST_LEEWAY, life / 10),
    // RFC 6749 section 5.1: absent means as requested
    granted: answer.scopes ?? previous?.granted ?? requested,
    requested,
    dpop: answer.bound ? dpop : undefined,
  };
}

export function isExpired({ expiresAt }: Tokens): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now();
}

/** Returns true if tokens should be renewed before their next use. */
export function isStale({ staleAt }: Tokens): boolean {
  return staleAt !== undefined && staleAt <= Date.now();
}
