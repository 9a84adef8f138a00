import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { clientMetadataDocument, loopbackRedirect, memoryStore, oauth } from '@rootbound/protocol/auth';
import { childProcess, connect, http } from '@rootbound/protocol/client';
import { webSocket } from '@rootbound/protocol/ws';
import { expect, onTestFinished, vi } from 'vitest';
import { answerDials } from '../frames.ts';
import { between } from '../revisions.ts';
import {
  AuthorizationServer,
  alone,
  OAUTH,
  OPENID,
  PROTECTED,
  pathsOf,
  REDIRECT_URI,
  ResourceServer,
  scene,
} from './scene.ts';
import { web } from './web.ts';
import { over } from './world.ts';

const all = between('2025-03-26');
const since = between('2025-06-18');
const newer = between('2025-11-25');
const newest = ['2026-07-28'] as const;
const DOCUMENT = 'https://app.example/client.json';

over(
  all,
  'a refused request starts the whole flow, which ends with a token',
  async ({ proves, revision }) => {
    const place = await scene(revision);
    const { issuer, server, person } = place;
    const done = await place.act();
    proves('2025-03-26/authorization/http-implementations-conform', () => expect(done.status).toBe(200));
    proves('2025-03-26/authorization/client-starts-flow-on-401', () =>
      expect([server.presented[0], issuer.authorizations.length]).toEqual([undefined, 1]),
    );
    proves('2025-06-18/authorization/client-responds-to-401', () =>
      expect(done).toEqual({ status: 200, body: 'done list', times: 2 }),
    );
    proves('2025-03-26/authorization/client-supports-dynamic-registration', () =>
      expect(issuer.registered).toHaveLength(1),
    );
    const [asked] = issuer.authorizations;
    const [redeemed] = issuer.tokenRequests;
    const challenge = createHash('sha256')
      .update(redeemed?.code_verifier ?? '')
      .digest('base64url');
    proves('2025-03-26/authorization/client-uses-pkce', () => expect(asked?.code_challenge).toBe(challenge));
    proves('2025-11-25/authorization/client-uses-s256', () =>
      expect(asked?.code_challenge_method).toBe('S256'),
    );
    proves('2025-03-26/authorization/oauth-2-1-implemented', () =>
      expect([asked?.response_type, redeemed?.grant_type]).toEqual(['code', 'authorization_code']),
    );
    proves('2025-03-26/authorization/oauth-security-best-practices-followed', () =>
      expect([String(redeemed?.code_verifier).length >= 43, asked?.state !== undefined]).toEqual([
        true,
        true,
      ]),
    );
    proves('2025-03-26/authorization/local-client-is-public-client', () =>
      expect(issuer.registered[0]?.token_endpoint_auth_method).toBe('none'),
    );
    proves('2025-03-26/authorization/redirect-uris-are-localhost-or-https', () =>
      expect([issuer.registered[0]?.redirect_uris, asked?.redirect_uri]).toEqual([
        [REDIRECT_URI],
        REDIRECT_URI,
      ]),
    );
    proves('2025-06-18/authorization/client-registers-redirect-uris', () =>
      expect(issuer.registered[0]?.redirect_uris).toEqual([REDIRECT_URI]),
    );
    proves('2025-06-18/authorization/client-uses-and-verifies-state', () =>
      expect(String(asked?.state).length).toBeGreaterThan(20),
    );
    proves('2025-03-26/authorization/no-token-in-query-string', () => {
      const queries = [...server.web.requests, ...issuer.web.requests].map(({ url }) => url.search).join();
      for (const token of issuer.tokens.keys()) expect(queries).not.toContain(token);
    });
    proves('2025-03-26/authorization/token-use-conforms-to-oauth-section-5', () =>
      expect(issuer.tokens.has(server.presented[1] ?? '')).toBe(true),
    );
    proves('2026-07-28/authorization/client-id-obtained-before-flow', () =>
      expect(pathsOf(issuer.web).indexOf('/register')).toBeLessThan(
        pathsOf(issuer.web).indexOf('/authorize'),
      ),
    );
    expect(person.asked).toHaveLength(1);
  },
);

over(all, 'redirect URIs other than loopback or https are refused', async ({ proves, revision }) => {
  const place = await scene(revision);
  const redirect = { redirectUri: 'http://app.example/callback', authorize: async () => 'x' };
  const outcome = await place.outcome(place.client({ redirect }));
  proves('2025-03-26/authorization/redirect-uris-are-localhost-or-https', () => {
    expect(outcome).toMatch(/https|redirect/);
    expect(place.issuer.registered).toEqual([]);
  });
  const insecure = await place.outcome(
    place.client({
      redirect: {
        redirectUri: REDIRECT_URI,
        authorize: async () => `${REDIRECT_URI}?code=x&state=made-up`,
      },
    }),
  );
  proves('2025-03-26/authorization/oauth-security-best-practices-followed', () =>
    expect([typeof insecure, place.issuer.tokenRequests]).toEqual(['string', []]),
  );
  // only the state is wrong; the code and the issuer are valid
  const forged = await scene(revision);
  forged.issuer.response = { state: 'made-up' };
  const discarded = await forged.outcome();
  proves('2025-06-18/authorization/client-discards-mismatched-state', () =>
    expect([discarded, forged.issuer.tokenRequests]).toEqual([expect.stringContaining('state'), []]),
  );
  proves('2025-06-18/authorization/client-uses-and-verifies-state', () => {
    expect(forged.issuer.authorizations[0]?.state).not.toBe('made-up');
    expect(forged.issuer.tokenRequests).toEqual([]);
  });
});

over(
  ['2025-03-26'],
  'the endpoints of a server that is its own authorization server are discovered',
  async ({ proves, revision }) => {
    const described = await alone(revision, true);
    await described.act();
    proves('2025-03-26/authorization/client-uses-as-metadata', () =>
      expect(pathsOf(described.server.web)).toContain(OAUTH),
    );
    const asked = described.server.web.requests.find(({ url }) => url.pathname === OAUTH);
    proves('2025-03-26/authorization/discovery-sends-protocol-version-header', () =>
      expect(asked?.headers['mcp-protocol-version']).toBe('2025-03-26'),
    );
    proves('2025-03-26/authorization/base-url-drops-path', () =>
      expect(asked?.url.href).toBe(`${described.server.web.origin}${OAUTH}`),
    );
    const silent = await alone(revision);
    const done = await silent.act();
    const paths = pathsOf(silent.server.web);
    proves('2025-03-26/authorization/metadata-tried-before-default-paths', () =>
      expect(paths.indexOf(OAUTH)).toBeLessThan(paths.indexOf('/authorize')),
    );
    proves('2025-03-26/authorization/default-authorize-path', () => expect(paths).toContain('/authorize'));
    proves('2025-03-26/authorization/default-token-path', () => expect(paths).toContain('/token'));
    proves('2025-03-26/authorization/default-register-path', () => expect(paths).toContain('/register'));
    proves('2025-03-26/authorization/default-paths-change-nothing-else', () =>
      expect([done.status, silent.issuer.authorizations[0]?.code_challenge_method]).toEqual([200, 'S256']),
    );
  },
);

over(
  between('2025-03-26', '2025-06-18'),
  'without registration a preconfigured client is used',
  async ({ proves, revision }) => {
    const place = await scene(revision);
    place.issuer.metadata = { registration_endpoint: undefined };
    place.issuer.know({ id: 'mine', method: 'none', redirectUris: [REDIRECT_URI] });
    const refused = await place.outcome();
    const done = await place.outcome(
      place.client({ client: { registered: { issuer: place.issuer.id, clientId: 'mine' } } }),
    );
    proves('2025-03-26/authorization/client-id-configured-without-registration', () =>
      expect([refused, done]).toEqual([expect.stringContaining('client id'), 200]),
    );
  },
);

over(
  all,
  'the token is sent in a header of every request, and nowhere else',
  async ({ proves, revision, stateless: modern }) => {
    const issuer = await AuthorizationServer.start();
    const site = await web(revision, {
      capabilities: { tools: {} },
      session: 's',
      play: (asked) => {
        if (asked.url.pathname.startsWith(PROTECTED))
          asked.send(200, { resource: site.url, authorization_servers: [issuer.id] });
        else if (!issuer.tokens.has(asked.headers.authorization?.replace('Bearer ', '') ?? ''))
          asked.send(401, {}, { 'WWW-Authenticate': 'Bearer' });
        else return true;
        return false;
      },
    });
    const { user } = await import('../../../packages/protocol/test/auth/client/user.ts');
    const lines: string[] = [];
    const auth = oauth({ clientName: 'Tester', redirect: user() });
    const era = modern ? {} : ({ era: 'handshake', revision } as const);
    const client = await connect(http(site.url, { auth }), {
      name: 'tester',
      version: '1',
      onError: (error) => lines.push(error.message),
      ...era,
    });
    onTestFinished(() => client.close());
    await client.listTools();
    await client.callTool('a');
    const [token] = [...issuer.tokens.keys()];
    const served = site.asked.slice(
      site.asked.findIndex(({ headers }) => headers.authorization !== undefined),
    );
    proves('2025-03-26/authorization/token-sent-in-authorization-header', () =>
      expect(served[0]?.headers.authorization).toBe(`Bearer ${token}`),
    );
    proves('2025-03-26/authorization/authorization-on-every-request', () =>
      expect(served.filter(({ headers }) => headers.authorization === undefined)).toEqual([]),
    );
    proves('2025-03-26/authorization/client-stores-tokens-securely', () => {
      expect(JSON.stringify([auth, client])).not.toContain(token);
      expect(lines.join()).not.toContain(token);
    });
    proves('2025-03-26/authorization/no-token-in-query-string', () =>
      expect(site.asked.filter(({ url }) => url.href.includes(String(token)))).toEqual([]),
    );
  },
);

over(
  all,
  'a process is started without authorization, with its credentials in the environment',
  async ({ proves, revision, script }) => {
    const program = fileURLToPath(new URL('./child.mjs', import.meta.url));
    const messages: string[] = [];
    const transport = childProcess({
      command: process.execPath,
      args: [program],
      env: { API_TOKEN: 'secret-of-the-server' },
      stderr: (text) => messages.push(text),
    });
    const client = await connect(transport, script().clientOptions());
    await client.listTools();
    await client.close();
    const text = messages.join('');
    proves('2025-03-26/authorization/stdio-does-not-use-oauth-flow', () =>
      expect(text).not.toMatch(/authorization|Bearer|secret/i),
    );
    expect(revision).toBeDefined();
  },
);

over(all, 'a WebSocket sends credentials like HTTP', async ({ proves }) => {
  const seen: unknown[] = [];
  const url = await answerDials((frames, headers) => {
    seen.push(headers.authorization);
    frames.message().then(
      ({ id }) =>
        frames.say({
          id,
          result: {
            protocolVersion: '2025-11-25',
            capabilities: {},
            serverInfo: { name: 's', version: '1' },
          },
        }),
      () => {},
    );
  });
  const auth = { headers: async () => ({ Authorization: 'Bearer good' }), challenged: async () => false };
  const client = await connect(webSocket(url, { auth }), { name: 'tester', version: '1', era: 'handshake' });
  onTestFinished(() => client.close());
  proves('2025-03-26/authorization/other-transports-follow-security-practices', () =>
    expect([seen, url.includes('good')]).toEqual([['Bearer good'], false]),
  );
});

over(['2025-03-26'], 'an expired token is renewed without the user', async ({ proves, revision }) => {
  const place = await scene(revision);
  const auth = place.client();
  await place.act(auth);
  place.server.revokeAll();
  const again = await place.act(auth);
  proves('2025-03-26/authorization/local-client-refreshes-tokens', () =>
    expect(place.issuer.tokenRequests.map(({ grant_type }) => grant_type)).toEqual([
      'authorization_code',
      'refresh_token',
    ]),
  );
  proves('2025-03-26/authorization/local-client-handles-token-expiry', () =>
    expect([again.status, place.person.asked.length]).toEqual([200, 1]),
  );
});

over(since, 'metadata of the server names its authorization server', async ({ proves, revision }) => {
  const place = await scene(revision);
  const { issuer, server } = place;
  server.metadata = { authorization_servers: [issuer.id, 'https://second.example'] };
  await place.act();
  proves('2025-06-18/authorization/client-uses-protected-resource-metadata', () =>
    expect(pathsOf(server.web)).toEqual(['/mcp', `${PROTECTED}/mcp`, '/mcp']),
  );
  proves('2025-06-18/authorization/client-selects-authorization-server', () =>
    expect(issuer.authorizations).toHaveLength(1),
  );
  proves('2025-06-18/authorization/client-uses-as-metadata', () =>
    expect(pathsOf(issuer.web)[0]).toBe(OAUTH),
  );
  const elsewhere = await scene(revision);
  elsewhere.server.metadataPath = '/custom, "quoted"/place.json'.replaceAll(/[ ,"]/g, '-');
  elsewhere.server.challenge = { realm: 'a, b', error_description: 'x' };
  const done = await elsewhere.act();
  proves('2025-06-18/authorization/client-parses-www-authenticate', () =>
    expect([done.status, pathsOf(elsewhere.server.web)[1]]).toEqual([200, elsewhere.server.metadataPath]),
  );
  proves('2025-11-25/authorization/client-prefers-header-metadata-url', () =>
    expect(pathsOf(elsewhere.server.web)).toHaveLength(3),
  );
  const silent = await scene(revision);
  silent.server.challenge = { resource_metadata: undefined };
  silent.server.metadataPath = PROTECTED;
  await silent.act();
  proves('2025-11-25/authorization/client-supports-both-prm-discovery-mechanisms', () =>
    expect(silent.issuer.authorizations).toHaveLength(1),
  );
  proves('2025-11-25/authorization/client-falls-back-to-well-known-path-then-root', () =>
    expect(pathsOf(silent.server.web).slice(1, 3)).toEqual([`${PROTECTED}/mcp`, PROTECTED]),
  );
});

over(
  since,
  'a token is requested for one server, and sent to that server only',
  async ({ proves, revision }) => {
    const place = await scene(revision);
    const { issuer, server } = place;
    const auth = place.client();
    await place.act(auth);
    const [asked, redeemed] = [issuer.authorizations[0], issuer.tokenRequests[0]];
    proves('2025-06-18/authorization/client-implements-resource-indicators', () =>
      expect([asked?.resource, redeemed?.resource]).toEqual([server.url, server.url]),
    );
    proves('2025-06-18/authorization/resource-in-authorization-request', () =>
      expect(asked?.resource).toBe(server.url),
    );
    proves('2025-06-18/authorization/resource-in-token-request', () =>
      expect(redeemed?.resource).toBe(server.url),
    );
    proves('2025-06-18/authorization/resource-identifies-target-server', () =>
      expect(new URL(asked?.resource ?? '').origin).toBe(server.web.origin),
    );
    proves('2025-06-18/authorization/resource-is-canonical-uri', () =>
      expect(asked?.resource).toBe(`${server.web.origin}/mcp`),
    );
    proves('2025-06-18/authorization/canonical-uri-has-scheme', () =>
      expect(asked?.resource).toMatch(/^http:/),
    );
    proves('2025-06-18/authorization/canonical-uri-has-no-fragment', () =>
      expect(asked?.resource).not.toContain('#'),
    );
    proves('2025-06-18/authorization/resource-is-most-specific-uri', () =>
      expect(new URL(asked?.resource ?? '').pathname).toBe('/mcp'),
    );
    proves('2025-06-18/authorization/resource-sent-even-if-unsupported', () =>
      expect(redeemed).toHaveProperty('resource'),
    );
    const stranger = await ResourceServer.start(issuer);
    const sent = await auth
      .headers({ method: 'POST', url: new URL(stranger.url) })
      .catch((error: Error) => error.message);
    proves('2025-06-18/authorization/client-sends-only-tokens-of-servers-as', () =>
      expect(sent).toContain('these credentials are for'),
    );
  },
);

over(since, 'the URL of a server is accepted in any spelling', async ({ proves, revision }) => {
  const place = await alone(revision, true);
  const { origin } = place.server.web;
  const upper = place.server.url.replace('http:', 'HTTP:').replace('127.0.0.1', 'LOCALHOST');
  const sent = await place.client({ server: upper }).headers({ method: 'POST', url: new URL(upper) });
  proves('2025-06-18/authorization/uppercase-scheme-and-host-accepted', () => expect(sent).toEqual({}));
  const { discoverAuthorization } = await import('@rootbound/protocol/auth');
  const root = await discoverAuthorization(`${origin}/`);
  proves('2025-06-18/authorization/canonical-uri-without-trailing-slash', () =>
    expect(root.resource).toBe(origin),
  );
  const open = await discoverAuthorization('http://mcp.example/mcp').catch((error: Error) => error.message);
  proves('2025-06-18/authorization/communication-security-per-oauth-1-5', () =>
    expect(open).toBe('tokens are sent only over https or within this machine'),
  );
});

over(
  newer,
  'metadata of an issuer is requested from the well-known URLs in order',
  async ({ proves, revision }) => {
    const found: boolean[] = [];
    for (const [issuerPath, path] of [
      ['', OAUTH],
      ['', OPENID],
      ['/t', `${OAUTH}/t`],
      ['/t', `${OPENID}/t`],
      ['/t', `/t${OPENID}`],
    ] as const) {
      const place = await scene(revision, issuerPath);
      place.issuer.metadataPaths = [path];
      found.push((await place.outcome()) === 200);
    }
    proves('2025-11-25/authorization/client-supports-rfc8414-and-oidc-discovery', () =>
      expect(found).toEqual([true, true, true, true, true]),
    );
    const asked = async (issuerPath: string) => {
      const place = await scene(revision, issuerPath);
      place.issuer.metadataPaths = [];
      await place.outcome();
      return pathsOf(place.issuer.web);
    };
    const [plain, nested] = [await asked(''), await asked('/t')];
    proves('2025-11-25/authorization/client-tries-several-as-metadata-urls', () =>
      expect(nested.length).toBeGreaterThan(1),
    );
    proves('2025-11-25/authorization/as-metadata-order-for-issuer-without-path', () =>
      expect(plain).toEqual([OAUTH, OPENID]),
    );
    proves('2025-11-25/authorization/as-metadata-order-for-issuer-with-path', () =>
      expect(nested).toEqual([`${OAUTH}/t`, `${OPENID}/t`, `/t${OPENID}`]),
    );
    proves('2026-07-28/authorization/no-mcp-specific-well-known-suffix', () =>
      expect([...plain, ...nested].filter((path) => path.includes('mcp'))).toEqual([]),
    );
  },
);

over(newer, 'without PKCE the flow is refused', async ({ proves, revision }) => {
  const without = async (path: string, methods: unknown) => {
    const place = await scene(revision);
    place.issuer.metadataPaths = [path];
    place.issuer.metadata = { code_challenge_methods_supported: methods };
    return [typeof (await place.outcome()), place.issuer.authorizations.length];
  };
  const refused = ['string', 0];
  const [oauthNone, openidNone, plain] = [
    await without(OAUTH, undefined),
    await without(OPENID, undefined),
    await without(OAUTH, ['plain']),
  ];
  proves('2025-11-25/authorization/refuses-oauth-metadata-without-pkce-methods', () =>
    expect(oauthNone).toEqual(refused),
  );
  proves('2025-11-25/authorization/refuses-oidc-metadata-without-pkce-methods', () =>
    expect(openidNone).toEqual(refused),
  );
  const fine = await without(OPENID, ['S256']);
  proves('2025-11-25/authorization/checks-pkce-methods-in-oidc-metadata', () =>
    expect([fine, openidNone]).toEqual([['number', 1], refused]),
  );
  proves('2025-11-25/authorization/client-verifies-pkce-support', () => expect(plain).toEqual(refused));
  proves('2025-11-25/authorization/pkce-support-taken-from-as-metadata', () =>
    expect([fine[1], plain[1]]).toEqual([1, 0]),
  );
});

over(
  newer,
  'a metadata document, a preconfigured client or registration is used, the first that is possible',
  async ({ proves, revision }) => {
    const idOf = async (client: object, metadata: object = {}) => {
      const place = await scene(revision);
      place.issuer.metadata = { ...metadata };
      for (const id of ['mine', DOCUMENT])
        place.issuer.know({ id, method: 'none', redirectUris: [REDIRECT_URI] });
      const registered =
        'registered' in client ? { registered: { issuer: place.issuer.id, clientId: 'mine' } } : {};
      const outcome = await place.outcome(place.client({ client: { ...client, ...registered } }));
      return place.issuer.authorizations[0]?.client_id?.replace(/-http.*/, '') ?? outcome;
    };
    const takes = { client_id_metadata_document_supported: true };
    const [document, untaken, setUp, bare] = [
      await idOf({ metadataUrl: DOCUMENT }, takes),
      await idOf({ metadataUrl: DOCUMENT }),
      await idOf({ metadataUrl: DOCUMENT, registered: true, dynamic: true }, takes),
      await idOf({}, takes),
    ];
    proves('2025-11-25/authorization/client-supports-client-id-metadata-documents', () =>
      expect(document).toBe(DOCUMENT),
    );
    proves('2025-11-25/authorization/client-checks-cimd-support', () => expect(untaken).toBe('registered-1'));
    proves('2025-11-25/authorization/client-supports-static-credentials', () => expect(setUp).toBe('mine'));
    proves('2025-11-25/authorization/registration-priority-order', () =>
      expect([setUp, document, bare]).toEqual(['mine', DOCUMENT, 'registered-1']),
    );
    const none = await idOf({ dynamic: false }, { registration_endpoint: undefined });
    expect(none).toContain('the client');
  },
);

over(newer, 'the metadata document is valid by the draft', ({ proves }) => {
  const make = (url: string) =>
    clientMetadataDocument(url, { clientName: 'Tester', redirectUris: [REDIRECT_URI] });
  const document = make(DOCUMENT);
  const refused = (url: string) => () => expect(() => make(url)).toThrow(TypeError);
  proves(
    '2025-11-25/authorization/cimd-document-hosted-at-https-url',
    refused('http://app.example/client.json'),
  );
  proves('2025-11-25/authorization/cimd-client-id-is-https-with-path', refused('https://app.example'));
  proves('2025-11-25/authorization/cimd-document-has-required-properties', () =>
    expect(document).toMatchObject({
      client_id: DOCUMENT,
      client_name: 'Tester',
      redirect_uris: [REDIRECT_URI],
    }),
  );
  proves('2025-11-25/authorization/cimd-client-id-equals-document-url', () =>
    expect(document.client_id).toBe(DOCUMENT),
  );
  proves('2026-07-28/authorization/refresh-token-in-client-grant-types', () =>
    expect(document.grant_types).toEqual(['authorization_code', 'refresh_token']),
  );
  expect(() =>
    oauth({
      clientName: 'x',
      redirect: loopbackRedirect({ show: () => {} }),
      client: { metadataUrl: 'http://app.example/x' },
    }),
  ).toThrow(TypeError);
});

over(
  newer,
  'scopes are those of the challenge, or else of the metadata, or else none',
  async ({ proves, revision }) => {
    const scopeOf = async (challenge: string | undefined, supported: string[] | undefined) => {
      const place = await scene(revision);
      place.server.challenge = { scope: challenge };
      place.server.metadata = { scopes_supported: supported };
      await place.outcome();
      return place.issuer.authorizations[0]?.scope;
    };
    const [challenged, foreign, listed, none] = [
      await scopeOf('read', ['read', 'write']),
      await scopeOf('other', ['read']),
      await scopeOf(undefined, ['read', 'write']),
      await scopeOf(undefined, undefined),
    ];
    proves('2025-11-25/authorization/scope-selection-uses-challenge-first', () =>
      expect(challenged).toBe('read'),
    );
    proves('2025-11-25/authorization/client-requests-only-needed-scopes', () =>
      expect(challenged).not.toContain('write'),
    );
    proves('2025-11-25/authorization/no-assumed-relation-of-challenge-and-supported-scopes', () =>
      expect(foreign).toBe('other'),
    );
    proves('2025-11-25/authorization/challenge-scopes-are-authoritative', () =>
      expect([challenged, foreign]).toEqual(['read', 'other']),
    );
    proves('2025-11-25/authorization/missing-challenge-scope-uses-fallback', () =>
      expect(listed).toBe('read write'),
    );
    proves('2025-11-25/authorization/scope-selection-falls-back-to-scopes-supported', () =>
      expect(listed).toBe('read write'),
    );
    proves('2025-11-25/authorization/scope-selection-omits-scope-when-undefined', () =>
      expect(none).toBeUndefined(),
    );
  },
);

over(
  newer,
  'more scopes are requested if an operation needs them, a bounded number of times',
  async ({ proves, revision }) => {
    const place = await scene(revision);
    const { issuer, server, person } = place;
    server.challenge = { scope: undefined };
    server.metadata = { scopes_supported: ['read'] };
    server.needs = (operation) => (operation === 'write' ? ['write'] : []);
    const challenge = server.challenge;
    const auth = place.client();
    await place.act(auth);
    server.challenge = { ...challenge, scope: 'write' };
    const stepped = await place.act(auth, 'write');
    const asked = issuer.authorizations[1]?.scope?.split(' ').toSorted();
    proves('2025-11-25/authorization/scope-error-leads-to-step-up-or-handling', () =>
      expect([stepped.status, person.asked.length]).toEqual([200, 2]),
    );
    proves('2025-11-25/authorization/user-client-attempts-step-up', () => expect(asked).toContain('write'));
    proves('2026-07-28/authorization/reauthorization-keeps-granted-scopes', () =>
      expect(asked).toEqual(['read', 'write']),
    );
    proves('2026-07-28/authorization/step-up-requests-union-of-scopes', () =>
      expect(asked).toEqual(['read', 'write']),
    );
    const stingy = await scene(revision);
    stingy.server.needs = () => ['write'];
    stingy.issuer.consent = () => ['read'];
    stingy.server.metadata = { scopes_supported: ['read'] };
    const client = stingy.client();
    const [first, second] = [await stingy.outcome(client, 'write'), await stingy.outcome(client, 'write')];
    const times = stingy.person.asked.length;
    proves('2025-11-25/authorization/step-up-has-retry-limit', () => expect(times).toBeLessThan(5));
    proves('2025-11-25/authorization/step-up-retries-are-few-then-permanent-failure', () =>
      expect([first, second].filter((outcome) => outcome === 200)).toEqual([]),
    );
    await stingy.outcome(client, 'write');
    proves('2025-11-25/authorization/step-up-attempts-tracked', () =>
      expect(stingy.person.asked.length).toBe(times),
    );
  },
);

over(
  newest,
  'the issuer of an authorization response is checked before the code is used',
  async ({ proves, revision }) => {
    const outcome = async (
      iss: string | undefined,
      advertised: boolean,
      response: Record<string, string | undefined> = {},
    ) => {
      const place = await scene(revision);
      place.issuer.iss =
        iss === 'own'
          ? place.issuer.id
          : iss === 'slash'
            ? `${place.issuer.id}/`
            : iss === 'upper'
              ? place.issuer.id.replace('http', 'HTTP')
              : iss;
      place.issuer.response = response;
      place.issuer.metadata = { authorization_response_iss_parameter_supported: advertised };
      const result = await place.outcome();
      return { result, redeemed: place.issuer.tokenRequests.length };
    };
    const [own, foreign, missing, unadvertised, silent] = [
      await outcome('own', true),
      await outcome('https://evil.example', true),
      await outcome(undefined, true),
      await outcome('https://evil.example', false),
      await outcome(undefined, false),
    ];
    proves('2026-07-28/authorization/expected-issuer-recorded-before-redirect', () =>
      expect([own.result, foreign.redeemed]).toEqual([200, 0]),
    );
    proves('2026-07-28/authorization/iss-validated-before-code-is-sent', () =>
      expect([typeof foreign.result, foreign.redeemed]).toEqual(['string', 0]),
    );
    proves('2026-07-28/authorization/missing-advertised-iss-rejected', () =>
      expect([typeof missing.result, missing.redeemed]).toEqual(['string', 0]),
    );
    proves('2026-07-28/authorization/unadvertised-iss-still-compared', () =>
      expect([typeof unadvertised.result, unadvertised.redeemed]).toEqual(['string', 0]),
    );
    proves('2026-07-28/authorization/missing-unadvertised-iss-accepted', () =>
      expect(silent.result).toBe(200),
    );
    const close = [await outcome('slash', true), await outcome('upper', true)];
    proves('2026-07-28/authorization/iss-not-normalized-before-comparison', () =>
      expect(close.map(({ redeemed }) => redeemed)).toEqual([0, 0]),
    );
    const error = await outcome('https://evil.example', true, {
      code: undefined,
      error: 'access_denied',
      error_description: 'visit https://evil.example',
      error_uri: 'https://evil.example',
    });
    proves('2026-07-28/authorization/mismatched-error-response-not-acted-on', () =>
      expect(error.result).not.toMatch(/access_denied|visit|error_uri/),
    );
  },
);

over(newest, 'each flow stores its issuer with its secrets', async ({ proves, revision }) => {
  const [one, other] = [await scene(revision), await scene(revision)];
  // both flows run concurrently, and each code is redeemed at its own server
  const outcomes = await Promise.all([one.outcome(), other.outcome()]);
  proves('2026-07-28/authorization/expected-issuer-stored-with-pkce-record', () => {
    expect(outcomes).toEqual([200, 200]);
    expect([one.issuer.tokenRequests.length, other.issuer.tokenRequests.length]).toEqual([1, 1]);
  });
});

over(newest, 'refresh tokens are requested, kept private and not required', async ({ proves, revision }) => {
  const place = await scene(revision);
  place.issuer.metadata = { scopes_supported: ['offline_access', 'read'] };
  const log: string[] = [];
  const spies = (['log', 'error', 'warn', 'info', 'debug'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...words) => void log.push(words.join())),
  );
  const auth = place.client();
  await place.act(auth);
  for (const spy of spies) spy.mockRestore();
  const refreshed = place.issuer.web.requests.filter(
    ({ url, body }) => url.pathname === '/token' && body.includes('refresh_token='),
  );
  proves('2026-07-28/authorization/refresh-tokens-kept-confidential', () => {
    expect([log, refreshed]).toEqual([[], []]);
    expect(JSON.stringify(auth)).not.toContain('rt-');
    expect(
      place.server.web.requests.map(({ headers, body }) => JSON.stringify(headers) + body).join(),
    ).not.toContain('rt-');
  });
  proves('2026-07-28/authorization/refresh-token-in-client-grant-types', () =>
    expect(place.issuer.registered[0]?.grant_types).toEqual(['authorization_code', 'refresh_token']),
  );
  const without = await scene(revision);
  without.issuer.givesRefreshTokens = false;
  const client = without.client();
  await without.act(client);
  without.server.revokeAll();
  const again = await without.outcome(client);
  proves('2026-07-28/authorization/refresh-token-issuance-not-assumed', () =>
    expect([again, without.person.asked.length]).toEqual([200, 2]),
  );
});

over(newest, 'credentials of one authorization server are sent to no other', async ({ proves, revision }) => {
  const place = await scene(revision);
  const { issuer, server } = place;
  const store = memoryStore();
  const auth = place.client({ store });
  await place.act(auth);
  const next = await AuthorizationServer.start();
  server.issuers = [next];
  const moved = await place.outcome(auth);
  proves('2026-07-28/authorization/registration-state-kept-per-authorization-server', () =>
    expect([moved, next.registered.length]).toEqual([200, 1]),
  );
  proves('2026-07-28/authorization/client-re-registers-with-new-as', () =>
    expect(next.registered).toHaveLength(1),
  );
  const [oldId] = [...issuer.clients.keys()];
  const sent = next.web.requests.map(({ url, body }) => url.href + body).join();
  proves('2026-07-28/authorization/credentials-not-reused-with-other-as', () =>
    expect(sent).not.toContain(oldId),
  );
  proves('2026-07-28/authorization/credentials-not-assumed-valid-elsewhere', () =>
    expect(next.tokenRequests.map(({ grant_type }) => grant_type)).toEqual(['authorization_code']),
  );
  server.issuers = [issuer];
  const before = issuer.registered.length;
  await place.outcome(auth);
  proves('2026-07-28/authorization/credentials-keyed-by-issuer', () =>
    expect(issuer.registered.length).toBe(before),
  );
  const setUp = await scene(revision);
  const foreign = setUp.client({
    client: { registered: { issuer: 'https://old.example', clientId: 'mine', clientSecret: 'hush' } },
  });
  const error = await setUp.outcome(foreign);
  proves('2026-07-28/authorization/mismatched-preregistration-surfaces-error', () =>
    expect([error, setUp.issuer.tokenRequests]).toEqual([
      expect.stringContaining('another authorization server'),
      [],
    ]),
  );
  const portable: string[] = [];
  for (let count = 0; count < 2; count++) {
    const other = await scene(revision);
    other.issuer.metadata = { client_id_metadata_document_supported: true };
    other.issuer.know({ id: DOCUMENT, method: 'none', redirectUris: [REDIRECT_URI] });
    await other.outcome(other.client({ client: { metadataUrl: DOCUMENT } }));
    portable.push(`${other.issuer.authorizations[0]?.client_id} ${other.issuer.registered.length}`);
  }
  proves('2026-07-28/authorization/cimd-client-id-portable-across-as', () =>
    expect(portable).toEqual([`${DOCUMENT} 0`, `${DOCUMENT} 0`]),
  );
});

over(newest, 'metadata with another issuer is refused', async ({ proves, revision }) => {
  const outcome = async (metadata: Record<string, unknown>) => {
    const place = await scene(revision);
    place.issuer.metadata = metadata;
    return [await place.outcome(), place.issuer.registered.length, place.issuer.authorizations.length];
  };
  const other = await outcome({ issuer: 'https://evil.example' });
  proves('2026-07-28/authorization/as-metadata-issuer-matches-url', () =>
    expect(other[0]).toContain('belongs to another issuer'),
  );
  proves('2026-07-28/authorization/as-metadata-of-other-issuer-not-used', () =>
    expect(other.slice(1)).toEqual([0, 0]),
  );
  const wrong = [
    await outcome({ token_endpoint: undefined }),
    await outcome({ authorization_endpoint: 7 }),
    await outcome({ token_endpoint: 'javascript:alert(1)' }),
  ];
  proves('2026-07-28/authorization/as-metadata-validated', () =>
    expect(wrong.map(([result, , asked]) => [typeof result, asked])).toEqual([
      ['string', 0],
      ['string', 0],
      ['string', 0],
    ]),
  );
});

over(
  newest,
  'a client registers with its type, and reports the error of a failure',
  async ({ proves, revision }) => {
    const place = await scene(revision);
    await place.act();
    proves('2026-07-28/authorization/dcr-request-has-application-type', () =>
      expect(place.issuer.registered[0]).toHaveProperty('application_type'),
    );
    proves('2026-07-28/authorization/native-client-registers-as-native', () =>
      expect(place.issuer.registered[0]?.application_type).toBe('native'),
    );
    const remote = await scene(revision);
    await remote.outcome(
      remote.client({
        redirect: {
          redirectUri: 'https://app.example/callback',
          authorize: async () => 'https://app.example/callback',
        },
      }),
    );
    proves('2026-07-28/authorization/web-client-registers-as-web', () =>
      expect(remote.issuer.registered[0]?.application_type).toBe('web'),
    );
    const refusing = await scene(revision);
    refusing.issuer.registrationStatus = 400;
    refusing.issuer.registration = {
      error: 'invalid_redirect_uri',
      error_description: 'loopback is not allowed',
    };
    const error = await refusing.outcome();
    proves('2026-07-28/authorization/registration-failures-handled', () =>
      expect([typeof error, refusing.issuer.authorizations]).toEqual(['string', []]),
    );
    proves('2026-07-28/authorization/registration-rejection-surfaced', () =>
      expect(error).toContain('invalid_redirect_uri'),
    );
  },
);

over(
  newer,
  'client metadata documents are public and identified by their URL',
  async ({ proves, revision }) => {
    const place = await scene(revision);
    place.issuer.metadata = { client_id_metadata_document_supported: true };
    place.issuer.know({ id: DOCUMENT, method: 'none', redirectUris: [REDIRECT_URI] });
    await place.act(place.client({ client: { metadataUrl: DOCUMENT } }));
    proves('2025-11-25/authorization/cimd-implementations-follow-the-draft', () =>
      expect([
        place.issuer.authorizations[0]?.client_id,
        place.issuer.tokenRequests[0]?.client_id,
        place.issuer.registered,
      ]).toEqual([DOCUMENT, DOCUMENT, []]),
    );
  },
);
