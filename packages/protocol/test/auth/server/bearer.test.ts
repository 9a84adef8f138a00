import { afterEach, describe, expect, test, vi } from 'vitest';
import { type BearerOptions, bearer, type Claims } from '../../../src/auth.ts';
import { ask, identify, refusal } from './asking.ts';
import { RESOURCE } from './issuer.ts';

const ISSUER = 'https://login.example.com';
const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';
const now = (): number => Math.floor(Date.now() / 1000);

const good = (changes: Record<string, unknown> = {}): Claims => ({
  iss: ISSUER,
  aud: RESOURCE,
  sub: 'ada',
  client_id: 'editor',
  scope: 'files:read',
  exp: now() + 3600,
  ...changes,
});

function authorizer(options: Partial<BearerOptions> = {}) {
  return bearer({
    verify: () => good(),
    resource: RESOURCE,
    authorizationServers: [ISSUER],
    scopes: ['files:read'],
    ...options,
  });
}

/** Returns an authorizer for which every token has the same claims. */
const withClaims = (changes: Record<string, unknown>, options: Partial<BearerOptions> = {}) =>
  authorizer({ verify: () => good(changes), ...options });

afterEach(() => {
  vi.useRealTimers();
});

describe('reading the header', () => {
  test.each([
    ['no header', undefined],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['a scheme that only begins like it', 'Bearerish abc'],
    ['an empty header', ''],
  ])('%s gets 401 without an error code, with the scopes to request', async (_name, header) => {
    expect(await ask(authorizer(), header)).toEqual({
      status: 401,
      challenge: `Bearer scope="files:read", resource_metadata="${METADATA}"`,
      message: 'an access token is required',
    });
  });

  test('without scopes the challenge has none', async () => {
    const outcome = await ask(authorizer({ scopes: [] }), undefined);
    expect(outcome).toMatchObject({ challenge: `Bearer resource_metadata="${METADATA}"` });
  });

  test.each([
    ['a scheme alone', 'Bearer', 'the Authorization header has no token'],
    ['two tokens', 'Bearer abc def', 'the Authorization header has more than one token'],
    [
      'two headers that were joined',
      'Bearer abc, Bearer def',
      'the Authorization header has more than one token',
    ],
    ['a comma at the end', 'Bearer abc,', 'the Authorization header has more than one token'],
    ['foreign characters', 'Bearer a"b', 'the access token has invalid characters'],
    ['a padding in the middle', 'Bearer a=b', 'the access token has invalid characters'],
    ['a huge token', `Bearer ${'a'.repeat(16_385)}`, 'the access token is too long'],
  ])('%s gets 400 invalid_request and is not verified', async (_name, header, message) => {
    const verify = vi.fn(() => good());
    expect(await ask(authorizer({ verify }), header)).toEqual({
      status: 400,
      challenge: `Bearer error="invalid_request", error_description="${message}", scope="files:read", resource_metadata="${METADATA}"`,
      message,
    });
    expect(verify).not.toHaveBeenCalled();
  });

  test.each(['bearer abc', 'BEARER abc', 'Bearer   abc', 'Bearer a-._~+/Z09=='])(
    '%s is a token',
    async (header) => {
      expect(await ask(authorizer(), header)).toMatchObject({ subject: 'ada' });
    },
  );

  test('the longest token is verified as it was sent', async () => {
    const verify = vi.fn(() => good());
    const token = 'a'.repeat(16_384);
    await identify(authorizer({ verify }), token);
    expect(verify).toHaveBeenCalledExactlyOnceWith(token, expect.any(AbortSignal));
  });
});

describe('checking the claims', () => {
  const cases: [string, Record<string, unknown>, string][] = [
    [
      'another issuer',
      { iss: 'https://evil.example' },
      'is from an authorization server that is not trusted here',
    ],
    [
      'an issuer with a slash more',
      { iss: `${ISSUER}/` },
      'is from an authorization server that is not trusted here',
    ],
    ['no issuer', { iss: undefined }, 'is from an authorization server that is not trusted here'],
    ['a list of issuers', { iss: [ISSUER] }, 'is from an authorization server that is not trusted here'],
    ['another audience', { aud: 'https://other.example.com/mcp' }, 'is not for this server'],
    ['the audience of the whole host', { aud: 'https://mcp.example.com' }, 'is not for this server'],
    ['an audience below', { aud: `${RESOURCE}/admin` }, 'is not for this server'],
    [
      'an audience in another case of the path',
      { aud: 'https://mcp.example.com/MCP' },
      'is not for this server',
    ],
    ['no audience', { aud: undefined }, 'is not for this server'],
    ['an empty list of audiences', { aud: [] }, 'is not for this server'],
    ['an audience that is no text', { aud: { [RESOURCE]: true } }, 'is not for this server'],
    ['no expiry', { exp: undefined }, 'has no expiry'],
    ['an expiry that is no number', { exp: '9999999999' }, 'has no expiry'],
    ['an expiry that is no time', { exp: Number.POSITIVE_INFINITY }, 'has no expiry'],
    [
      'a key that it is bound to',
      { cnf: { jkt: 'x' } },
      'is bound to a key, and this server does not check proofs',
    ],
    ['an introspection that ended it', { active: false }, 'is not active'],
    ['a begin that is no number', { nbf: 'soon' }, 'is not valid yet'],
    [
      'neither user nor client',
      { sub: undefined, client_id: undefined },
      'names neither a user nor a client',
    ],
    ['empty names', { sub: '', client_id: '' }, 'names neither a user nor a client'],
  ];
  test.each(cases)('a token with %s gets 401 invalid_token', async (_name, changes, why) => {
    expect(await ask(withClaims(changes), 'Bearer abc')).toEqual({
      status: 401,
      challenge: `Bearer error="invalid_token", error_description="the access token ${why}", scope="files:read", resource_metadata="${METADATA}"`,
      message: `the access token ${why}`,
    });
  });

  test.each([
    ['just expired', { exp: -1 }, 'admitted'],
    ['expired for longer than clocks differ', { exp: -30 }, '401 the access token has expired'],
    ['good in a moment', { nbf: 30 }, 'admitted'],
    ['good later', { nbf: 31 }, '401 the access token is not valid yet'],
  ])('a token that is %s is checked with the clock skew', async (_name, seconds, outcome) => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    const times = Object.entries(seconds).map(([claim, offset]) => [claim, now() + offset]);
    expect(await refusal(withClaims(Object.fromEntries(times)), 'abc')).toBe(outcome);
  });

  test.each([
    ['a list with this server in it', ['https://other.example.com', RESOURCE]],
    ['upper case in scheme and host', 'HTTPS://MCP.example.COM/mcp'],
    ['the default port', 'https://mcp.example.com:443/mcp'],
  ])('an audience may be %s', async (_name, aud) => {
    expect(await refusal(withClaims({ aud }), 'abc')).toBe('admitted');
  });

  test('the audience of a bare host may end with a slash or not', async () => {
    const options = { resource: 'https://mcp.example.com/' };
    expect(await refusal(withClaims({ aud: 'https://mcp.example.com' }, options), 'abc')).toBe('admitted');
    expect(await refusal(withClaims({ aud: 'https://mcp.example.com/' }, options), 'abc')).toBe('admitted');
  });

  test('a configured audience replaces the resource', async () => {
    const options = { audience: ['api://mcp', 'mcp-server'] };
    expect(await refusal(withClaims({ aud: 'mcp-server' }, options), 'abc')).toBe('admitted');
    expect(await refusal(withClaims({ aud: RESOURCE }, options), 'abc')).toBe(
      '401 the access token is not for this server',
    );
  });

  test('configured issuers replace the authorization servers', async () => {
    const options = { issuers: ['https://sts.example.com/'] };
    expect(await refusal(withClaims({ iss: 'https://sts.example.com/' }, options), 'abc')).toBe('admitted');
    expect(await refusal(withClaims({}, options), 'abc')).toMatch(/^401 .* is not trusted here$/);
  });
});

describe('the identity of a request', () => {
  test('an identity has the claims of a token, and nothing of the token', async () => {
    const exp = now() + 60;
    const identity = await identify(
      withClaims({ exp, scope: 'files:read  files:write', secret: 'x' }),
      'abc',
    );
    expect(identity).toEqual({
      principal: expect.stringMatching(/^[\w-]{43}$/),
      scopes: ['files:read', 'files:write'],
      subject: 'ada',
      clientId: 'editor',
      expiresAt: exp,
    });
  });

  test('the principal is the same for every token of one user and client, and different for all others', async () => {
    const principal = async (changes: Record<string, unknown>, iss = ISSUER): Promise<string> =>
      (await identify(withClaims({ ...changes, iss }, { issuers: [iss], scopes: [] }), 'abc')).principal;
    const ada = await principal({});
    expect(await principal({ exp: now() + 9, scope: 'x', jti: '2', nbf: 0 })).toBe(ada);
    const others = await Promise.all([
      principal({ sub: 'bob' }),
      principal({ client_id: 'shell' }),
      principal({}, 'https://other.example.com'),
      principal({ client_id: undefined }),
      principal({ sub: undefined }),
      // the parts run into each other
      principal({ sub: 'ada","editor', client_id: undefined }),
      principal({ sub: 'adae', client_id: 'ditor' }),
      principal({ sub: 'editor', client_id: 'ada' }),
    ]);
    expect(new Set([ada, ...others]).size).toBe(others.length + 1);
  });

  test.each([
    ['a list', { scope: ['files:read', 'b'] }, ['files:read', 'b']],
    ['scp as Entra has it', { scope: undefined, scp: 'files:read b' }, ['files:read', 'b']],
    ['scp as Okta has it', { scope: undefined, scp: ['files:read', 'b'] }, ['files:read', 'b']],
  ])('scopes may be %s', async (_name, changes, scopes) => {
    expect((await identify(withClaims(changes), 'abc')).scopes).toEqual(scopes);
  });

  test.each(['azp', 'cid', 'appid'])('a client may be named by %s', async (claim) => {
    const identity = await identify(withClaims({ client_id: undefined, [claim]: 'shell' }), 'abc');
    expect(identity.clientId).toBe('shell');
  });
});

describe('scopes', () => {
  test('a token without the scopes that every request requires gets 403 with all of them', async () => {
    const guarded = withClaims({ scope: 'a' }, { scopes: ['a', 'b', 'c'] });
    expect(await ask(guarded, 'Bearer abc')).toEqual({
      status: 403,
      challenge: `Bearer error="insufficient_scope", error_description="the access token lacks a scope", scope="a b c", resource_metadata="${METADATA}"`,
      message: 'the access token lacks a scope',
    });
    // cached tokens are checked alike
    expect(await refusal(guarded, 'abc')).toBe('403 the access token lacks a scope');
  });

  const scopesFor: NonNullable<BearerOptions['scopesFor']> = (method, params) =>
    method === 'tools/call' && params.name === 'write' ? ['files:write', 'audit'] : undefined;

  test('a request that requires more scopes gets all of them at once', async () => {
    const guarded = withClaims({ scope: 'files:read audit' }, { scopesFor });
    const identity = await identify(guarded, 'abc');
    expect(guarded.permit?.(identity, [{ method: 'tools/call', params: { name: 'write' } }])).toEqual({
      status: 403,
      challenge: `Bearer error="insufficient_scope", error_description="the access token lacks a scope for this request", scope="files:read files:write audit", resource_metadata="${METADATA}"`,
      message: 'the access token lacks a scope for this request',
    });
    expect(guarded.permit?.(identity, [{ method: 'tools/call', params: { name: 'read' } }])).toBeUndefined();
    expect(guarded.permit?.(identity, [{ method: 'tools/list', params: {} }])).toBeUndefined();
  });

  test('a token with the scopes of a request may send it', async () => {
    const guarded = withClaims({ scope: 'audit files:write files:read' }, { scopesFor });
    const identity = await identify(guarded, 'abc');
    expect(guarded.permit?.(identity, [{ method: 'tools/call', params: { name: 'write' } }])).toBeUndefined();
  });

  test('a broader scope includes narrower ones, also indirectly', async () => {
    const scopeImplies = { admin: ['files:write'], 'files:write': ['files:read'], loop: ['loop', 'admin'] };
    const guarded = withClaims({ scope: 'admin audit' }, { scopesFor, scopeImplies });
    const identity = await identify(guarded, 'abc');
    expect(identity.scopes).toEqual(['admin', 'audit', 'files:write', 'files:read']);
    expect(guarded.permit?.(identity, [{ method: 'tools/call', params: { name: 'write' } }])).toBeUndefined();
    expect(await refusal(withClaims({ scope: 'loop' }, { scopeImplies }), 'abc')).toBe('admitted');
    expect(await refusal(withClaims({ scope: 'constructor' }, { scopeImplies }), 'abc')).toMatch(/^403/);
  });

  test('a scope that no resource requires is not allowed in a challenge', async () => {
    const guarded = authorizer({ scopesFor: () => ['offline_access'] });
    const identity = await identify(guarded, 'abc');
    expect(() => guarded.permit?.(identity, [{ method: 'ping', params: {} }])).toThrow(
      'scopesFor must not have offline_access',
    );
    const split = authorizer({ scopesFor: () => ['a"\r\nSet-Cookie: b'] });
    expect(() => split.permit?.(identity, [{ method: 'ping', params: {} }])).toThrow(
      'scopesFor must be scopes without spaces',
    );
  });
});

describe('the metadata', () => {
  const document = {
    resource: RESOURCE,
    resource_name: 'Files',
    authorization_servers: [ISSUER],
    scopes_supported: ['files:read'],
    bearer_methods_supported: ['header'],
  };

  test('is served at the root and below the path of the resource', async () => {
    const guarded = authorizer({
      metadata: { resource_name: 'Files', authorization_servers: ['https://evil.example'] },
    });
    expect(await guarded.document?.('/.well-known/oauth-protected-resource')).toEqual(document);
    expect(await guarded.document?.('/.well-known/oauth-protected-resource/mcp')).toEqual(document);
    expect(await guarded.document?.('/.well-known/oauth-protected-resource/other')).toBeUndefined();
    expect(await guarded.document?.('/.well-known/oauth-authorization-server')).toBeUndefined();
    expect(await guarded.document?.('/mcp')).toBeUndefined();
  });

  test('of a bare host is at the root, and has it without a slash', async () => {
    const guarded = authorizer({ resource: 'HTTPS://Mcp.Example.com:443/', scopes: [] });
    expect(await guarded.document?.('/.well-known/oauth-protected-resource')).toEqual({
      resource: 'https://mcp.example.com',
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
    });
    expect(await ask(guarded, undefined)).toMatchObject({
      challenge: 'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource"',
    });
  });

  test('lists other scopes than every request requires if configured', async () => {
    const guarded = authorizer({ scopesSupported: ['files:read', 'files:write'] });
    expect(await guarded.document?.('/.well-known/oauth-protected-resource')).toMatchObject({
      scopes_supported: ['files:read', 'files:write'],
    });
  });

  test('for clients of 2025-03-26 is the configured document', async () => {
    const legacyMetadata = { issuer: ISSUER, token_endpoint: `${ISSUER}/token` };
    const guarded = authorizer({ legacyMetadata });
    expect(await guarded.document?.('/.well-known/oauth-authorization-server')).toEqual(legacyMetadata);
  });
});

describe('a verify that fails', () => {
  const TOKEN = 'secret-token-0123456789';

  test('gets 503 without a challenge, and the operator gets the reason without the token', async () => {
    const heard: string[] = [];
    const guarded = authorizer({
      verify: (token) => {
        throw new Error(`GET /introspect?token=${token}\nfailed`, {
          cause: new Error(`ECONNREFUSED ${token}`),
        });
      },
      onError: (message) => heard.push(message),
    });
    expect(await ask(guarded, `Bearer ${TOKEN}`)).toEqual({
      status: 503,
      message: 'access tokens cannot be checked now; try again later',
    });
    expect(heard).toEqual([
      'an access token could not be checked: GET /introspect?token=(token) failed: ECONNREFUSED (token)',
    ]);
  });

  test('gets 503 when it takes too long, and its signal aborts', async () => {
    const heard: string[] = [];
    let stopped: unknown;
    const guarded = authorizer({
      verify: (_token, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped = signal.reason;
            reject(new Error('too late to be heard'));
          });
        }),
      verifyTimeout: 1,
      onError: (message) => heard.push(message),
    });
    expect(await refusal(guarded, TOKEN)).toBe('503 access tokens cannot be checked now; try again later');
    expect(heard).toEqual(['an access token could not be checked: no response within 1 ms']);
    expect(stopped).toEqual(new Error('no response within 1 ms'));
  });

  test('with a jose error for the token gets 401', async () => {
    const heard: string[] = [];
    const guarded = authorizer({
      verify: async (token) => {
        const { jwtVerify } = await import('jose');
        const { payload } = await jwtVerify(token, new Uint8Array(32));
        return payload as Claims;
      },
      onError: (message) => heard.push(message),
    });
    expect(await refusal(guarded, TOKEN)).toBe('401 the access token is invalid');
    expect(heard).toEqual([]);
  });

  test.each([undefined, null])('with %s gets 401', async (nothing) => {
    const guarded = authorizer({ verify: () => nothing as undefined });
    expect(await refusal(guarded, TOKEN)).toBe('401 the access token is invalid');
  });
});

describe('the token cache', () => {
  function counted(options: Partial<BearerOptions> = {}, changes: Record<string, unknown> = {}) {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
    const verified: string[] = [];
    const guarded = authorizer({
      verify: (token) => {
        verified.push(token);
        return good({ sub: token, ...changes });
      },
      ...options,
    });
    return { guarded, verified };
  }

  test('a token is verified once a minute', async () => {
    const { guarded, verified } = counted();
    await identify(guarded, 'a');
    vi.advanceTimersByTime(59_999);
    expect((await identify(guarded, 'a')).subject).toBe('a');
    expect(verified).toEqual(['a']);
    vi.advanceTimersByTime(1);
    await identify(guarded, 'a');
    expect(verified).toEqual(['a', 'a']);
  });

  test('a cached token is refused as soon as it expires', async () => {
    const { guarded, verified } = counted({ clockSkew: 0 }, { exp: 1_800_000_010 });
    expect(await refusal(guarded, 'a')).toBe('admitted');
    vi.advanceTimersByTime(9_999);
    expect(await refusal(guarded, 'a')).toBe('admitted');
    vi.advanceTimersByTime(1);
    expect(await refusal(guarded, 'a')).toBe('401 the access token has expired');
    expect(verified).toEqual(['a', 'a']);
  });

  test('only the most recently used tokens are cached', async () => {
    const { guarded, verified } = counted({ cacheSize: 2 });
    for (const token of ['a', 'b', 'c', 'b', 'c', 'a']) await identify(guarded, token);
    expect(verified).toEqual(['a', 'b', 'c', 'a']);
  });

  test('a refused token is not cached', async () => {
    const { guarded, verified } = counted({}, { aud: 'https://other.example.com' });
    await refusal(guarded, 'a');
    await refusal(guarded, 'a');
    expect(verified).toEqual(['a', 'a']);
  });

  test.each([{ cacheSeconds: 0 }, { cacheSize: 0 }])('%o caches none', async (options) => {
    const { guarded, verified } = counted(options);
    await identify(guarded, 'a');
    await identify(guarded, 'a');
    expect(verified).toEqual(['a', 'a']);
  });

  test('tokens that differ in one character are different', async () => {
    const { guarded } = counted();
    await identify(guarded, 'aa');
    expect((await identify(guarded, 'ab')).subject).toBe('ab');
    expect((await identify(guarded, 'aa')).subject).toBe('aa');
  });
});

describe('invalid options', () => {
  test.each<[string, Partial<BearerOptions>]>([
    ['resource must be a URL such as https://example.com', { resource: 'mcp.example.com' }],
    ['resource must be https; http is for loopback only', { resource: 'http://mcp.example.com/mcp' }],
    ['resource must be https; http is for loopback only', { resource: 'http://127.evil.example/mcp' }],
    ['resource must be https; http is for loopback only', { resource: 'http://localhost..:3000/mcp' }],
    ['resource must be https; http is for loopback only', { resource: 'http://[::ffff:10.0.0.1]/mcp' }],
    ['resource must not have a fragment', { resource: 'https://mcp.example.com/mcp#a' }],
    ['resource must not have a query', { resource: 'https://mcp.example.com/mcp?a' }],
    ['resource must not contain a password', { resource: 'https://a:b@mcp.example.com/mcp' }],
    ['authorizationServers must name at least one', { authorizationServers: [] }],
    ['an authorization server must be a URL such as https://example.com', { authorizationServers: ['x'] }],
    ['audience must name at least one', { audience: [] }],
    ['scopes must be scopes without spaces, quotes and backslashes', { scopes: ['a b'] }],
    ['scopes must be scopes without spaces, quotes and backslashes', { scopes: [''] }],
    ['scopes must not have offline_access', { scopes: ['a', 'offline_access'] }],
    ['scopesSupported must not have offline_access', { scopesSupported: ['offline_access'] }],
  ])('%s', (message, options) => {
    expect(() => authorizer(options)).toThrow(new TypeError(message));
  });

  test.each([
    'http://localhost:3000/mcp',
    'http://127.0.0.1:3000/mcp',
    'http://[::1]/mcp',
    'http://a.localhost/',
    'http://localhost.:3000/mcp',
    'http://[::ffff:127.0.0.1]:3000/mcp',
  ])('the resource may be %s', (resource) => {
    expect(() => authorizer({ resource })).not.toThrow();
  });
});
