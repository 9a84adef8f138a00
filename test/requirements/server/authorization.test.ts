import { createServer, tool } from '@rootbound/protocol';
import { bearer } from '@rootbound/protocol/auth';
import { serveWebSocket } from '@rootbound/protocol/ws';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { dial } from '../frames.ts';
import type { LedgerRevision } from '../ledger.ts';
import { between } from '../revisions.ts';
import { fixture, Stage } from './fixture.ts';
import { another, bareSite, type Site, type SiteOptions } from './site.ts';
import { over } from './world.ts';

const http = between('2025-03-26');
const since = between('2025-06-18');
const newer = between('2025-11-25');
const resource = 'https://mcp.example.com/mcp';
const issuer = 'https://login.example.com';

type Claims = Record<string, unknown>;

const claims = (more: Claims = {}): Claims => ({
  iss: issuer,
  aud: resource,
  sub: 'ann',
  client_id: 'c',
  scope: 'files:read',
  exp: 4_000_000_000,
  ...more,
});

/** The facts about the issued tokens of these tests, by token. */
const tokens: Record<string, Claims> = {
  good: claims(),
  bob: claims({ sub: 'bob' }),
  writer: claims({ scope: 'files:read files:write' }),
  admin: claims({ scope: 'files:all' }),
  narrow: claims({ scope: 'other' }),
  expired: claims({ exp: 1_000_000_000 }),
  foreign: claims({ iss: 'https://evil.example' }),
  elsewhere: claims({ aud: 'https://other.example.com/mcp' }),
  several: claims({ aud: ['https://other.example.com/mcp', resource] }),
  nobody: claims({ aud: undefined }),
};

function guarded(more: Partial<Parameters<typeof bearer>[0]> = {}) {
  return bearer({
    verify: (token) => (Object.hasOwn(tokens, token) ? (tokens[token] as never) : undefined),
    resource,
    authorizationServers: [issuer],
    scopes: ['files:read'],
    scopeImplies: { 'files:all': ['files:read', 'files:write'] },
    cacheSeconds: 0,
    ...more,
  });
}

const authorization = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Creates a server that requires tokens, and a client with one. */
async function open(revision: LedgerRevision, options: SiteOptions = {}, token = 'good'): Promise<Site> {
  const to = await bareSite(revision, { authorizer: guarded(), ...options });
  to.session = authorization(token);
  if (revision === '2026-07-28') return to;
  const answer = await to.request('initialize', {
    protocolVersion: revision,
    capabilities: to.capabilities,
    clientInfo: { name: 'a', version: '1' },
  });
  to.session = { ...to.session, 'Mcp-Session-Id': String(answer.headers['mcp-session-id']) };
  return to;
}

/** Returns the response to a request with this Authorization header. */
async function presented(to: Site, header: string | undefined) {
  const answer = await to.request('tools/list', {}, { headers: { Authorization: header } });
  return { ...answer, challenge: String(answer.headers['www-authenticate'] ?? '') };
}

over(http, 'a request without a valid token is refused before it is read', async ({ proves, revision }) => {
  const stage = new Stage();
  const to = await open(revision, { server: fixture(stage) });
  const none = await presented(to, undefined);
  proves('2025-03-26/authorization/missing-authorization-gets-401', () => expect(none.status).toBe(401));
  const good = await presented(to, 'Bearer good');
  const bad = [
    await presented(to, 'Bearer made-up'),
    await presented(to, 'Bearer expired'),
    await presented(to, 'Bearer foreign'),
  ];
  proves('2025-03-26/authorization/server-validates-access-tokens', () =>
    expect([good.status, ...bad.map(({ status }) => status)]).toEqual([200, 401, 401, 401]),
  );
  proves('2025-03-26/authorization/invalid-or-expired-token-gets-401', () =>
    expect(bad.map(({ status }) => status)).toEqual([401, 401, 401]),
  );
  proves('2025-03-26/authorization/failed-validation-answered-per-oauth-5-3', () => {
    for (const { challenge } of bad) expect(challenge).toMatch(/^Bearer .*error="invalid_token"/);
    expect(none.challenge).not.toContain('error=');
  });
  const malformed = [
    await presented(to, 'Bearer'),
    await presented(to, 'Bearer a b'),
    await presented(to, 'Bearer ä'),
  ];
  proves('2025-03-26/authorization/malformed-authorization-request-gets-400', () =>
    expect(malformed.map(({ status }) => status)).toEqual([400, 400, 400]),
  );
  proves('2025-03-26/authorization/token-use-conforms-to-oauth-section-5', () =>
    expect(malformed[0]?.challenge).toContain('error="invalid_request"'),
  );
  const narrow = await presented(to, 'Bearer narrow');
  proves('2025-03-26/authorization/insufficient-scope-gets-403', () => expect(narrow.status).toBe(403));
  const unread = await to.ask({ body: '{"jsonrpc":', headers: { Authorization: undefined } });
  const called = await to.call('echo', { text: 'x' }, { headers: { Authorization: 'Bearer made-up' } });
  proves('2025-06-18/authorization/token-validated-before-processing', () =>
    expect([unread.status, called.status, stage.ran]).toEqual([401, 401, []]),
  );
  proves('2025-03-26/authorization/http-implementations-conform', () =>
    expect([none.status, good.status]).toEqual([401, 200]),
  );
  proves('2025-06-18/security/authorizing-server-verifies-every-request', () =>
    expect([good.status, none.status, called.status]).toEqual([200, 401, 401]),
  );
  proves('2025-06-18/authorization/no-data-to-unauthorized-parties', () =>
    expect([none, ...bad, ...malformed, narrow].filter(({ text }) => text.includes('tools'))).toEqual([]),
  );
});

over(since, 'a token is accepted only for its audience', async ({ proves, revision }) => {
  const to = await open(revision);
  const status = async (token: string) => (await presented(to, `Bearer ${token}`)).status;
  const [elsewhere, nobody, several] = [
    await status('elsewhere'),
    await status('nobody'),
    await status('several'),
  ];
  proves('2025-06-18/authorization/server-validates-token-audience', () =>
    expect([elsewhere, several]).toEqual([401, 200]),
  );
  proves('2025-06-18/authorization/wrong-audience-token-rejected', () =>
    expect([elsewhere, nobody]).toEqual([401, 401]),
  );
  proves('2025-06-18/authorization/server-accepts-no-other-tokens', () => expect(elsewhere).toBe(401));
  proves('2025-11-25/authorization/server-accepts-only-tokens-for-itself', () =>
    expect([elsewhere, nobody]).toEqual([401, 401]),
  );
});

over(since, 'the server publishes its authorization servers', async ({ proves, revision }) => {
  const to = await bareSite(revision, { authorizer: guarded() });
  const document = async (path: string) =>
    (await to.ask({ method: 'GET', path, headers: { Accept: 'application/json' } })).message;
  const { challenge } = await presented(to, undefined);
  const metadata = await document('/.well-known/oauth-protected-resource/mcp');
  proves('2025-06-18/authorization/server-implements-protected-resource-metadata', () =>
    expect(metadata.resource).toBe(resource),
  );
  proves('2025-06-18/authorization/resource-metadata-lists-authorization-servers', () =>
    expect(metadata.authorization_servers).toEqual([issuer]),
  );
  proves('2025-06-18/authorization/mcp-server-acts-as-resource-server', () =>
    expect(metadata.bearer_methods_supported).toEqual(['header']),
  );
  proves('2025-06-18/authorization/401-names-resource-metadata-url', () =>
    expect(challenge).toContain(
      'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    ),
  );
  proves('2025-06-18/authorization/resource-metadata-at-well-known-path', () =>
    expect(metadata.scopes_supported).toEqual(['files:read']),
  );
  const root = await document('/.well-known/oauth-protected-resource');
  proves('2025-11-25/authorization/prm-discoverable-by-header-or-well-known', () =>
    expect([challenge.includes('resource_metadata='), root.resource]).toEqual([true, resource]),
  );
});

over(
  since,
  'the URL of the server is accepted in any spelling, and published in one form',
  async ({ proves }) => {
    const documentOf = async (address: string) => {
      const authorizer = guarded({ resource: address });
      return (await authorizer.document?.('/.well-known/oauth-protected-resource/mcp')) as {
        resource: string;
      };
    };
    const plain = await documentOf('https://mcp.example.com/mcp');
    const upper = await documentOf('HTTPS://MCP.Example.COM/mcp');
    proves('2025-06-18/authorization/uppercase-scheme-and-host-accepted', () =>
      expect(upper.resource).toBe(plain.resource),
    );
    const root = (await guarded({ resource: 'https://mcp.example.com/' }).document?.(
      '/.well-known/oauth-protected-resource',
    )) as { resource: string };
    proves('2025-06-18/authorization/canonical-uri-without-trailing-slash', () =>
      expect(root.resource).toBe('https://mcp.example.com'),
    );
    const insecure = () => guarded({ authorizationServers: ['http://login.example.com'] });
    proves('2025-06-18/authorization/communication-security-per-oauth-1-5', () =>
      expect(insecure).toThrow(/https/),
    );
    proves('2025-03-26/authorization/redirect-uris-are-localhost-or-https', () =>
      expect(insecure).toThrow(TypeError),
    );
    proves('2025-03-26/authorization/oauth-security-best-practices-followed', () =>
      expect(() => guarded({ authorizationServers: [] })).toThrow(TypeError),
    );
  },
);

over(['2025-03-26'], 'older clients find the authorization server as well', async ({ proves, revision }) => {
  const legacyMetadata = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    code_challenge_methods_supported: ['S256'],
  };
  const to = await bareSite(revision, { authorizer: guarded({ legacyMetadata }) });
  const { message } = await to.ask({
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
    headers: { Accept: 'application/json' },
  });
  proves('2025-03-26/authorization/oauth-2-1-implemented', () => expect(message).toEqual(legacyMetadata));
  proves('2025-03-26/authorization/redirect-uris-are-localhost-or-https', () =>
    expect(() => guarded({ authorizationServers: ['http://login.example.com'] })).toThrow(/https/),
  );
  proves('2025-03-26/authorization/oauth-security-best-practices-followed', () =>
    expect(message.code_challenge_methods_supported).toEqual(['S256']),
  );
  const { challenge } = await presented(to, undefined);
  proves('2025-03-26/authorization/default-paths-change-nothing-else', () =>
    expect(challenge).toMatch(/^Bearer /),
  );
});

over(between('2025-11-25'), 'a challenge has all required scopes', async ({ proves, revision }) => {
  const authorizer = guarded({
    scopesFor: (_method, { name }) => (name === 'echo' ? ['files:write'] : undefined),
    scopesSupported: ['files:read', 'files:write'],
  });
  const to = await open(revision, { authorizer });
  const first = await presented(to, undefined);
  proves('2025-11-25/authorization/challenge-includes-scope', () =>
    expect(first.challenge).toContain('scope="files:read"'),
  );
  const call = async (token: string) => {
    const answer = await to.call('echo', { text: 'x' }, { headers: authorization(token) });
    return { status: answer.status, challenge: String(answer.headers['www-authenticate'] ?? '') };
  };
  const lacking = await call('good');
  proves('2025-11-25/authorization/insufficient-scope-answered-403', () => expect(lacking.status).toBe(403));
  proves('2025-11-25/authorization/insufficient-scope-challenge-has-error', () =>
    expect(lacking.challenge).toContain('error="insufficient_scope"'),
  );
  proves('2025-11-25/authorization/insufficient-scope-challenge-has-scopes', () =>
    expect(lacking.challenge).toContain('scope="files:read files:write"'),
  );
  proves('2025-11-25/authorization/insufficient-scope-challenge-has-resource-metadata', () =>
    expect(lacking.challenge).toContain(
      'resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"',
    ),
  );
  proves('2026-07-28/authorization/all-required-scopes-in-one-challenge', () =>
    expect(lacking.challenge).toContain('scope="files:read files:write"'),
  );
  const again = await call('good');
  proves('2025-11-25/authorization/scope-sets-constructed-consistently', () =>
    expect(again.challenge).toBe(lacking.challenge),
  );
  proves('2025-11-25/authorization/scope-inclusion-strategy-consistent', () =>
    expect(again.challenge.match(/scope="([^"]*)"/)?.[1]).toBe('files:read files:write'),
  );
  proves('2025-11-25/authorization/scope-choice-considers-user-experience', () =>
    expect(first.challenge).not.toContain('files:write'),
  );
  const broad = to.revision === '2026-07-28' ? await call('admin') : { status: 200 };
  proves('2026-07-28/authorization/scope-hierarchies-accounted-for', () => expect(broad.status).toBe(200));
});

over(['2026-07-28'], 'a server does not request offline_access', async ({ proves }) => {
  const asking = () => guarded({ scopes: ['files:read', 'offline_access'] });
  const publishing = () => guarded({ scopesSupported: ['files:read', 'offline_access'] });
  proves('2026-07-28/authorization/offline-access-not-in-challenge', () =>
    expect(asking).toThrow('offline_access'),
  );
  proves('2026-07-28/authorization/offline-access-not-in-resource-metadata', () =>
    expect(publishing).toThrow('offline_access'),
  );
});

over(
  between('2025-06-18', '2025-11-25'),
  'a session belongs to its principal, and does not authenticate a user',
  async ({ proves, revision }) => {
    const stage = new Stage();
    const to = await open(revision, { server: fixture(stage) });
    const thief = another(to);
    thief.session = { ...to.session, ...authorization('bob') };
    const stolen = await thief.call('echo', { text: 'bob' });
    const bare = await to.call('echo', { text: 'nobody' }, { headers: { Authorization: undefined } });
    proves('2025-06-18/security/sessions-not-used-for-authentication', () =>
      expect([bare.status, stage.ran]).toEqual([401, []]),
    );
    proves('2025-06-18/security/session-ids-bound-to-user', () => expect(stolen.status).toBe(404));
    proves('2025-06-18/security/session-data-keyed-by-user-and-session', () =>
      expect([stolen.status, stolen.text.includes('bob')]).toEqual([404, false]),
    );
  },
);

over(
  between('2025-11-25'),
  'the identity of a user comes from the token, not from the client',
  async ({ proves, revision }) => {
    const who = tool({
      name: 'who',
      description: 'Says who calls.',
      input: z.object({}),
      run: (_args, { facts }) => `${facts.principal}`,
    });
    const server = createServer({ name: 's', version: '1', tools: [who] });
    const asBob = { 'io.modelcontextprotocol/clientInfo': { name: 'bob', version: '1' } };
    const principalOf = async (token: string): Promise<string> => {
      const to = await open(revision, { server }, token);
      const { message } = await to.call('who', {}, revision === '2026-07-28' ? { meta: asBob } : {});
      return message.result.content[0].text;
    };
    const [ann, annAgain, bob] = [
      await principalOf('good'),
      await principalOf('writer'),
      await principalOf('bob'),
    ];
    proves('2025-11-25/elicitation/remote-user-identity-from-authorization', () =>
      expect([ann === annAgain, ann === bob]).toEqual([true, false]),
    );
    proves('2025-11-25/elicitation/user-identified-by-best-practices', () => expect(bob).not.toBe(ann));
  },
);

over(since, 'the token of a client is not passed on', async ({ proves, revision }) => {
  let seen = '';
  const look = tool({
    name: 'look',
    description: 'Looks at all that it is given.',
    input: z.object({}),
    run: (_args, context) => {
      seen = JSON.stringify([context.facts, context.scope ?? null]);
      return seen;
    },
  });
  const errors: string[] = [];
  const authorizer = guarded({
    verify: (token) =>
      token === 'down' ? Promise.reject(new Error(`cannot check ${token}`)) : (tokens[token] as never),
    onError: (message) => errors.push(message),
  });
  const to = await open(revision, {
    server: createServer({ name: 's', version: '1', tools: [look] }),
    authorizer,
  });
  const answer = await to.call('look');
  const down = await presented(to, 'Bearer down');
  const quiet = () =>
    expect([seen.includes('Bearer'), seen.includes('good'), answer.text.includes('Bearer')]).toEqual([
      false,
      false,
      false,
    ]);
  proves('2025-06-18/authorization/client-token-not-passed-upstream', quiet);
  proves('2025-06-18/authorization/server-transits-no-other-tokens', quiet);
  proves('2025-06-18/authorization/upstream-uses-a-separate-token', () => expect(seen).not.toBe(''));
  proves('2025-11-25/elicitation/client-credentials-not-used-for-third-party', quiet);
  proves('2025-06-18/authorization/server-stores-tokens-securely', () => {
    expect([down.status, errors.join().includes('down')]).toEqual([503, false]);
    expect(JSON.stringify(to.listening.handler)).not.toContain('good');
  });
});

over(http, 'the server is no proxy, and issues no tokens', async ({ proves, revision }) => {
  const to = await open(revision);
  const paths = ['/authorize', '/token', '/register', '/callback', '/consent', '/introspect', '/revoke'];
  const statuses: number[] = [];
  for (const path of paths) {
    for (const method of ['GET', 'POST'])
      statuses.push((await to.ask({ path, method, ...(method === 'POST' && { body: '{}' }) })).status);
  }
  // requirements for a server that is a proxy to another authorization server
  const none = () => expect(new Set(statuses)).toEqual(new Set([404]));
  for (const duty of [
    'redirect-uris-validated',
    'credentials-stored-securely',
    'session-timeout-handled',
    'token-chaining-considered',
    'token-mapping-secure',
    'token-checked-before-use',
    'token-lifecycle-managed',
    'token-expiry-and-renewal-handled',
    'failures-handled',
    'flow-issues-own-token',
  ])
    proves(`2025-03-26/authorization/third-party-${duty}`, none);
  proves('2025-06-18/authorization/proxy-gets-consent-per-dynamic-client', none);
  const metadata = await to.ask({ method: 'GET', path: '/.well-known/oauth-protected-resource/mcp' });
  proves('2026-07-28/deprecated/dynamic-registration-deprecated', () =>
    expect([metadata.text.includes('registration'), statuses[4]]).toEqual([false, 404]),
  );
});

over(newer, 'the client id is that of the token, which may be a metadata document URL', async (world) => {
  const { proves, revision } = world;
  const documents = ['https://app.example/client.json', 'https://app.example/other.json'];
  const who = tool({
    name: 'who',
    description: 'Says which client calls.',
    input: z.object({}),
    run: (_args, { facts }) => String(facts.principal),
  });
  const names: string[] = [];
  for (const document of documents) {
    const to = await open(revision, {
      server: createServer({ name: 's', version: '1', tools: [who] }),
      authorizer: guarded({ verify: () => claims({ client_id: document }) as never }),
    });
    names.push((await to.call('who')).message.result.content[0].text);
  }
  // a resource server accepts such a client id as it is
  proves('2025-11-25/authorization/cimd-implementations-follow-the-draft', () =>
    expect([names[0], new Set(names).size]).toEqual([expect.stringMatching(/^[\w-]{43}$/), 2]),
  );
});

over(newer, 'a request without a token gets an error, not a redirect', async ({ proves, revision }) => {
  const to = await bareSite(revision, {
    authorizer: guarded(),
    capabilities: { elicitation: { form: {}, url: {} } },
  });
  const answers = [
    await to.call('add', { a: 1, b: 2 }),
    await to.request('tools/list', {}, { headers: authorization('expired') }),
  ];
  proves('2025-11-25/elicitation/url-mode-not-used-to-authorize-own-users', () => {
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    for (const { text, headers } of answers) {
      expect(text).not.toMatch(/elicit|-32042|input_required/);
      expect(headers['www-authenticate']).toContain('resource_metadata=');
    }
  });
});

over(http, 'over standard streams no token is required', async ({ open: talk, proves }) => {
  const { result } = await (await talk()).call('echo', { text: 'x' });
  proves('2025-03-26/authorization/stdio-does-not-use-oauth-flow', () =>
    expect(result.content[0].text).toBe('x'),
  );
});

over(http, 'a WebSocket requires the same tokens', async ({ proves }) => {
  const listener = await serveWebSocket(fixture(), { authorizer: guarded() });
  onTestFinished(() => listener.close(0));
  const outcomes = [
    await dial(listener.url),
    await dial(listener.url, authorization('elsewhere')),
    await dial(listener.url, authorization('good')),
  ];
  proves('2025-03-26/authorization/other-transports-follow-security-practices', () =>
    expect(outcomes.map((outcome) => (typeof outcome === 'number' ? outcome : 101))).toEqual([401, 401, 101]),
  );
});
