import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CompactEncrypt, CompactSign, type CryptoKey, exportSPKI, importJWK, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { bearer, type JwksOptions, jwks } from '../../../src/auth.ts';
import { refusal } from './asking.ts';
import { Issuer, RESOURCE, signingKey } from './issuer.ts';

const INVALID = '401 the access token is invalid';
const UNAVAILABLE = '503 access tokens cannot be checked now; try again later';

let issuer: Issuer;
let heard: string[];

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  issuer = await Issuer.start();
  heard = [];
});
afterEach(async () => {
  vi.useRealTimers();
  await issuer.stop();
});

/** Returns an authorizer without a cache. */
function authorizer(options: Partial<JwksOptions> = {}) {
  return bearer({
    verify: jwks({ issuer: issuer.url, ...options }),
    resource: RESOURCE,
    authorizationServers: [issuer.url],
    cacheSeconds: 0,
    onError: (message) => heard.push(message),
  });
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a text that the issuer signed. */
function signed(text: string | Buffer, header: Record<string, unknown> = {}): Promise<string> {
  return new CompactSign(Buffer.from(text))
    .setProtectedHeader({ alg: 'ES256', ...header })
    .sign(issuer.keys[0]!.privateKey, { crit: { exotic: true } });
}

describe('the source of the keys', () => {
  test('the metadata of the issuer, by default', async () => {
    const guarded = authorizer();
    expect(await refusal(guarded, await issuer.token())).toBe('admitted');
    expect(await refusal(guarded, await issuer.token({ claims: { sub: 'bob' } }))).toBe('admitted');
    expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/keys']);
  });

  test('the metadata of an issuer with a path is searched at three URLs', async () => {
    await issuer.stop();
    issuer = await Issuer.start({ path: '/tenant' });
    expect(await refusal(authorizer(), await issuer.token())).toBe('admitted');
    const other = jwks({ issuer: `${issuer.url}/other` });
    await expect(other(await issuer.token(), new AbortController().signal)).rejects.toThrow(
      `no metadata of the authorization server ${issuer.url}/other was found`,
    );
    expect(issuer.asked).toEqual([
      '/.well-known/oauth-authorization-server/tenant',
      '/keys',
      '/.well-known/oauth-authorization-server/tenant/other',
      '/.well-known/openid-configuration/tenant/other',
      '/tenant/other/.well-known/openid-configuration',
    ]);
  });

  test('a URL, without a request for metadata', async () => {
    for (const location of [issuer.jwksUrl, new URL(issuer.jwksUrl)]) {
      expect(await refusal(authorizer({ jwks: location }), await issuer.token())).toBe('admitted');
    }
    expect(issuer.asked).toEqual(['/keys', '/keys']);
  });

  test('an object, without any request', async () => {
    const guarded = authorizer({ jwks: { keys: [issuer.keys[0]!.jwk] } });
    expect(await refusal(guarded, await issuer.token())).toBe('admitted');
    expect(await refusal(guarded, await issuer.token({ key: await signingKey() }))).toBe(INVALID);
    expect(issuer.asked).toEqual([]);
  });

  test('a file, which is read again for an unknown key', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rootbound-keys-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'keys.json');
    const [first, second] = [issuer.keys[0]!, await signingKey()];
    await writeFile(path, JSON.stringify({ keys: [first.jwk] }));
    for (const location of [path, pathToFileURL(path), pathToFileURL(path).href]) {
      expect(await refusal(authorizer({ jwks: location }), await issuer.token())).toBe('admitted');
    }
    const guarded = authorizer({ jwks: path });
    expect(await refusal(guarded, await issuer.token({ key: second }))).toBe(INVALID);
    await writeFile(path, JSON.stringify({ keys: [second.jwk] }));
    vi.advanceTimersByTime(30_000);
    expect(await refusal(guarded, await issuer.token({ key: second }))).toBe('admitted');
    expect(await refusal(guarded, await issuer.token({ key: first }))).toBe(INVALID);
    expect(issuer.asked).toEqual([]);
  });
});

describe('changing keys', () => {
  test('a new key is known half a minute after the last read, without a restart', async () => {
    const guarded = authorizer();
    expect(await refusal(guarded, await issuer.token())).toBe('admitted');
    issuer.keys = [await signingKey('RS256'), ...issuer.keys];
    expect(await refusal(guarded, await issuer.token())).toBe(INVALID);
    vi.advanceTimersByTime(30_000);
    expect(await refusal(guarded, await issuer.token())).toBe('admitted');
    expect(await refusal(guarded, await issuer.token({ key: issuer.keys[1]! }))).toBe('admitted');
    expect(issuer.timesAsked('/keys')).toBe(2);
  });

  test('a withdrawn key is valid for at most ten more minutes', async () => {
    const guarded = authorizer();
    const old = issuer.keys[0]!;
    expect(await refusal(guarded, await issuer.token())).toBe('admitted');
    issuer.keys = [await signingKey()];
    vi.advanceTimersByTime(599_999);
    expect(await refusal(guarded, await issuer.token({ key: old }))).toBe('admitted');
    vi.advanceTimersByTime(1);
    expect(await refusal(guarded, await issuer.token({ key: old }))).toBe(INVALID);
  });

  test('a flood of unknown keys causes no flood of requests', async () => {
    const guarded = authorizer();
    await refusal(guarded, await issuer.token());
    const stranger = await signingKey();
    const tokens = Array.from({ length: 50 }, (_one, index) => ({
      header: { kid: `k${index}` },
      key: stranger,
    }));
    const outcomes = await Promise.all(
      tokens.map(async (shape) => refusal(guarded, await issuer.token(shape))),
    );
    expect(new Set(outcomes)).toEqual(new Set([INVALID]));
    expect(issuer.timesAsked('/keys')).toBe(1);
  });
});

describe('tokens that are not genuine', () => {
  test.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('(a genuine one of %s is accepted)', async (alg) => {
    issuer.keys = [await signingKey(alg)];
    expect(await refusal(authorizer(), await issuer.token())).toBe('admitted');
  });

  const forged: [string, () => Promise<string>][] = [
    [
      'alg none',
      async () => {
        const [, payload] = (await issuer.token()).split('.');
        return `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`;
      },
    ],
    ['a signature cut off', async () => (await issuer.token()).replace(/[^.]+$/, '')],
    [
      'HS256 with the public key as secret',
      async () => {
        const { jwk, kid } = issuer.keys[0]!;
        // the key set contains a public key
        const pem = await exportSPKI((await importJWK(jwk, 'ES256', { extractable: true })) as CryptoKey);
        const claims = { iss: issuer.url, aud: RESOURCE, sub: 'ada', exp: Date.now() / 1000 + 60 };
        return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(Buffer.from(pem));
      },
    ],
    [
      'HS256 with a secret that the key set holds',
      async () => {
        issuer.keySet = { keys: [{ kty: 'oct', kid: 'shared', k: encode('secret') }] };
        const claims = { iss: issuer.url, aud: RESOURCE, sub: 'ada', exp: Date.now() / 1000 + 60 };
        return new SignJWT(claims)
          .setProtectedHeader({ alg: 'HS256', kid: 'shared' })
          .sign(Buffer.from('"secret"'));
      },
    ],
    [
      'the key id of a key that did not sign it',
      async () => issuer.token({ key: await signingKey(), header: { kid: issuer.keys[0]!.kid } }),
    ],
    [
      'the key id of another key of the set',
      async () => {
        issuer.keys.push(await signingKey());
        return issuer.token({ header: { kid: issuer.keys[1]!.kid } });
      },
    ],
    [
      'no key id and a foreign key',
      async () => issuer.token({ key: await signingKey(), header: { kid: undefined } }),
    ],
    ['a key id that is no text', () => issuer.token({ header: { kid: 1 } })],
    [
      'its own key in the header',
      async () => {
        const key = await signingKey();
        return issuer.token({ key, header: { jwk: key.jwk, kid: undefined } });
      },
    ],
    [
      'claims that were changed',
      async () => {
        const [header, payload = '', signature] = (await issuer.token()).split('.');
        const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
        return `${header}.${encode({ ...claims, sub: 'root' })}.${signature}`;
      },
    ],
    ['a type that is no text', () => issuer.token({ header: { typ: 1 } })],
    ['a type that is no access token', () => issuer.token({ header: { typ: 'logout+jwt' } })],
    ['a header that must be understood', () => signed('{}', { crit: ['exotic'], exotic: 1 })],
    [
      'another issuer, signed by the keys of this one',
      () => issuer.token({ claims: { iss: 'https://login.example.com' } }),
    ],
    ['no dots', async () => 'opaque'],
    ['three dots', async () => `${await issuer.token()}.a`],
    ['nothing but dots', async () => '..'],
    ['a header that is no JSON', async () => `${Buffer.from('{').toString('base64url')}.e30.e30`],
    ['a signed text that is no object', () => signed('"ada"')],
    [
      'a signed text that is not UTF-8',
      () => {
        const claims = { iss: issuer.url, aud: RESOURCE, sub: '\u00ff', exp: 1_800_000_060 };
        return signed(Buffer.from(JSON.stringify(claims), 'latin1'));
      },
    ],
    [
      'an encrypted one',
      async () => {
        const key = await importJWK({ kty: 'oct', k: Buffer.alloc(32).toString('base64url') }, 'dir');
        return new CompactEncrypt(Buffer.from('{}'))
          .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
          .encrypt(key);
      },
    ],
  ];
  test.each(forged)('a token with %s is not valid', async (_name, forge) => {
    const guarded = authorizer();
    expect(await refusal(guarded, await forge())).toBe(INVALID);
    expect(heard).toEqual([]);
  });

  test('a token with a key URL causes no request to it', async () => {
    const attacker = await Issuer.start();
    onTestFinished(() => attacker.stop());
    const header = { jku: attacker.jwksUrl, x5u: attacker.jwksUrl };
    const token = await attacker.token({ claims: { iss: issuer.url }, header });
    expect(await refusal(authorizer(), token)).toBe(INVALID);
    expect(attacker.asked).toEqual([]);
  });

  test.each([
    ['expired', { exp: 1_799_999_000 }, '401 the access token has expired'],
    ['not yet good', { nbf: 1_800_000_999 }, '401 the access token is not valid yet'],
    [
      'for another server',
      { aud: 'https://other.example.com' },
      '401 the access token is not for this server',
    ],
  ])('a genuine token that is %s is refused with the reason', async (_name, claims, outcome) => {
    expect(await refusal(authorizer(), await issuer.token({ claims }))).toBe(outcome);
  });

  test('a token without a key id is tried with every key of its algorithm', async () => {
    issuer.keys = [await signingKey(), await signingKey(), await signingKey('RS256'), ...issuer.keys];
    const token = await issuer.token({ key: issuer.keys[3]!, header: { kid: undefined } });
    expect(await refusal(authorizer(), token)).toBe('admitted');
    const foreign = await issuer.token({ key: await signingKey(), header: { kid: undefined } });
    expect(await refusal(authorizer(), foreign)).toBe(INVALID);
  });

  test.each(['JWT', 'AT+JWT', 'application/at+jwt', undefined])('type %s is accepted', async (typ) => {
    expect(await refusal(authorizer(), await issuer.token({ header: { typ } }))).toBe('admitted');
  });

  test('only access tokens with their type are accepted if configured', async () => {
    const guarded = authorizer({ requireType: true });
    expect(await refusal(guarded, await issuer.token())).toBe('admitted');
    expect(await refusal(guarded, await issuer.token({ header: { typ: 'JWT' } }))).toBe(INVALID);
    expect(await refusal(guarded, await issuer.token({ header: { typ: undefined } }))).toBe(INVALID);
  });

  test('only the configured algorithms are accepted', async () => {
    const guarded = authorizer({ algorithms: ['RS256'] });
    expect(await refusal(guarded, await issuer.token())).toBe(INVALID);
  });

  test.each(['HS256', 'none', 'RSA1_5', 'dir'])('the algorithm %s cannot be configured', (algorithm) => {
    expect(() => jwks({ issuer: issuer.url, algorithms: ['ES256', algorithm] })).toThrow(
      /^algorithms must be of RS256/,
    );
  });
});

describe('unavailable keys', () => {
  test('tokens get 503 while the server of the keys is down, which is asked again after five seconds', async () => {
    const guarded = authorizer({ jwks: issuer.jwksUrl });
    const token = await issuer.token();
    await issuer.stop();
    expect(await refusal(guarded, token)).toBe(UNAVAILABLE);
    await issuer.resume();
    expect(await refusal(guarded, token)).toBe(UNAVAILABLE);
    expect(issuer.asked).toEqual([]);
    vi.advanceTimersByTime(5_000);
    expect(await refusal(guarded, token)).toBe('admitted');
    expect(heard).toHaveLength(2);
    expect(heard[0]).toMatch(/^an access token could not be checked: fetch failed: connect ECONNREFUSED /);
  });

  test('tokens of known keys are valid while the server of the keys is down', async () => {
    const guarded = authorizer();
    expect(await refusal(guarded, await issuer.token())).toBe('admitted');
    await issuer.stop();
    vi.advanceTimersByTime(599_999);
    expect(await refusal(guarded, await issuer.token())).toBe('admitted');
    vi.advanceTimersByTime(1);
    expect(await refusal(guarded, await issuer.token())).toBe(UNAVAILABLE);
    await issuer.resume();
  });

  const wrong: [string, () => void, RegExp][] = [
    ['a key set that is not JSON', () => (issuer.keySet = '<html>'), /keys does not respond with JSON/],
    ['a key set that is none', () => (issuer.keySet = { keys: 'x' }), /JSON Web Key Set malformed/],
    [
      'a key set of more than 1 MiB',
      () => (issuer.keySet = { keys: [], filler: 'x'.repeat(1_048_576) }),
      /keys responds with more than 1 MiB/,
    ],
    [
      'metadata of another issuer',
      () => (issuer.metadata = { issuer: 'https://evil.example' }),
      /no metadata of .* was found/,
    ],
    ['metadata without keys', () => (issuer.metadata = { jwks_uri: undefined }), /has no jwks_uri; set jwks/],
    [
      'keys that travel in the clear',
      () => (issuer.metadata = { jwks_uri: 'http://keys.example.com/' }),
      /the jwks_uri of the authorization server must be https/,
    ],
    [
      'keys that are elsewhere',
      () => (issuer.metadata = { jwks_uri: `${issuer.url}/gone` }),
      /gone responds with status 404/,
    ],
  ];
  test.each(wrong)('%s: 503, and the operator gets the reason', async (_name, spoil, why) => {
    spoil();
    const token = await issuer.token();
    expect(await refusal(authorizer(), token)).toBe(UNAVAILABLE);
    expect(heard).toEqual([expect.stringMatching(why)]);
    expect(heard[0]).not.toContain(token);
    expect(heard[0]).not.toContain('\n');
  });

  test('private keys in the set are not used', async () => {
    const key = issuer.keys[0]!;
    issuer.keySet = { keys: [{ ...key.jwk, d: Buffer.alloc(32, 1).toString('base64url') }] };
    expect(await refusal(authorizer(), await issuer.token())).toBe(UNAVAILABLE);
  });

  test('a file that is missing or is not JSON: 503, and the operator gets the reason', async () => {
    const token = await issuer.token();
    expect(await refusal(authorizer({ jwks: join(tmpdir(), 'no-such-keys.json') }), token)).toBe(UNAVAILABLE);
    expect(await refusal(authorizer({ jwks: import.meta.filename }), token)).toBe(UNAVAILABLE);
    expect(heard).toEqual([
      expect.stringContaining('ENOENT'),
      expect.stringContaining('jwks.test.ts is not JSON'),
    ]);
  });

  test('redirects are not followed', async () => {
    issuer.redirects.set('/moved', '/keys');
    expect(await refusal(authorizer({ jwks: `${issuer.url}/moved` }), await issuer.token())).toBe(
      UNAVAILABLE,
    );
    expect(issuer.asked).toEqual(['/moved']);
  });

  test('the configured fetch is used for all requests', async () => {
    const urls: string[] = [];
    const fetch: typeof globalThis.fetch = (url, init) => {
      urls.push(new Request(url).url);
      return globalThis.fetch(url, init);
    };
    expect(await refusal(authorizer({ fetch }), await issuer.token())).toBe('admitted');
    expect(urls).toEqual([`${issuer.url}/.well-known/oauth-authorization-server`, issuer.jwksUrl]);
  });
});
