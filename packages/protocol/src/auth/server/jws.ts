import type { CompactVerifyGetKey, CompactVerifyResult, CryptoKey, JSONWebKeySet } from 'jose';
import { isOtherSignature, matchesSeveralKeys } from './jose-errors.ts';

/** A source of keys: a fixed set, or a function that reads the set again when it is old. */
export type Keys = { readonly keys: readonly object[] } | (() => Promise<unknown>);

/** Returns the header and payload of a token that one of the keys signed; throws a jose error for others. */
export type CheckSignature = (token: string) => Promise<CompactVerifyResult>;

/** Returns a signature check with these keys; loads jose. */
export async function signatureCheck(keys: Keys, algorithms: string[]): Promise<CheckSignature> {
  const { compactVerify, createLocalJWKSet, createRemoteJWKSet, customFetch } = await loadJose();
  const options = { algorithms };
  const keyOf: CompactVerifyGetKey =
    typeof keys === 'function'
      ? // jose decides when to read again; the function knows the location, so the URL is not used
        createRemoteJWKSet(new URL('jwks:'), { [customFetch]: async () => Response.json(await keys()) })
      : // jose checks the members
        createLocalJWKSet(keys as JSONWebKeySet);

  return async (token) => {
    try {
      return await compactVerify(token, keyOf, options);
    } catch (failure) {
      if (!matchesSeveralKeys(failure)) throw failure;
      return firstMatch(failure, (key) => compactVerify(token, key, options));
    }
  };
}

/** Returns the result with the first key that made the signature of a token without a key id. */
async function firstMatch(
  candidates: AsyncIterable<CryptoKey> & Error,
  check: (key: CryptoKey) => Promise<CompactVerifyResult>,
): Promise<CompactVerifyResult> {
  for await (const key of candidates) {
    try {
      return await check(key);
    } catch (failure) {
      // another key may have made the signature
      if (!isOtherSignature(failure)) throw failure;
    }
  }
  throw candidates;
}

async function loadJose() {
  try {
    // a third of the time that the whole package takes to load
    const [verify, local, remote] = await Promise.all([
      import('jose/jws/compact/verify'),
      import('jose/jwks/local'),
      import('jose/jwks/remote'),
    ]);
    return { ...verify, ...local, ...remote };
  } catch (cause) {
    throw new Error('jwks requires the package jose 6; run npm install jose', { cause });
  }
}
