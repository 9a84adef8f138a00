import { checkMetadataUrl } from './client-metadata.ts';
import type { AuthenticationMethod, Credentials } from './credentials.ts';
import { AuthorizationError } from './error.ts';
import type { GrantContext } from './grant.ts';
import { type Issuer, isIssuerIdentifier } from './issuer.ts';
import { type PrivateKey, readSigningKey, type SigningKey } from './jwt.ts';
import type { Records } from './records.ts';
import { type ClientDescription, type Registration, register } from './registration.ts';

/**
 * A client that is registered at an authorization server. Its secrets are sent to no other.
 * @example
 * const registered: RegisteredClient = { issuer: 'https://login.example.com', clientId: 'desk', clientSecret: 'secret' };
 */
export interface RegisteredClient {
  /** the issuer identifier of that authorization server */
  issuer: string;
  clientId: string;
  clientSecret?: string;
  /** signs assertions instead of a secret */
  privateKey?: PrivateKey;
  keyId?: string;
  /** default: the best one that the authorization server supports */
  method?: AuthenticationMethod;
}

/**
 * The ways to identify a client; the first that an authorization server supports is used.
 * @example
 * const client: ClientChoice = { metadataUrl: 'https://app.example/client.json', dynamic: false };
 */
export interface ClientChoice {
  registered?: RegisteredClient | readonly RegisteredClient[];
  /** the https URL of a client metadata document, which is the client id */
  metadataUrl?: string;
  /** signs the requests of the client that `metadataUrl` describes */
  privateKey?: PrivateKey;
  keyId?: string;
  /** whether the client may register dynamically; default true only without `registered` */
  dynamic?: boolean;
}

/** A client choice with parsed keys and checked issuers. */
export interface Identity {
  readonly registered: ReadonlyMap<string, Credentials>;
  readonly metadataUrl: string | undefined;
  readonly key: SigningKey | undefined;
  readonly dynamic: boolean;
}

export function readIdentity(choice: ClientChoice): Identity {
  const { registered, metadataUrl, privateKey, keyId, dynamic = registered === undefined } = choice;
  const list = registered === undefined ? [] : [registered].flat();
  return Object.freeze({
    registered: new Map(list.map((client) => [client.issuer, readRegistered(client)])),
    metadataUrl: metadataUrl === undefined ? undefined : checkMetadataUrl(metadataUrl),
    key: privateKey === undefined ? undefined : readSigningKey(privateKey, keyId),
    dynamic,
  });
}

export function readRegistered(client: RegisteredClient): Credentials {
  const { issuer, clientId, clientSecret, privateKey, keyId, method } = client;
  if (typeof issuer !== 'string' || !isIssuerIdentifier(issuer)) {
    throw new TypeError('issuer of a registered client must be the identifier of its authorization server');
  }
  if (typeof clientId !== 'string' || clientId === '') throw new TypeError('clientId must not be empty');
  return {
    clientId,
    secret: clientSecret,
    key: privateKey === undefined ? undefined : readSigningKey(privateKey, keyId),
    method,
  };
}

/**
 * Returns the credentials of the client at the authorization server; registers it if there is no other way.
 * Source: https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization/client-registration
 */
export async function identify(
  { net, records, target: { issuer }, scopes }: GrantContext,
  identity: Identity,
  description: ClientDescription,
  redirectUri: string,
): Promise<Credentials> {
  const known = knownCredentials(identity, issuer);
  if (known !== undefined) return known;
  if (!identity.dynamic) throw unknownClient(identity);
  const kept = await records.registration(issuer.id);
  if (kept !== undefined && kept.redirectUri === redirectUri && !isExpired(kept)) return kept.credentials;
  const registration = await register(net, issuer, description, redirectUri, scopes);
  await records.keepRegistration(registration);
  return registration.credentials;
}

/** Returns the stored credentials of an identified client; undefined if they were lost. */
export async function storedCredentials(
  identity: Identity,
  issuer: Issuer,
  records: Records,
  clientId: string,
): Promise<Credentials | undefined> {
  const kept = await records.registration(issuer.id);
  const registered = kept === undefined || isExpired(kept) ? undefined : kept.credentials;
  const credentials = knownCredentials(identity, issuer) ?? registered;
  return credentials?.clientId === clientId ? credentials : undefined;
}

function knownCredentials(
  { registered, metadataUrl, key }: Identity,
  issuer: Issuer,
): Credentials | undefined {
  const credentials = registered.get(issuer.id);
  if (credentials !== undefined) return credentials;
  if (metadataUrl === undefined || !issuer.takesMetadataDocuments) return undefined;
  return { clientId: metadataUrl, secret: undefined, key, method: undefined };
}

function unknownClient({ registered }: Identity): AuthorizationError {
  return new AuthorizationError(
    'registration',
    registered.size > 0
      ? 'the server names another authorization server than the one of the registered client'
      : 'the authorization server does not support client metadata documents; register the client there',
  );
}

function isExpired({ expiresAt }: Registration): boolean {
  return expiresAt !== undefined && expiresAt <= Date.now();
}
