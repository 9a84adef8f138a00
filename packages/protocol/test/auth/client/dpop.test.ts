import { describe, expect, test } from 'vitest';
import { type CredentialStore, memoryStore, oauth } from '../../../src/auth.ts';
import { claimsOf } from './authorization-server.ts';
import { request } from './request.ts';
import { type Scene, scene } from './scene.ts';

/** Returns a scene with DPoP-bound tokens. */
async function bound(options: Parameters<typeof scene>[0] = {}): Promise<Scene> {
  const made = await scene(options);
  made.issuer.metadata = { dpop_signing_alg_values_supported: ['RS256', 'ES256'] };
  made.server.scheme = 'DPoP';
  return made;
}

const schemes = ({ server }: Scene): (string | undefined)[] =>
  server.web.requests
    .filter(({ url }) => url.pathname === '/mcp')
    .map(({ headers }) => headers.authorization?.split(' ')[0]);

describe('DPoP-bound tokens', () => {
  test('a server that requires them gets them, with a new proof for each request', async () => {
    const made = await bound();
    await made.act();
    expect((await made.act()).status).toBe(200);
    expect(schemes(made)).toEqual([undefined, 'DPoP', 'DPoP']);
    const [token] = made.issuer.tokens.values();
    expect(made.issuer.authorizations[0]?.dpop_jkt).toBe(token?.jkt);
  });

  test('a server may require them in its metadata', async () => {
    const made = await bound();
    made.server.scheme = 'Bearer';
    made.server.metadata = { dpop_bound_access_tokens_required: true };
    await made.act();
    expect(schemes(made)).toEqual([undefined, 'DPoP']);
  });

  test('a client may require them', async () => {
    const made = await bound({ dpop: true });
    made.server.scheme = 'Bearer';
    await made.act();
    expect(schemes(made)).toEqual([undefined, 'DPoP']);
  });

  test.each([
    ['the client does not want them', { dpop: false }, ['ES256']],
    ['the authorization server has none', {}, undefined],
    ['the authorization server has no ES256', {}, ['RS256']],
  ])('they are not used if %s', async (_what, options, algorithms) => {
    const made = await bound(options);
    made.issuer.metadata = { dpop_signing_alg_values_supported: algorithms };
    await made.act();
    expect(schemes(made)).toEqual([undefined, 'Bearer']);
  });

  test('a client that requires them refuses an authorization server without DPoP', async () => {
    const { issuer, act } = await scene({ dpop: true });
    await expect(act()).rejects.toThrow('the authorization server does not support DPoP with ES256');
    expect(issuer.authorizations).toEqual([]);
  });

  test.each([
    ['Bearer', 'is not bound to a key', {}],
    ['DPoP', 'is bound to an unknown key', { dpop: false }],
  ])('a token of type %s that %s is refused', async (type, problem, options) => {
    const { issuer, server, act } = await bound(options);
    issuer.tokenAnswer = () => ({ status: 200, body: { access_token: 'at', token_type: type } });
    await expect(act()).rejects.toThrow(problem);
    expect(server.presented).toEqual([undefined]);
  });

  test('they are used after a restart, and renewed with the same key', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await bound({ store });
    await request(oauth(options), server.url);
    expect(await request(oauth(options), server.url)).toMatchObject({ status: 200, times: 1 });
    server.revokeAll();
    expect((await request(oauth(options), server.url)).status).toBe(200);
    const keys = [...issuer.tokens.values()].map(({ jkt }) => jkt);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
    expect(issuer.tokenRequests.at(-1)?.grant_type).toBe('refresh_token');
  });

  test('one with a damaged key is not used without it', async () => {
    const store = memoryStore();
    const made = await bound({ store });
    await request(oauth(made.options), made.server.url);
    const damaged: CredentialStore = {
      ...store,
      read: async (key) => (await store.read(key))?.replace('"dpop":"', '"dpop":"x'),
    };
    const auth = oauth({ ...made.options, store: damaged });
    expect((await request(auth, made.server.url)).status).toBe(200);
    expect(schemes(made)).toEqual([undefined, 'DPoP', undefined, 'DPoP']);
  });

  test('a proof is for the URL without its query', async () => {
    const { server, options } = await bound();
    expect((await request(oauth(options), `${server.url}?tenant=one#part`)).status).toBe(200);
  });
});

describe('nonces', () => {
  test('that of the authorization server is used in a second token request', async () => {
    const { issuer, act } = await bound();
    issuer.nonce = 'as-nonce';
    expect((await act()).status).toBe(200);
    expect(issuer.tokenRequests.length).toBe(2);
    expect(issuer.authorizations.length).toBe(1);
  });

  test('that of the server is used in its later requests', async () => {
    const { server, issuer, act } = await bound();
    server.nonce = 'rs-nonce';
    expect(await act()).toMatchObject({ status: 200, times: 3 });
    expect(await act()).toMatchObject({ status: 200, times: 1 });
    server.nonce = 'next';
    expect(await act()).toMatchObject({ status: 200, times: 2 });
    expect(issuer.tokenRequests.length).toBe(1);
  });

  test('a token that is refused after its nonce was is still renewed', async () => {
    const { server, issuer, act } = await bound();
    await act();
    server.override = ({ headers }) => {
      const { dpop } = headers;
      if (dpop === undefined || claimsOf(String(dpop)).nonce === 'rs-nonce') return undefined;
      const challenge = { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'rs-nonce' };
      return { status: 401, headers: challenge };
    };
    server.revokeAll();
    expect(await act()).toMatchObject({ status: 200, times: 3 });
    expect(issuer.tokenRequests.at(-1)?.grant_type).toBe('refresh_token');
  });

  test('ten concurrent requests learn a new nonce without a token request', async () => {
    const { server, issuer, options } = await bound();
    const auth = oauth(options);
    await request(auth, server.url);
    server.nonce = 'rs-nonce';
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => request(auth, server.url)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(issuer.tokenRequests.length).toBe(1);
  });

  test('an authorization server that always asks for a nonce gets two requests', async () => {
    const { issuer, act } = await bound();
    issuer.tokenAnswer = () => ({
      status: 400,
      headers: { 'dpop-nonce': `n${issuer.tokenRequests.length}` },
      body: { error: 'use_dpop_nonce' },
    });
    await expect(act()).rejects.toMatchObject({ code: 'use_dpop_nonce' });
    expect(issuer.tokenRequests.length).toBe(2);
  });

  test('a server that always asks for a nonce gets four requests', async () => {
    const { server, issuer, act } = await bound();
    let count = 0;
    server.override = ({ headers }) => {
      if (headers.authorization === undefined) return undefined;
      count += 1;
      const challenge = { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': `n${count}` };
      return { status: 401, headers: challenge };
    };
    expect(await act()).toMatchObject({ status: 401, times: 4 });
    expect(issuer.tokenRequests.length).toBe(1);
  });

  test('a server that repeats a nonce gets no further request', async () => {
    const { server, act } = await bound();
    server.override = ({ headers }) =>
      headers.authorization === undefined
        ? undefined
        : {
            status: 401,
            headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'same' },
          };
    expect(await act()).toMatchObject({ status: 401, times: 3 });
  });

  test('an invalid nonce is not used', async () => {
    const { server, act } = await bound();
    server.override = ({ headers }) =>
      headers.authorization === undefined
        ? undefined
        : {
            status: 401,
            headers: { 'www-authenticate': 'DPoP error="use_dpop_nonce"', 'dpop-nonce': 'a"b' },
          };
    expect(await act()).toMatchObject({ status: 401, times: 2 });
  });
});
