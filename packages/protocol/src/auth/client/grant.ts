import type { Credentials } from './credentials.ts';
import type { Target } from './discover.ts';
import type { DpopKey } from './dpop.ts';
import type { Issuer } from './issuer.ts';
import type { Net } from './net.ts';
import type { Records } from './records.ts';
import type { TokenAnswer } from './token-endpoint.ts';

/** The inputs of a token request. */
export interface GrantContext {
  readonly net: Net;
  readonly records: Records;
  readonly target: Target;
  readonly scopes: readonly string[];
  /** the key to bind the token to */
  readonly dpop: DpopKey | undefined;
}

/** A token with the client and scopes of its request. */
export interface Granted {
  readonly answer: TokenAnswer;
  readonly clientId: string;
  readonly requested: readonly string[];
}

/** An OAuth grant: a way to get tokens. */
export interface Grant {
  /** separates its tokens from those of other grants in one store */
  readonly name: string;
  /** the issuers at which the client is registered */
  readonly issuers: readonly string[];
  obtain(context: GrantContext): Promise<Granted>;
  /** returns the client's credentials for a refresh, or undefined if they were lost */
  credentials(issuer: Issuer, records: Records, clientId: string): Promise<Credentials | undefined>;
}
