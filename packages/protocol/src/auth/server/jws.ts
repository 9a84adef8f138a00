import type { CompactVerifyGetKey, CompactVerifyResult, CryptoKey, JSONWebKeySet } from 'jose';
import { isSignedOtherwise, matchesSeveralKeys } from './jose-errors.ts';

/** Where the keys come from: a fixed set, or a source that is read again when it gets old. */
export type Keys = { readonly keys: readonly object[] } | (() => Promise<unknown>);

/** The header and payload of a token that one of the keys signed; throws an error of jose for others. */
export type CheckSignature = (token: string) => Promise<CompactVerifyResult>;

/** The check of signatures with these keys; loads jose. */
export async function signatureCheck(keys: Keys, algorithms: string[]): Promise<CheckSignature> {
  const { compactVerify, createLocalJWKSet, createRemoteJWKSet, customFetch } = await loadJose();
  const options = { algorithms };
  const keyOf: CompactVerifyGetKey =
    typeof keys === 'function'
      ? // jose decides when to read again; where from is the source's business, so the URL says nothing
        createRemoteJWKSet(new URL('jwks:'), { [customFetch]: async () => Response.json(await keys()) })
      : // jose checks what the members are
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

/** The outcome with the first key that made the signature of a token without a key id. */
async function firstMatch(
  candidates: AsyncIterable<CryptoKey> & Error,
  check: (key: CryptoKey) => Promise<CompactVerifyResult>,
): Promise<CompactVerifyResult> {
  for await (const key of candidates) {
    try {
      return await check(key);
    } catch (failure) {
      // another key may have made the signature
      if (!isSignedOtherwise(failure)) throw failure;
    }
  }
  throw candidates;
}

async function loadJose() {
  try {
    // a third of what the whole package takes to load
    const [verify, local, remote] = await Promise.all([
      import('jose/jws/compact/verify'),
      import('jose/jwks/local'),
      import('jose/jwks/remote'),
    ]);
    return { ...verify, ...local, ...remote };
  } catch (cause) {
    throw new Error('jwks needs the package jose 6; run npm install jose', { cause });
  }
}
