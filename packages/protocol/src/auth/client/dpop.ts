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

/** What a proof is made for. */
export interface Proven {
  readonly method: string;
  readonly url: URL;
  /** the access token that the request carries */
  readonly token?: string;
  /** the nonce that the receiver wants to see */
  readonly nonce?: string | undefined;
}

/** The one algorithm that proofs are signed with. */
export const DPOP_ALGORITHM = 'ES256';

/**
 * A key that access tokens are bound to, so that a stolen token is of no use without it.
 * Source: https://www.rfc-editor.org/rfc/rfc9449.html#section-4.2
 */
export class DpopKey {
  readonly #key: KeyObject;
  readonly #public: JsonWebKey;

  private constructor(key: KeyObject) {
    this.#key = key;
    const { kty, crv, x, y } = createPublicKey(key).export({ format: 'jwk' });
    this.#public = { kty, crv, x, y } as JsonWebKey;
  }

  static create(): DpopKey {
    return new DpopKey(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey);
  }

  /** The key that `save` wrote; throws when the text is none. */
  static load(text: string): DpopKey {
    const key = createPrivateKey({ key: Buffer.from(text, 'base64url'), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new TypeError('not a P-256 key');
    return new DpopKey(key);
  }

  /** The private key, for a credential store alone. */
  save(): string {
    return this.#key.export({ format: 'der', type: 'pkcs8' }).toString('base64url');
  }

  /** The SHA-256 thumbprint of the public key. */
  get thumbprint(): string {
    const { crv, kty, x, y } = this.#public;
    return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url');
  }

  /** A fresh proof for one request: the value of its `DPoP` header. */
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

/** A nonce that a server gave, when it is one. */
export function readNonce(value: string | undefined): string | undefined {
  return value !== undefined && /^[\x21\x23-\x5b\x5d-\x7e]{1,1024}$/.test(value) ? value : undefined;
}

/** The nonce that a proof holds. */
export function nonceOf(proof: string | undefined): string | undefined {
  const claims = proof?.split('.')[1];
  if (claims === undefined) return undefined;
  const { nonce } = asObject(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))) ?? {};
  return typeof nonce === 'string' ? nonce : undefined;
}
