import type { Fetch } from '../fetch-json.ts';
import type { Verify } from './bearer-options.ts';
import type { Claims } from './claims.ts';
import { type CheckSignature, signatureCheck } from './jws.ts';
import { type KeyLocation, keySource } from './key-source.ts';

/**
 * Options for the keys and signatures of an issuer.
 * @example
 * const options: JwksOptions = { issuer: 'https://login.example.com', algorithms: ['ES256'] };
 */
export interface JwksOptions {
  /** the only authorization server that uses these keys */
  issuer: string;
  /** the keys, or their URL or file; default the jwks_uri of the issuer's metadata */
  jwks?: KeyLocation;
  /** default all algorithms with RSA, elliptic and Edwards keys */
  algorithms?: readonly string[];
  /**
   * accepts only tokens with the type of access tokens (RFC 9068); default false, since many issuers do not
   * set it
   */
  requireType?: boolean;
  fetch?: Fetch;
}

/** Symmetric algorithms are excluded: everybody with the public key could sign. */
const ASYMMETRIC = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const ACCESS_TOKEN = ['at+jwt', 'application/at+jwt'];
const UNTYPED = ['jwt', undefined];

/**
 * Returns a `verify` for JWTs with the published keys of their authorization server; requires the package
 * jose. Keys are read at the first token, every ten minutes, and for an unknown key at most twice a minute.
 * @example const verify = jwks({ issuer: 'https://login.example.com' });
 */
export function jwks(options: JwksOptions): Verify {
  const { issuer, jwks: location, requireType = false } = options;
  const algorithms = [...(options.algorithms ?? ASYMMETRIC)];
  if (!algorithms.every((algorithm) => ASYMMETRIC.includes(algorithm))) {
    throw new TypeError(`algorithms must be of ${ASYMMETRIC.join(', ')}`);
  }
  const fixed = typeof location === 'object' && 'keys' in location;
  const keys = fixed ? location : keySource(issuer, location, options.fetch);
  const types = requireType ? ACCESS_TOKEN : [...ACCESS_TOKEN, ...UNTYPED];
  let loading: Promise<CheckSignature> | undefined;

  return async (token) => {
    loading ??= signatureCheck(keys, algorithms);
    const checkSignature = await loading.catch((failure: unknown) => {
      loading = undefined;
      throw failure;
    });
    const { protectedHeader, payload } = await checkSignature(token);
    const { typ } = protectedHeader;
    if (!types.includes(typeof typ === 'string' ? typ.toLowerCase() : typ)) return undefined;
    const claims = parseClaims(payload);
    return claims?.iss === issuer ? claims : undefined;
  };
}

/** Returns the claims of a signed payload, or undefined if it is not a JSON object. */
function parseClaims(payload: Uint8Array): Claims | undefined {
  let claims: unknown;
  try {
    claims = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    // the signature is valid, but the payload is not a JWT
    return undefined;
  }
  // bearer checks the claims
  return typeof claims === 'object' && claims !== null ? (claims as Claims) : undefined;
}
