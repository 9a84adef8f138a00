import { describe, expect, test } from 'vitest';
import { discoverAuthorization, oauth } from '../../../src/auth.ts';
import { request } from './request.ts';
import { scene } from './scene.ts';
import { user } from './user.ts';
import { pathsOf } from './web.ts';

const PROTECTED = '/.well-known/oauth-protected-resource';
const OAUTH = '/.well-known/oauth-authorization-server';
const OPENID = '/.well-known/openid-configuration';

describe('the location of metadata', () => {
  const places = [
    { resource: `${PROTECTED}/mcp`, inChallenge: true, issuerPath: '', issuer: OAUTH },
    { resource: `${PROTECTED}/mcp`, inChallenge: false, issuerPath: '', issuer: OPENID },
    { resource: PROTECTED, inChallenge: false, issuerPath: '/tenant1', issuer: `${OAUTH}/tenant1` },
    {
      resource: '/custom/place.json',
      inChallenge: true,
      issuerPath: '/tenant1',
      issuer: `/tenant1${OPENID}`,
    },
    { resource: `${PROTECTED}/mcp`, inChallenge: true, issuerPath: '/a/b', issuer: `${OPENID}/a/b` },
  ];
  test.each(places)('$resource (in the challenge: $inChallenge), $issuer', async (place) => {
    const { issuer, server, act } = await scene({ issuerPath: place.issuerPath });
    issuer.metadataPaths = [place.issuer];
    server.metadataPath = place.resource;
    if (!place.inChallenge) server.challenge = { resource_metadata: undefined };
    if (place.resource === PROTECTED) server.metadata = { resource: server.web.origin };
    expect(await act()).toEqual({ status: 200, body: 'done list', times: 2 });
  });

  test('only the metadata URL of the challenge is requested', async () => {
    const { server, act } = await scene();
    await act();
    expect(pathsOf(server.web)).toEqual(['/mcp', `${PROTECTED}/mcp`, '/mcp']);
  });

  test('without a URL in the challenge, the path is tried before the root', async () => {
    const { server, act } = await scene();
    server.challenge = { resource_metadata: undefined };
    server.metadataPath = PROTECTED;
    await act();
    expect(pathsOf(server.web)).toEqual(['/mcp', `${PROTECTED}/mcp`, PROTECTED, '/mcp']);
  });

  test('an issuer with a path is never searched at the root of its host', async () => {
    const { issuer, act } = await scene({ issuerPath: '/tenant1' });
    issuer.metadataPaths = [];
    await expect(act()).rejects.toThrow(`the issuer ${issuer.id} has no metadata`);
    expect(pathsOf(issuer.web)).toEqual([`${OAUTH}/tenant1`, `${OPENID}/tenant1`, `/tenant1${OPENID}`]);
  });

  test('an issuer without a path is searched by OAuth, then by OpenID Connect', async () => {
    const { issuer, act } = await scene();
    issuer.metadataPaths = [];
    await expect(act()).rejects.toThrow('has no metadata');
    expect(pathsOf(issuer.web)).toEqual([OAUTH, OPENID]);
  });

  test('metadata is requested with the negotiated revision', async () => {
    const { issuer, server, options } = await scene();
    await request(oauth(options), server.url, 'list', { revision: '2025-06-18' });
    const versions = [server.web, issuer.web].map(
      ({ requests }) =>
        requests.find(({ url }) => url.pathname.includes('well-known'))?.headers['mcp-protocol-version'],
    );
    expect(versions).toEqual(['2025-06-18', '2025-06-18']);
  });

  test('discovery returns the issuer for a registration', async () => {
    const { issuer, server } = await scene();
    server.metadata = { scopes_supported: ['read'] };
    expect(await discoverAuthorization(server.url)).toEqual({
      issuer: issuer.id,
      resource: server.url,
      scopes: ['read'],
      registers: true,
      takesMetadataDocuments: false,
    });
  });
});

describe('a server of 2025-03-26, without resource metadata', () => {
  /** Returns a client of one origin that is both the server and its authorization server. */
  async function alone(metadata: ((origin: string) => object) | undefined) {
    const { issuer, server, options } = await scene();
    server.metadataPath = undefined;
    issuer.iss = undefined;
    server.override = (request) => {
      if (request.url.pathname !== OAUTH) return issuer.answer(request);
      return metadata === undefined ? undefined : { status: 200, body: metadata(server.web.origin) };
    };
    issuer.metadataPaths = [];
    return { issuer, server, done: request(oauth(options), server.url) };
  }
  const metadata = (origin: string): Record<string, unknown> => ({
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    code_challenge_methods_supported: ['S256'],
  });

  test('its metadata names the endpoints', async () => {
    const { issuer, server, done } = await alone(metadata);
    expect((await done).status).toBe(200);
    expect(issuer.authorizations[0]?.resource).toBe(server.url);
  });

  test('its issuer may end with a slash', async () => {
    const { done } = await alone((origin) => ({ ...metadata(origin), issuer: `${origin}/` }));
    expect((await done).status).toBe(200);
  });

  test('metadata of another issuer is not used', async () => {
    const { issuer, done } = await alone((origin) => ({
      ...metadata(origin),
      issuer: 'https://other.example',
    }));
    await expect(done).rejects.toThrow('belongs to another issuer');
    expect(issuer.registered).toEqual([]);
  });

  test('the root of an origin is the resource without its slash', async () => {
    const { server } = await scene();
    server.metadataPath = undefined;
    const { origin } = server.web;
    expect(await discoverAuthorization(`${origin}/`)).toMatchObject({ issuer: origin, resource: origin });
  });

  test('without metadata the endpoints are /authorize, /token and /register of its origin', async () => {
    const { server, done } = await alone(undefined);
    expect((await done).status).toBe(200);
    expect(pathsOf(server.web)).toEqual([
      '/mcp',
      `${PROTECTED}/mcp`,
      PROTECTED,
      OAUTH,
      OPENID,
      '/register',
      '/authorize',
      '/token',
      '/mcp',
    ]);
  });
});

describe('refused metadata', () => {
  const EVIL = 'https://evil.example/mcp';

  test.each([
    ['of another origin', EVIL],
    ['of another path', (url: string) => `${url}/deeper`],
    ['of a path that only begins alike', (url: string) => url.replace('/mcp', '/mc')],
    ['with a fragment', (url: string) => `${url}#part`],
  ])('resource metadata %s', async (_what, resource) => {
    const { issuer, server, act } = await scene();
    server.metadata = { resource: typeof resource === 'string' ? resource : resource(server.url) };
    await expect(act()).rejects.toThrow('belongs to another resource');
    expect(issuer.web.requests).toEqual([]);
  });

  test.each([
    ['no issuer', { authorization_servers: [] }],
    ['a resource that is no text', { resource: 7 }],
    ['no resource', { resource: undefined }],
    ['issuers that are no list', { authorization_servers: 'https://as.example' }],
    ['scopes that are no texts', { scopes_supported: [1] }],
  ])('resource metadata with %s', async (_what, metadata) => {
    const { server, act } = await scene();
    server.metadata = metadata;
    await expect(act()).rejects.toMatchObject({ name: 'AuthorizationError', reason: 'discovery' });
  });

  test.each([
    ['another issuer', { issuer: 'https://attacker.example' }],
    ['the issuer with a slash more', (id: string) => ({ issuer: `${id}/` })],
    ['no issuer', { issuer: undefined }],
    ['no token endpoint', { token_endpoint: undefined }],
    ['a token endpoint that is no URL', { token_endpoint: '/token' }],
    ['a token endpoint with a fragment', { token_endpoint: 'https://as.example/token#x' }],
    ['an endpoint without encryption', { token_endpoint: 'http://as.example/token' }],
    ['an endpoint with credentials', { token_endpoint: 'https://me:secret@as.example/token' }],
    ['an endpoint of another scheme', { authorization_endpoint: 'javascript:alert(1)' }],
    ['a flag that is a text', { client_id_metadata_document_supported: 'yes' }],
    ['no PKCE', { code_challenge_methods_supported: undefined }],
    ['plain PKCE alone', { code_challenge_methods_supported: ['plain'] }],
    ['no codes', { response_types_supported: ['token'] }],
    ['no authorization endpoint', { authorization_endpoint: undefined }],
  ])('issuer metadata with %s', async (_what, metadata) => {
    const { issuer, act } = await scene();
    issuer.metadata = typeof metadata === 'function' ? metadata(issuer.id) : metadata;
    await expect(act()).rejects.toMatchObject({ name: 'AuthorizationError', reason: 'discovery' });
    expect([issuer.registered, issuer.authorizations, issuer.tokenRequests]).toEqual([[], [], []]);
  });

  test('OpenID Connect metadata without PKCE is refused as well', async () => {
    const { issuer, act } = await scene();
    issuer.metadataPaths = [OPENID];
    issuer.metadata = { code_challenge_methods_supported: undefined };
    await expect(act()).rejects.toThrow('does not offer PKCE with S256');
  });

  test('a challenge with a URL without metadata has no fallback', async () => {
    const { server, act } = await scene();
    server.challenge = { resource_metadata: `${server.web.origin}/nothing` };
    await expect(act()).rejects.toThrow(`there is no resource metadata at ${server.web.origin}/nothing`);
  });

  test('a failing metadata endpoint is not a missing one', async () => {
    const { server, act } = await scene();
    server.override = ({ url }) => (url.pathname.startsWith(PROTECTED) ? { status: 503 } : undefined);
    server.challenge = { resource_metadata: undefined };
    await expect(act()).rejects.toThrow('answered 503 instead of resource metadata');
    expect(pathsOf(server.web)).toEqual(['/mcp', `${PROTECTED}/mcp`]);
  });

  test('a failing issuer is not searched elsewhere', async () => {
    const { issuer, act } = await scene();
    const answer = issuer.answer.bind(issuer);
    issuer.metadataPaths = [OPENID];
    issuer.answer = async (asked) => (asked.url.pathname === OAUTH ? { status: 503 } : answer(asked));
    await expect(act()).rejects.toThrow('answered 503 instead of metadata');
  });

  test('a page instead of a document counts as a missing one', async () => {
    const { server, act } = await scene();
    server.challenge = { resource_metadata: undefined };
    server.override = ({ url }) =>
      url.pathname === `${PROTECTED}/mcp` ? { status: 200, body: '<html>' } : undefined;
    server.metadataPath = PROTECTED;
    expect((await act()).status).toBe(200);
  });
});

describe('the URLs that a server may name', () => {
  /** Returns the error for a URL that a public server names; no request leaves this machine. */
  async function named(place: string, from = 'https://mcp.example/mcp') {
    const asked: string[] = [];
    const auth = oauth({
      clientName: 'Tester',
      redirect: user(),
      lookup: (_name, _options, answer) => answer(null, [{ address: '93.184.215.14', family: 4 }]),
      fetch: async (url) => {
        asked.push(url instanceof URL ? url.href : 'not a URL');
        return new Response(null, { status: 404 });
      },
    });
    const header = (name: string): string | undefined =>
      name === 'www-authenticate' ? `Bearer resource_metadata="${place}"` : undefined;
    const challenge = { status: 401, url: new URL(from), revision: undefined, header };
    const error: unknown = await auth.challenged(challenge, 1).catch((thrown: unknown) => thrown);
    return { asked, error };
  }

  test.each([
    'http://mcp.example/place',
    'https://127.0.0.1/place',
    'https://127.9.9.9/place',
    'https://0x7f000001/place',
    'https://[::1]/place',
    'https://[::ffff:127.0.0.1]/place',
    'https://localhost/place',
    'https://localhost./place',
    'https://sub.localhost/place',
    'https://10.0.0.1/place',
    'https://[::ffff:10.0.0.1]/place',
    'https://172.20.0.1/place',
    'https://192.168.1.1/place',
    'https://169.254.169.254/latest',
    'https://100.64.0.1/place',
    'https://[fd00::1]/place',
    'https://[fe80::1]/place',
    'https://0.0.0.0/place',
    'https://user:secret@mcp.example/place',
    'file:///etc/passwd',
    'data:application/json,{}',
    'not a URL',
  ])('a public server cannot name %s', async (place) => {
    const { asked, error } = await named(place);
    expect(asked).toEqual([]);
    expect(error).toMatchObject({ name: 'AuthorizationError', reason: 'discovery' });
  });

  test.each([
    ['https://other.example/place', 'https://mcp.example/mcp'],
    ['https://10.0.0.2/place', 'https://10.0.0.1/mcp'],
    ['https://other.example/place', 'http://localhost:8080/mcp'],
  ])('%s may be named by %s', async (place, from) => {
    expect((await named(place, from)).asked).toEqual([place]);
  });

  test('a server without encryption gets no token', async () => {
    const { asked, error } = await named('https://mcp.example/place', 'http://mcp.example/mcp');
    expect(asked).toEqual([]);
    expect(error).toMatchObject({ message: 'tokens are sent only over https or within this machine' });
  });

  test('metadata may redirect, up to three times', async () => {
    const { server, act } = await scene();
    server.challenge = { resource_metadata: `${server.web.origin}/moved/1` };
    server.override = ({ url }) => {
      const [, number] = /^\/moved\/(\d)$/.exec(url.pathname) ?? [];
      if (number === undefined) return undefined;
      const location = number === '3' ? `${PROTECTED}/mcp` : `/moved/${Number(number) + 1}`;
      return { status: 302, headers: { location } };
    };
    expect((await act()).status).toBe(200);
  });

  test.each(['/moved', 'http://169.254.169.254/latest', 'file:///etc/passwd'])(
    'metadata that redirects to %s is not followed',
    async (location) => {
      const { server, act } = await scene();
      server.challenge = { resource_metadata: `${server.web.origin}/moved` };
      server.override = ({ url }) =>
        url.pathname === '/moved' ? { status: 302, headers: { location } } : undefined;
      await expect(act()).rejects.toThrow('/moved redirects to a URL that the client may not follow');
    },
  );

  test('a response over 256 KiB is not read to its end', async () => {
    const { server, act } = await scene();
    server.metadata = { filler: 'x'.repeat(300_000) };
    await expect(act()).rejects.toThrow('is larger than 262144 bytes');
  });

  test('an endless response is cut off', async () => {
    let pulled = 0;
    let cancelled = false;
    const endless = (): ReadableStream =>
      new ReadableStream({
        pull: (controller) => {
          pulled += 1;
          if (pulled > 50) controller.close();
          else controller.enqueue(new Uint8Array(65_536));
        },
        cancel: () => {
          cancelled = true;
        },
      });
    const { act } = await scene({ fetch: async () => new Response(endless()) });
    await expect(act()).rejects.toThrow('is larger than 262144 bytes');
    expect([cancelled, pulled < 10]).toEqual([true, true]);
  });

  test('the signal of the client ends a request without a response', async () => {
    const controller = new AbortController();
    const { issuer, act } = await scene({ signal: controller.signal });
    issuer.answer = () => {
      controller.abort();
      return new Promise(() => {});
    };
    await expect(act()).rejects.toMatchObject({
      reason: 'timeout',
      message: 'the authorization was cancelled',
    });
  });

  test('a response that is too late ends the flow', async () => {
    const { issuer, act } = await scene({ timeout: 50 });
    issuer.metadataPaths = [];
    issuer.answer = () => new Promise(() => {});
    await expect(act()).rejects.toMatchObject({ name: 'AuthorizationError', reason: 'timeout' });
  });
});
