import { createPrivateKey, type JsonWebKey, KeyObject, sign } from 'node:crypto';

export type SigningAlgorithm = 'ES256' | 'RS256';

/** A private key that assertions are signed with. */
export interface SigningKey {
  readonly key: KeyObject;
  readonly algorithm: SigningAlgorithm;
  /** what the authorization server knows the public key by */
  readonly keyId: string | undefined;
}

/**
 * A private key as PEM text, as JWK or as Node holds it: P-256 for ES256, RSA of at least 2048 bits for RS256.
 * @example
 * import { generateKeyPairSync } from 'node:crypto';
 * const key: PrivateKey = generateKeyPairSync('ed25519').privateKey;
 */
export type PrivateKey = string | JsonWebKey | KeyObject;

/** The key of an option; the algorithm follows from its kind. */
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

/** A signed JSON Web Token. */
export function signJwt(header: object, claims: object, { key, algorithm }: SigningKey): string {
  const content = `${encode({ alg: algorithm, ...header })}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(content), { key, dsaEncoding: 'ieee-p1363' });
  return `${content}.${signature.toString('base64url')}`;
}

/** Seconds since 1970, as tokens count time. */
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
    // the parser's own words may quote the key
    throw new TypeError('privateKey must be a private key as PEM text or JWK');
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
