import type { CryptoKey } from 'jose';

const SEVERAL_KEYS = 'ERR_JWKS_MULTIPLE_MATCHING_KEYS';
const OTHER_SIGNATURE = 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED';

/** The jose codes for an invalid token, as opposed to unavailable keys. */
const INVALID: ReadonlySet<unknown> = new Set([
  SEVERAL_KEYS,
  OTHER_SIGNATURE,
  'ERR_JOSE_ALG_NOT_ALLOWED',
  'ERR_JOSE_NOT_SUPPORTED',
  'ERR_JWKS_NO_MATCHING_KEY',
  'ERR_JWS_INVALID',
  'ERR_JWT_CLAIM_VALIDATION_FAILED',
  'ERR_JWT_EXPIRED',
  'ERR_JWT_INVALID',
]);

/** Returns true if jose threw this because the token is not genuine. */
export function isInvalidToken(failure: unknown): boolean {
  return INVALID.has(codeOf(failure));
}

export function isOtherSignature(failure: unknown): boolean {
  return codeOf(failure) === OTHER_SIGNATURE;
}

/** Returns true if several keys match a token without a key id; jose then yields them one by one. */
export function matchesSeveralKeys(failure: unknown): failure is Error & AsyncIterable<CryptoKey> {
  return codeOf(failure) === SEVERAL_KEYS;
}

function codeOf(failure: unknown): unknown {
  return failure instanceof Error && 'code' in failure ? failure.code : undefined;
}
