import type { Hop } from '../failure.ts';
import type { Identity, RedirectPolicy, VisitRequest } from '../web/visit.ts';

/** A request with all that distinguishes it from another: its owner, URL, method and header fields. */
export interface CacheRequest extends Pick<VisitRequest, 'url' | 'method' | 'identity' | 'redirects'> {
  /** header fields by lower-case name; no secrets, which `configuration` stands for */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** the principal; its stored responses are returned to nobody else */
  readonly owner: string;
  /** a fingerprint of the operator's options that change requests: secrets, proxies, certificates */
  readonly configuration?: string | undefined;
}

export type Fields = Readonly<Record<string, string>>;

/** A stored response, with the request that it answered. */
export interface StoredResponse {
  readonly owner: string;
  readonly configuration: string;
  readonly url: string;
  readonly identity: Identity;
  readonly policy: RedirectPolicy;
  /** the URL that responded, and the redirects before it */
  readonly finalUrl: string;
  readonly redirects: readonly Hop[];
  readonly status: number;
  readonly headers: Fields;
  /** the request's values of the fields that Vary names; null for one that was not sent */
  readonly vary: Readonly<Record<string, string | null>>;
  /** when it, or its last validation, was requested and received, ms since 1970 */
  readonly requestedAt: number;
  readonly receivedAt: number;
  readonly body: Uint8Array;
}

/** A storage of responses: by the key of a URL, and by variant. */
export interface Store {
  /** Returns all responses of a key. */
  find(key: string): Promise<readonly StoredResponse[]>;
  /** Stores a response in place of the one with its key and variant, or nothing if there is no room. */
  put(key: string, variant: string, stored: StoredResponse): Promise<void>;
  remove(key: string, variant?: string): Promise<void>;
}
