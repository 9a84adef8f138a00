import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type CredentialStore, memoryStore, oauth } from '../../../src/auth.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { request } from './request.ts';
import { ResourceServer } from './resource-server.ts';
import { scene } from './scene.ts';

const grantsOf = ({ tokenRequests }: AuthorizationServer): (string | undefined)[] =>
  tokenRequests.map((params) => params.grant_type);

describe('a token', () => {
  test('it is sent with every request, as a header', async () => {
    const { issuer, server, act } = await scene();
    await act();
    await act();
    const [token] = issuer.tokens.keys();
    expect(server.presented).toEqual([undefined, token, token]);
    expect(server.web.requests.filter(({ url }) => url.search !== '')).toEqual([]);
  });

  test('nothing is requested before the server requires it', async () => {
    const { issuer, server, act } = await scene();
    server.override = () => ({ status: 200, body: 'open' });
    expect(await act()).toEqual({ status: 200, body: 'open', times: 1 });
    expect(issuer.web.requests).toEqual([]);
  });

  test('it is not sent to another origin', async () => {
    const { server, options } = await scene();
    const other = await scene();
    const auth = oauth(options);
    await request(auth, server.url);
    await expect(request(auth, other.server.url)).rejects.toThrow(
      `these credentials are for ${server.web.origin}; create others for ${other.server.web.origin}`,
    );
    expect(other.server.web.requests).toEqual([]);
  });

  test('a configured server is the only one', async () => {
    const { server, options } = await scene();
    const auth = oauth({ ...options, server: 'https://mcp.example/mcp' });
    await expect(request(auth, server.url)).rejects.toThrow('these credentials are for https://mcp.example');
  });

  test('one that is refused at once is not requested repeatedly', async () => {
    const { issuer, server, act } = await scene();
    server.issuers = [];
    server.metadata = { authorization_servers: [issuer.id] };
    expect([await act(), await act(), await act()].map(({ status, times }) => [status, times])).toEqual([
      [401, 2],
      [401, 1],
      [401, 1],
    ]);
    expect(issuer.authorizations.length).toBe(1);
  });

  test.each([
    ['no token', { access_token: undefined }],
    ['an empty token', { access_token: '' }],
    ['a token that breaks a header', { access_token: 'a\r\nb: c' }],
    ['a token of a type that is not served', { token_type: 'mac' }],
    ['a token without a type', { token_type: undefined }],
    ['a token of a type for other endpoints', { token_type: 'N_A' }],
    ['a life that is no number', { expires_in: 'soon' }],
    ['a life that is negative', { expires_in: -1 }],
    ['an error with status 200', { error: 'bad_verification_code' }],
  ])('a response with %s is refused', async (_what, members) => {
    const { issuer, server, act } = await scene();
    const body = { access_token: 'at-secret', token_type: 'Bearer', ...members };
    issuer.tokenAnswer = () => ({ status: 200, body });
    await expect(act()).rejects.toMatchObject({ name: 'AuthorizationError', reason: 'token' });
    expect(server.presented).toEqual([undefined]);
  });

  test.each([307, 308, 302])('a token endpoint that redirects with %i is not followed', async (status) => {
    const { issuer, act } = await scene();
    const elsewhere = await AuthorizationServer.start();
    issuer.tokenAnswer = () => ({ status, headers: { location: `${elsewhere.id}/token` } });
    await expect(act()).rejects.toThrow('redirects a request that contains secrets');
    expect(elsewhere.web.requests).toEqual([]);
  });

  test('a registration endpoint that redirects is not followed', async () => {
    const { issuer, act } = await scene();
    const elsewhere = await AuthorizationServer.start();
    const answer = issuer.answer.bind(issuer);
    issuer.answer = async (asked) =>
      asked.url.pathname === '/register'
        ? { status: 307, headers: { location: `${elsewhere.id}/register` } }
        : answer(asked);
    await expect(act()).rejects.toThrow('redirects a request that contains secrets');
    expect(elsewhere.web.requests).toEqual([]);
  });
});

describe('a token that expires', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const later = (seconds: number): unknown => vi.setSystemTime(Date.now() + seconds * 1000);

  test('it is renewed shortly before, without the user', async () => {
    const { issuer, server, act } = await scene();
    await act();
    later(3600 - 31);
    await act();
    expect(grantsOf(issuer)).toEqual(['authorization_code']);
    later(1);
    expect(await act()).toMatchObject({ status: 200, times: 1 });
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token']);
    expect(issuer.tokenRequests[1]).toMatchObject({ resource: server.url });
    expect(new Set(server.presented).size).toBe(3);
  });

  test('each refresh token is used once', async () => {
    const { issuer, act } = await scene();
    await act();
    later(3600);
    await act();
    later(3600);
    expect((await act()).status).toBe(200);
    const used = issuer.tokenRequests.flatMap(({ refresh_token: token }) => token ?? []);
    expect([used.length, new Set(used).size]).toEqual([2, 2]);
    expect(issuer.authorizations.length).toBe(1);
  });

  test('a refresh token that is not replaced is used again', async () => {
    const { issuer, act } = await scene();
    await act();
    const renewed = (): object => ({
      access_token: [...issuer.tokens.keys()][0],
      token_type: 'bearer',
      expires_in: 60,
    });
    issuer.tokenAnswer = () => ({ status: 200, body: renewed() });
    later(3600);
    await act();
    later(3600);
    await act();
    const [, first, second] = issuer.tokenRequests;
    expect(first?.refresh_token).toEqual(expect.any(String));
    expect(second?.refresh_token).toBe(first?.refresh_token);
  });

  test('ten concurrent requests renew it once', async () => {
    const { issuer, server, options } = await scene();
    const auth = oauth(options);
    await request(auth, server.url);
    later(3600);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => request(auth, server.url)));
    expect(outcomes.every(({ status }) => status === 200)).toBe(true);
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token']);
  });

  test('with an invalid refresh token the user is asked', async () => {
    const { issuer, act } = await scene();
    await act();
    later(3600);
    issuer.tokenAnswer = ({ grant_type: type }) =>
      type === 'refresh_token' ? { status: 400, body: { error: 'invalid_grant' } } : undefined;
    expect((await act()).status).toBe(200);
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token', 'authorization_code']);
  });

  test('a client that is no longer known registers again', async () => {
    const { issuer, act } = await scene();
    await act();
    later(3600);
    issuer.tokenAnswer = ({ grant_type: type }) =>
      type === 'refresh_token' ? { status: 401, body: { error: 'invalid_client' } } : undefined;
    expect((await act()).status).toBe(200);
    expect(issuer.registered.length).toBe(2);
  });

  test('a client that shares its store does not use a refresh token twice', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    const [one, two] = [oauth(options), oauth(options)];
    await request(one, server.url);
    await request(two, server.url);
    later(3600);
    await request(one, server.url);
    expect(await request(two, server.url)).toMatchObject({ status: 200, times: 1 });
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token']);
  });

  test('of two clients that use one refresh token at once, the later uses the tokens of the earlier', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    const [one, two] = [oauth(options), oauth(options)];
    await request(one, server.url);
    await request(two, server.url);
    later(3600);
    const answer = issuer.answer.bind(issuer);
    const outcomes: Promise<unknown>[] = [];
    issuer.answer = async (asked) => {
      const answered = await answer(asked);
      if (grantsOf(issuer).length === 2 && outcomes.length === 1) {
        // the second one asks while the first has no response, and gets its response after the first
        outcomes.push(request(two, server.url));
        await vi.waitUntil(() => grantsOf(issuer).length === 3, { timeout: 120_000 });
      } else if (grantsOf(issuer).length === 3) await outcomes[0];
      return answered;
    };
    outcomes.push(request(one, server.url));
    await outcomes[0];
    expect(await outcomes[1]).toMatchObject({ status: 200, times: 1 });
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token', 'refresh_token']);
  });

  test('without a refresh token the user is asked when the server requires a token', async () => {
    const { issuer, server, act } = await scene();
    issuer.givesRefreshTokens = false;
    await act();
    later(3600);
    expect((await act()).status).toBe(200);
    expect(server.presented.map((token) => token !== undefined)).toEqual([false, true, false, true]);
    expect(issuer.authorizations.length).toBe(2);
  });

  test.each([503, 429, 307])(
    'while the issuer responds with %i the token is used until it expires',
    async (status) => {
      const { issuer, server, act } = await scene();
      await act();
      issuer.tokenAnswer = () => ({ status, headers: { location: '/elsewhere' } });
      later(3590);
      expect((await act()).status).toBe(200);
      later(10);
      const before = server.presented.length;
      await expect(act()).rejects.toMatchObject({ reason: 'network' });
      expect(server.presented.length).toBe(before);
    },
  );

  test('a token without expiry is used until it is refused', async () => {
    const { issuer, act } = await scene();
    issuer.lifetime = undefined;
    await act();
    later(1_000_000);
    expect((await act()).times).toBe(1);
  });

  test('a token of a few seconds is used for nine tenths of them', async () => {
    const { issuer, act } = await scene();
    issuer.lifetime = 10;
    await act();
    later(8);
    await act();
    expect(grantsOf(issuer)).toEqual(['authorization_code']);
    later(1);
    await act();
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token']);
  });

  test('after a restart it is renewed with only the metadata of its issuer', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    await request(oauth(options), server.url);
    later(3600);
    const before = server.web.requests.length;
    expect(await request(oauth(options), server.url)).toMatchObject({ status: 200, times: 1 });
    expect(server.web.requests.length - before).toBe(1);
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token']);
  });

  test('a server that is its own issuer renews its tokens after a restart too', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    server.metadataPath = undefined;
    issuer.metadataPaths = [];
    issuer.iss = undefined;
    server.override = (asked) => issuer.answer(asked);
    await request(oauth(options), server.url);
    later(3600);
    expect(await request(oauth(options), server.url)).toMatchObject({ status: 200, times: 1 });
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token']);
  });
});

describe('a revoked token', () => {
  test('it is renewed without the user', async () => {
    const { issuer, server, act } = await scene();
    await act();
    server.revokeAll();
    expect(await act()).toMatchObject({ status: 200, times: 2 });
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token']);
  });

  test('when it cannot be renewed and the user declines, it is not used again', async () => {
    const { issuer, server, act } = await scene();
    await act();
    server.revokeAll();
    issuer.tokenAnswer = () => ({ status: 400, body: { error: 'invalid_grant' } });
    issuer.response = { code: undefined, error: 'access_denied' };
    await expect(act()).rejects.toMatchObject({ reason: 'denied' });
    await expect(act()).rejects.toMatchObject({ reason: 'denied' });
    expect(server.presented.map((token) => token !== undefined)).toEqual([false, true, true, false]);
  });

  test('when its replacement is refused too, the user is asked once', async () => {
    const { issuer, server, act } = await scene();
    await act();
    server.revokeAll();
    server.override = ({ headers }) => {
      const token = headers.authorization?.split(' ')[1];
      if (issuer.tokens.size === 2 && token !== undefined) server.revoked.add(token);
      return undefined;
    };
    expect(await act()).toMatchObject({ status: 200, times: 3 });
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token', 'authorization_code']);
  });
});

describe('concurrent requests', () => {
  test('one that starts while the user is asked waits for the token', async () => {
    const { server, options, person } = await scene();
    const begun: Promise<unknown>[] = [];
    const redirect = {
      ...person,
      authorize: async (url: URL, signal: AbortSignal) => {
        begun.push(request(auth, server.url, 'second'));
        return person.authorize(url, signal);
      },
    };
    const auth = oauth({ ...options, redirect });
    await request(auth, server.url, 'first');
    expect(await begun[0]).toMatchObject({ status: 200, times: 1 });
  });

  test('ten that require a token ask the user once', async () => {
    const { issuer, server, options } = await scene();
    const auth = oauth(options);
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => request(auth, server.url)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect([issuer.authorizations.length, issuer.registered.length]).toEqual([1, 1]);
  });

  test('ten whose flow fails all fail with it, and the user was asked once', async () => {
    const { issuer, server, options, person } = await scene();
    issuer.response = { code: undefined, error: 'access_denied' };
    let arrive: () => void = () => {};
    const all = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    const redirect = {
      ...person,
      authorize: async (url: URL, signal: AbortSignal) => {
        await all;
        return person.authorize(url, signal);
      },
    };
    const auth = oauth({ ...options, redirect });
    const outcomes = Array.from({ length: 10 }, () => request(auth, server.url));
    await vi.waitUntil(() => server.presented.length === 10, { timeout: 120_000 });
    arrive();
    const settled = await Promise.allSettled(outcomes);
    expect(new Set(settled.map((one) => one.status === 'rejected' && String(one.reason)))).toEqual(
      new Set(['AuthorizationError: the authorization was refused: access_denied']),
    );
    expect(issuer.authorizations.length).toBe(1);
  });

  test('ten that require more scopes request them once', async () => {
    const { issuer, server, options } = await scene();
    const auth = oauth(options);
    await request(auth, server.url);
    server.needs = () => ['write'];
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => request(auth, server.url)));
    expect(outcomes.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(issuer.authorizations.length).toBe(2);
  });

  test('a late refusal of a token that was renewed since requests nothing', async () => {
    const { issuer, server, options } = await scene();
    const auth = oauth(options);
    const url = new URL(server.url);
    const sent = await auth.headers({ method: 'POST', url });
    await request(auth, server.url);
    const header = (name: string): string | undefined => (name === 'www-authenticate' ? 'Bearer' : undefined);
    expect(await auth.challenged({ status: 401, url, revision: undefined, header, sent }, 1)).toBe(true);
    expect(grantsOf(issuer)).toEqual(['authorization_code']);
  });
});

describe('the store', () => {
  test('a token is used after a restart', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    await request(oauth(options), server.url);
    expect(await request(oauth(options), server.url)).toMatchObject({ status: 200, times: 1 });
    expect(issuer.authorizations.length).toBe(1);
  });

  test("two clients with one store use each other's tokens", async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    const [one, two] = [oauth(options), oauth(options)];
    await two.headers({ method: 'POST', url: new URL(server.url) });
    await request(one, server.url);
    expect((await request(two, server.url)).status).toBe(200);
    expect(issuer.authorizations.length).toBe(1);
  });

  test('a refresh token that another client used first is not removed', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    const [one, two] = [oauth(options), oauth(options)];
    await request(one, server.url);
    await request(two, server.url);
    server.revokeAll();
    await request(one, server.url);
    expect((await request(two, server.url)).status).toBe(200);
    expect(grantsOf(issuer)).toEqual(['authorization_code', 'refresh_token']);
  });

  test('a token that cannot be sent in a header counts as missing', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    await request(oauth(options), server.url);
    const damaged: CredentialStore = {
      ...store,
      read: async (key) => (await store.read(key))?.replace('"access":"', '"access":"a\\r\\nb: c'),
    };
    expect((await request(oauth({ ...options, store: damaged }), server.url)).status).toBe(200);
    expect(issuer.authorizations.length).toBe(2);
  });

  test('a store that fails once fails one request', async () => {
    const store = memoryStore();
    const { server, options } = await scene();
    let locked = true;
    const keychain: CredentialStore = {
      ...store,
      read: (key) => {
        if (locked) throw new Error('locked');
        return store.read(key);
      },
    };
    const auth = oauth({ ...options, store: keychain });
    await expect(request(auth, server.url)).rejects.toThrow('locked');
    locked = false;
    expect((await request(auth, server.url)).status).toBe(200);
  });

  test.each(['', '{', 'null', '[]', '{"issuer":1}', '{"issuer":"x","resource":"y"}'])(
    'an entry that is %j counts as missing',
    async (text) => {
      const store = memoryStore();
      const { server, options } = await scene({ store });
      await request(oauth(options), server.url);
      const damaged: CredentialStore = {
        ...store,
        read: async (key) => ((await store.read(key)) === undefined ? undefined : text),
      };
      expect((await request(oauth({ ...options, store: damaged }), server.url)).status).toBe(200);
    },
  );

  test('keys hold no secret', async () => {
    const keys: string[] = [];
    const store = memoryStore();
    const { issuer, server, options } = await scene();
    issuer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    const watched: CredentialStore = {
      ...store,
      write: (key, value) => {
        keys.push(key);
        return store.write(key, value);
      },
    };
    await request(oauth({ ...options, store: watched }), server.url);
    const secrets = [
      ...issuer.tokens.keys(),
      ...[...issuer.clients.values()].map(({ secret = '-' }) => secret),
    ];
    expect(keys.length).toBeGreaterThan(2);
    expect(secrets.filter((secret) => keys.some((key) => key.includes(secret)))).toEqual([]);
  });
});

describe('an authorization server that is replaced by another', () => {
  test('the client registers with the new one and sends it nothing of the old one', async () => {
    const { issuer: old, server, act } = await scene();
    old.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    server.challenge = { scope: 'old' };
    await act();
    const fresh = await AuthorizationServer.start();
    server.issuers = [fresh];
    server.challenge = { scope: 'new' };
    expect((await act()).status).toBe(200);
    expect(fresh.authorizations[0]?.scope).toBe('new');
    const secrets = [
      ...old.clients.keys(),
      ...old.tokens.keys(),
      ...[...old.clients.values()].map(({ secret }) => secret),
    ];
    const seen = JSON.stringify(
      fresh.web.requests.map(({ url, body, headers }) => [url.href, body, headers]),
    );
    expect(secrets.filter((secret) => seen.includes(encodeURIComponent(String(secret))))).toEqual([]);
    expect([fresh.registered.length, grantsOf(fresh)]).toEqual([1, ['authorization_code']]);
    expect(grantsOf(old)).toEqual(['authorization_code']);
  });

  test('after switching back, the tokens of the old one are used', async () => {
    const store = memoryStore();
    const { issuer: old, server, options } = await scene({ store });
    const auth = oauth(options);
    await request(auth, server.url);
    server.issuers = [await AuthorizationServer.start()];
    await request(auth, server.url);
    server.issuers = [old];
    expect((await request(auth, server.url)).status).toBe(200);
    expect(grantsOf(old)).toEqual(['authorization_code']);
  });

  test('a metadata document identifies the client to every authorization server', async () => {
    const id = 'https://app.example/client.json';
    const { issuer: old, server, act } = await scene({ client: { metadataUrl: id } });
    const fresh = await AuthorizationServer.start();
    for (const issuer of [old, fresh]) {
      issuer.metadata = { client_id_metadata_document_supported: true };
      issuer.know({ id, method: 'none', redirectUris: ['http://127.0.0.1:33418/callback'] });
    }
    await act();
    server.issuers = [fresh];
    expect((await act()).status).toBe(200);
    expect([old.registered, fresh.registered]).toEqual([[], []]);
  });

  test('tokens of one server are not sent to another with the same issuer', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    const other = await ResourceServer.start(issuer);
    await request(oauth(options), server.url);
    await request(oauth(options), other.url);
    const presentedTo = (one: ResourceServer): unknown[] =>
      one.presented.filter((token) => token !== undefined);
    expect(presentedTo(other)).not.toEqual(expect.arrayContaining(presentedTo(server)));
    expect([...issuer.tokens.values()].map(({ resource }) => resource)).toEqual([server.url, other.url]);
  });
});
