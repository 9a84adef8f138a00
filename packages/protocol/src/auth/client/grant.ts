import type { Credentials } from './credentials.ts';
import type { Target } from './discover.ts';
import type { DpopKey } from './dpop.ts';
import type { Issuer } from './issuer.ts';
import type { Net } from './net.ts';
import type { Records } from './records.ts';
import type { TokenAnswer } from './token-endpoint.ts';

/** What a token is asked for with. */
export interface GrantContext {
  readonly net: Net;
  readonly records: Records;
  readonly target: Target;
  readonly scopes: readonly string[];
  /** the key that the token shall be bound to */
  readonly dpop: DpopKey | undefined;
}

/** A token, and what it was asked for with. */
export interface Granted {
  readonly answer: TokenAnswer;
  readonly clientId: string;
  readonly requested: readonly string[];
}

/** A way to get tokens. */
export interface Grant {
  /** keeps its tokens apart from those of other grants in one store */
  readonly name: string;
  /** the issuers that know the client already */
  readonly issuers: readonly string[];
  obtain(context: GrantContext): Promise<Granted>;
  /** what a client authenticates with when it refreshes a token; undefined when that was lost */
  credentials(issuer: Issuer, records: Records, clientId: string): Promise<Credentials | undefined>;
}
