import type { CryptoKey } from 'jose';

const SEVERAL_KEYS = 'ERR_JWKS_MULTIPLE_MATCHING_KEYS';
const SIGNED_OTHERWISE = 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';

/** Codes with which jose says that a token is bad, as opposed to keys that cannot be had. */
const INVALID: ReadonlySet<unknown> = new Set([
  SEVERAL_KEYS,
  SIGNED_OTHERWISE,
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JOSE_NOT_SUPPORTED',
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWS_INVALID',
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWT_EXPIRED',
  'ERR_JWT_INVALID',
]);

/** Whether jose threw this over a token that is not genuine. */
export function saysInvalid(failure: unknown): boolean {
  return INVALID.has(codeOf(failure));
}

export function isSignedOtherwise(failure: unknown): boolean {
  return codeOf(failure) === SIGNED_OTHERWISE;
}

/** Whether a token without a key id could be of several keys, which jose then gives one by one. */
export function matchesSeveralKeys(failure: unknown): failure is Error & AsyncIterable<CryptoKey> {
  return codeOf(failure) === SEVERAL_KEYS;
}

function codeOf(failure: unknown): unknown {
  return failure instanceof Error && 'code' in failure ? failure.code : undefined;
}
