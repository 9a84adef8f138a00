import type { Hop } from '../failure.ts';
import type { Identity, RedirectPolicy, VisitRequest } from '../web/visit.ts';

/** What is asked for, and by whom: a visit, with all that makes two of them different. */
export interface CacheRequest extends Pick<VisitRequest, 'url' | 'method' | 'identity' | 'redirects'> {
  /** fields that are sent, by lower-case name; never secrets, which `configuration` stands for */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** the principal; nobody else is ever given what is kept for it */
  readonly owner: string;
  /** a fingerprint of what the operator's configuration adds to requests: secrets, proxies, certificates */
  readonly configuration?: string | undefined;
}

export type Fields = Readonly<Record<string, string>>;

/** An answer as it is kept, with what it was asked by. */
export interface Stored {
  readonly owner: string;
  readonly configuration: string;
  readonly url: string;
  readonly identity: Identity;
  readonly policy: RedirectPolicy;
  /** the address that answered, and those before it */
  readonly finalUrl: string;
  readonly redirects: readonly Hop[];
  readonly status: number;
  readonly headers: Fields;
  /** what the fields that Vary names were in the request; null for one that was not sent */
  readonly vary: Readonly<Record<string, string | null>>;
  /** when it, or its last validation, was asked for and came, ms since 1970 */
  readonly requestedAt: number;
  readonly receivedAt: number;
  readonly body: Uint8Array;
}

/** Where answers are kept: by the key of an address, and for each of them by variant. */
export interface Store {
  /** All that is kept under a key. */
  find(key: string): Promise<readonly Stored[]>;
  /** Keeps an answer in place of the one with its key and variant, or none where there is no room. */
  put(key: string, variant: string, stored: Stored): Promise<void>;
  remove(key: string, variant?: string): Promise<void>;
}
