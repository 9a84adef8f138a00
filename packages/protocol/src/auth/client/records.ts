import { isAuthenticationMethod } from './credentials.ts';
import { DpopKey } from './dpop.ts';
import { asObject } from './fields.ts';
import type { Registration } from './registration.ts';
import type { CredentialStore } from './store.ts';
import { isAccessToken } from './token-endpoint.ts';

/** The authorization server and the resource of tokens. */
export interface Binding {
  readonly issuer: string;
  readonly resource: string;
  /** the server is its own authorization server */
  readonly self: boolean;
}

/** An access token and the values for its use and renewal. */
export interface Tokens extends Binding {
  readonly clientId: string;
  readonly access: string;
  readonly refresh: string | undefined;
  /** milliseconds since 1970 */
  readonly expiresAt: number | undefined;
  /** milliseconds since 1970 after which it should be renewed */
  readonly staleAt: number | undefined;
  readonly granted: readonly string[];
  readonly requested: readonly string[];
  /** the DPoP key of the token */
  readonly dpop: DpopKey | undefined;
}

/**
 * The stored tokens and registrations. Each is stored under its issuer, so that nothing is sent to another
 * authorization server. Unreadable entries count as missing.
 */
export class Records {
  readonly #store: CredentialStore;
  readonly #grant: string;

  /** `grant` separates the tokens of users and programs. */
  constructor(store: CredentialStore, grant: string) {
    this.#store = store;
    this.#grant = grant;
  }

  async binding(server: string): Promise<Binding | undefined> {
    return readBinding(await this.#read(['server', this.#grant, server]));
  }

  async tokens(of: Binding): Promise<Tokens | undefined> {
    return readTokens(await this.#read(this.#tokensKey(of)));
  }

  async keepTokens(server: string, tokens: Tokens): Promise<void> {
    const { issuer, resource, self, dpop } = tokens;
    await this.#write(this.#tokensKey(tokens), { ...tokens, dpop: dpop?.save() });
    await this.#write(['server', this.#grant, server], { issuer, resource, self });
  }

  async dropTokens(of: Binding): Promise<void> {
    await this.#store.remove(keyOf(this.#tokensKey(of)));
  }

  async registration(issuer: string): Promise<Registration | undefined> {
    return readRegistration(await this.#read(['client', issuer]));
  }

  async keepRegistration(registration: Registration): Promise<void> {
    const { issuer, redirectUri, expiresAt, credentials } = registration;
    const { clientId, secret, method } = credentials;
    await this.#write(['client', issuer], { issuer, redirectUri, expiresAt, clientId, secret, method });
  }

  async dropRegistration(issuer: string): Promise<void> {
    await this.#store.remove(keyOf(['client', issuer]));
  }

  #tokensKey({ issuer, resource }: Binding): readonly string[] {
    return ['tokens', this.#grant, issuer, resource];
  }

  async #read(key: readonly string[]): Promise<Readonly<Record<string, unknown>> | undefined> {
    const text = await this.#store.read(keyOf(key));
    if (text === undefined) return undefined;
    try {
      return asObject(JSON.parse(text));
    } catch {
      // a damaged entry is requested again
      return undefined;
    }
  }

  async #write(key: readonly string[], value: object): Promise<void> {
    await this.#store.write(keyOf(key), JSON.stringify(value));
  }
}

/** Returns a store key. URLs contain no spaces, so keys are unambiguous. */
function keyOf(parts: readonly string[]): string {
  return parts.map((part) => part.replace(/ /g, '%20')).join(' ');
}

type Entry = Readonly<Record<string, unknown>> | undefined;

function readBinding(entry: Entry): Binding | undefined {
  const { issuer, resource, self } = entry ?? {};
  if (typeof issuer !== 'string' || typeof resource !== 'string') return undefined;
  return { issuer, resource, self: self === true };
}

function readTokens(entry: Entry): Tokens | undefined {
  const binding = readBinding(entry);
  const { clientId, access, refresh, expiresAt, staleAt, granted, requested, dpop } = entry ?? {};
  if (binding === undefined || typeof clientId !== 'string' || !isAccessToken(access)) return undefined;
  const key = typeof dpop === 'string' ? readKey(dpop) : undefined;
  if (dpop !== undefined && key === undefined) return undefined;
  return {
    ...binding,
    clientId,
    access,
    refresh: optionalText(refresh),
    expiresAt: optionalNumber(expiresAt),
    staleAt: optionalNumber(staleAt),
    granted: texts(granted),
    requested: texts(requested),
    dpop: key,
  };
}

function readRegistration(entry: Entry): Registration | undefined {
  const { issuer, redirectUri, expiresAt, clientId, secret, method } = entry ?? {};
  if (typeof issuer !== 'string' || typeof redirectUri !== 'string' || typeof clientId !== 'string') {
    return undefined;
  }
  return {
    issuer,
    redirectUri,
    expiresAt: optionalNumber(expiresAt),
    credentials: {
      clientId,
      secret: optionalText(secret),
      key: undefined,
      method: isAuthenticationMethod(method) ? method : undefined,
    },
  };
}

function readKey(text: string): DpopKey | undefined {
  try {
    return DpopKey.load(text);
  } catch {
    // a bound token is useless without its key
    return undefined;
  }
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function optionalNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
