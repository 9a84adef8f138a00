import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomUUID,
} from 'node:crypto';
import { plainUrl } from '../urls.ts';
import { asObject } from './fields.ts';
import { secondsNow, signJwt } from './jwt.ts';

/** The request that a proof is for. */
export interface Proven {
  readonly method: string;
  readonly url: URL;
  /** the access token that the request carries */
  readonly token?: string;
  /** the nonce that the receiver requires */
  readonly nonce?: string | undefined;
}

/** The signature algorithm of proofs. */
export const DPOP_ALGORITHM = 'ES256';

/**
 * A DPoP key. Access tokens are bound to it, so that a stolen token is useless without it.
 * Source: https://www.rfc-editor.org/rfc/rfc9449.html#section-4.2
 */
export class DpopKey {
  readonly #key: KeyObject;
  readonly #public: JsonWebKey;

  private constructor(key: KeyObject) {
    this.#key = key;
    const { kty, crv, x, y } = createPublicKey(key).export({ format: 'jwk' });
    this.#public = { kty, crv, x, y } as JsonWebKey; // an EC key has all four members
  }

  static create(): DpopKey {
    return new DpopKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  }

  /** Returns the key that `save` wrote; throws for any other text. */
  static load(text: string): DpopKey {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new TypeError('not a P-256 key');
    return new DpopKey(key);
  }

  /** Returns the private key as text, for a credential store only. */
  save(): string {
    return this.#key.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
  }

  /** The SHA-256 thumbprint of the public key. */
  get thumbprint(): string {
    const { crv, kty, x, y } = this.#public;
    return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  }

  /** Returns a new proof for one request: the value of its `DPoP` header. */
  prove({ method, url, token, nonce }: Proven): string {
    const claims = {
      jti: randomUUID(),
      htm: method,
      htu: plainUrl(url),
      iat: secondsNow(),
      ...(token !== undefined && { ath: createHash('sha256').update(token).digest('base64url') }),
      ...(nonce !== undefined && { nonce }),
    };
    return signJwt({ typ: 'dpop+jwt', jwk: this.#public }, claims, {
      key: this.#key,
      algorithm: DPOP_ALGORITHM,
      keyId: undefined,
    });
  }
}

/** Returns a server's nonce if it is valid. */
export function readNonce(value: string | undefined): string | undefined {
  return value !== undefined && /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/.test(value) ? value : undefined;
}

/** Returns the nonce in a proof. */
export function nonceOf(proof: string | undefined): string | undefined {
  const claims = proof?.split('.')[1];
  if (claims === undefined) return undefined;
  const { nonce } = asObject(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))) ?? {};
  return typeof nonce === 'string' ? nonce : undefined;
}
