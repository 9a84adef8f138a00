import { createPrivateKey, type JsonWebKey, KeyObject, sign } from 'node:crypto';

export type SigningAlgorithm = 'ES256' | 'RS256';

/** A private key that signs assertions. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly algorithm: SigningAlgorithm;
  /** the key id at the authorization server */
  readonly keyId: string | undefined;
}

/**
 * A private key as PEM text, JWK or KeyObject: P-256 for ES256, or RSA of at least 2048 bits for RS256.
 * @example
 * import { generateKeyPairSync } from 'node:crypto';
 * const key: PrivateKey = generateKeyPairSync('ed25519').privateKey;
 */
export type PrivateKey = string | JsonWebKey | KeyObject;

/** Returns the signing key of an option; its type determines the algorithm. */
export function readSigningKey(source: PrivateKey, keyId: string | undefined): SigningKey {
  const key = toKeyObject(source);
  if (key.type !== 'private') throw new TypeError('privateKey must be a private key, not a public one');
  const details = key.asymmetricKeyDetails;
  if (key.asymmetricKeyType === 'ec' && details?.namedCurve === 'prime256v1') {
    return { key, algorithm: 'ES256', keyId };
  }
  if (key.asymmetricKeyType === 'rsa' && (details?.modulusLength ?? 0) >= 2048) {
    return { key, algorithm: 'RS256', keyId };
  }
  throw new TypeError('privateKey must be an EC key on P-256 or an RSA key of at least 2048 bits');
}

/** Returns a signed JSON Web Token. */
export function signJwt(header: object, claims: object, { key, algorithm }: SigningKey): string {
  const content = `${encode({ alg: algorithm, ...header })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

/** Returns the current time in seconds since 1970. */
export function secondsNow(): number {
  return Math.floor(Date.now() / 1000);
}

function toKeyObject(source: PrivateKey): KeyObject {
  if (source instanceof KeyObject) return source;
  try {
    return typeof source === 'string'
      ? createPrivateKey(source)
      : createPrivateKey({ key: source, format: 'jwk' });
  } catch {
    // the parser's message may quote the key
    throw new TypeError('privateKey must be a private key as PEM text or JWK');
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
