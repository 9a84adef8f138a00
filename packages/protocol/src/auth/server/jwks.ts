import type { Fetch } from '../fetch-json.ts';
import type { Verify } from './bearer-options.ts';
import type { Claims } from './claims.ts';
import { type CheckSignature, signatureCheck } from './jws.ts';
import { type KeyLocation, keySource } from './key-source.ts';

/**
 * Where the keys of an issuer are, and which signatures are taken.
 * @example
 * const options: JwksOptions = { issuer: 'https://login.example.com', algorithms: ['ES256'] };
 */
export interface JwksOptions {
  /** the only authorization server that these keys speak for */
  issuer: string;
  /** the keys, or the URL or file that has them; default what the metadata of the issuer says */
  jwks?: KeyLocation;
  /** default every signature of RSA, elliptic and Edwards keys */
  algorithms?: readonly string[];
  /** takes only tokens that say that they are access tokens (RFC 9068); default false, since many issuers do not say it */
  requireType?: boolean;
  fetch?: Fetch;
}

/** With symmetric ones, whoever knows the public key could sign. */
const ASYMMETRIC = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const ACCESS_TOKEN = ['at+jwt', 'application/at+jwt'];
const UNSAID = ['jwt', undefined];

/**
 * A `verify` for tokens that are JWTs, by the published keys of their authorization server; needs the package jose.
 * Keys are read at the first token, every ten minutes, and for a key that is not known, at most twice a minute.
 *
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
  const types = requireType ? ACCESS_TOKEN : [...ACCESS_TOKEN, ...UNSAID];
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

/** The claims that a signed payload holds, or undefined when it holds something else. */
function parseClaims(payload: Uint8Array): Claims | undefined {
  let claims: unknown;
  try {
    claims = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    // signed, and yet no JWT
    return undefined;
  }
  // what the claims are is for bearer to check
  return typeof claims === 'object' && claims !== null ? (claims as Claims) : undefined;
}
