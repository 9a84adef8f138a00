import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { type BearerOptions, bearer, jwks } from '../../../src/auth.ts';
import { type ListeningHttp, serveHttp } from '../../../src/http.ts';
import { createServer, tool } from '../../../src/index.ts';
import { Issuer, RESOURCE, signingKey } from './issuer.ts';

const METADATA = 'https://mcp.example.com/.well-known/oauth-protected-resource/mcp';

let issuer: Issuer;
let faults: unknown[];
let heard: string[];

beforeEach(async () => {
  issuer = await Issuer.start();
  faults = [];
  heard = [];
});
afterEach(async () => {
  vi.restoreAllMocks();
  await issuer.stop();
});

async function serve(options: Partial<BearerOptions> = {}): Promise<ListeningHttp> {
  const server = createServer({
    name: 'guarded',
    version: '1.0.0',
    onError: (error) => faults.push(error),
    tools: [
      tool({
        name: 'whoami',
        description: 'Says who calls.',
        input: z.object({}),
        run: (_input, { facts }) => String(facts.principal),
      }),
    ],
  });
  const listening = await serveHttp(server, {
    port: 0,
    authorizer: bearer({
      verify: jwks({ issuer: issuer.url }),
      resource: RESOURCE,
      authorizationServers: [issuer.url],
      scopes: ['files:read'],
      onError: (message) => heard.push(message),
      ...options,
    }),
  });
  onTestFinished(() => listening.close(0));
  return listening;
}

interface Sent {
  method?: string;
  path?: string;
  /** one header per value */
  authorization?: string | readonly string[] | undefined;
  headers?: Record<string, string>;
  body?: object;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

async function send(
  { port }: ListeningHttp,
  { method = 'POST', path = '/mcp', authorization, headers, body }: Sent = {},
): Promise<Answer> {
  const outgoing = request({ host: '127.0.0.1', port, method, path, agent: false });
  outgoing.setHeader('Accept', 'application/json, text/event-stream');
  for (const [name, value] of Object.entries(headers ?? {})) outgoing.setHeader(name, value);
  if (authorization !== undefined) outgoing.setHeader('Authorization', authorization);
  if (body === undefined) outgoing.end();
  else {
    outgoing.setHeader('Content-Type', 'application/json');
    outgoing.end(JSON.stringify(body));
  }
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const whoami = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'whoami', arguments: {} } };

test('a token opens a session that belongs to its principal, which tools can read', async () => {
  const listening = await serve();
  const authorization = `Bearer ${await issuer.token()}`;
  const opened = await send(listening, { authorization, body: initialize });
  expect(opened.status).toBe(200);
  const headers = { 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) };
  const called = await send(listening, { authorization, headers, body: whoami });
  const refreshed = `Bearer ${await issuer.token({ claims: { jti: 'next' } })}`;
  const again = await send(listening, { authorization: refreshed, headers, body: whoami });
  expect(called.text).toMatch(/"text":"[\w-]{43}"/);
  expect(again.text).toBe(called.text);
  const foreign = `Bearer ${await issuer.token({ claims: { sub: 'bob' } })}`;
  expect(await send(listening, { authorization: foreign, headers, body: whoami })).toMatchObject({
    status: 404,
  });
  expect(await send(listening, { headers, body: whoami })).toMatchObject({ status: 401 });
});

test('without a token the response is 401 before the body is sent', async () => {
  const { port } = await serve();
  const outgoing = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent: false });
  outgoing.setHeader('Content-Type', 'application/json');
  outgoing.setHeader('Content-Length', 1_000_000);
  outgoing.flushHeaders();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  outgoing.on('error', () => {
    // the server closes the connection, because the rest of the request is not needed
  });
  outgoing.destroy();
  expect(response.statusCode).toBe(401);
  expect(response.headers['www-authenticate']).toBe(
    `Bearer scope="files:read", resource_metadata="${METADATA}"`,
  );
});

test.each([
  ['GET', '/mcp'],
  ['DELETE', '/mcp'],
  ['POST', '/elsewhere'],
])('%s %s requires a token as well', async (method, path) => {
  expect(await send(await serve(), { method, path })).toMatchObject({ status: 401 });
});

test('two Authorization headers get 400, even if both tokens are valid', async () => {
  const listening = await serve();
  const authorization = `Bearer ${await issuer.token()}`;
  const answer = await send(listening, { authorization: [authorization, authorization], body: initialize });
  expect(answer.status).toBe(400);
  expect(answer.headers['www-authenticate']).toMatch(/^Bearer error="invalid_request", /);
});

test('a token in the query is ignored', async () => {
  const path = `/mcp?access_token=${await issuer.token()}`;
  const answer = await send(await serve(), { path, body: initialize });
  expect(answer).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': `Bearer scope="files:read", resource_metadata="${METADATA}"` },
  });
});

test('a scheme in lower case is the same scheme', async () => {
  const authorization = `bearer ${await issuer.token()}`;
  expect(await send(await serve(), { authorization, body: initialize })).toMatchObject({ status: 200 });
});

test('a request that requires more scopes gets 403 with all of them', async () => {
  const listening = await serve({
    scopesFor: (method, { name }) => (method === 'tools/call' ? [`call:${String(name)}`] : undefined),
  });
  const authorization = `Bearer ${await issuer.token()}`;
  const opened = await send(listening, { authorization, body: initialize });
  const headers = { 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) };
  const answer = await send(listening, { authorization, headers, body: whoami });
  expect(answer.status).toBe(403);
  expect(answer.headers['www-authenticate']).toBe(
    `Bearer error="insufficient_scope", error_description="the access token lacks a scope for this request", scope="files:read call:whoami", resource_metadata="${METADATA}"`,
  );
});

test('a batch of which some members require more scopes gets one 403 with all scopes, and none is served', async () => {
  const listening = await serve({
    scopesFor: (method, { name }) => (method === 'tools/call' ? [`call:${String(name)}`] : undefined),
  });
  const params = { ...initialize.params, protocolVersion: '2025-03-26' };
  const authorization = `Bearer ${await issuer.token({ claims: { scope: 'files:read call:whoami' } })}`;
  const opened = await send(listening, { authorization, body: { ...initialize, params } });
  const headers = { 'Mcp-Session-Id': String(opened.headers['mcp-session-id']) };
  const callOf = (id: number, name: string) => ({
    ...whoami,
    id,
    params: { name, arguments: {} },
  });
  const notification = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'last' } };
  const body = [callOf(2, 'whoami'), callOf(3, 'one'), callOf(4, 'two'), notification, callOf(5, 'one')];
  const answer = await send(listening, { authorization, headers, body });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    403,
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'the access token lacks a scope for this request' },
    },
  ]);
  expect(/ scope="([^"]*)"/.exec(String(answer.headers['www-authenticate']))?.[1]).toBe(
    'files:read call:whoami call:one call:two call:last',
  );
  const held = await send(listening, { authorization, headers, body: [callOf(2, 'whoami')] });
  expect([held.status, JSON.parse(held.text)]).toMatchObject([200, [{ id: 2, result: {} }]]);
});

test('while tokens cannot be checked the response is 503 without a challenge, with Retry-After', async () => {
  const listening = await serve();
  const authorization = `Bearer ${await issuer.token()}`;
  await issuer.stop();
  const answer = await send(listening, { authorization, body: initialize });
  await issuer.resume();
  expect([answer.status, answer.headers['retry-after']]).toEqual([503, '5']);
  expect(answer.headers).not.toHaveProperty('www-authenticate');
});

describe('metadata', () => {
  test('is public at both paths', async () => {
    const listening = await serve();
    const document = {
      resource: RESOURCE,
      authorization_servers: [issuer.url],
      scopes_supported: ['files:read'],
      bearer_methods_supported: ['header'],
    };
    for (const path of [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]) {
      const answer = await send(listening, { method: 'GET', path });
      expect([answer.status, answer.headers['content-type'], JSON.parse(answer.text)]).toEqual([
        200,
        'application/json',
        document,
      ]);
    }
  });

  test('that does not exist is 404 and not 401', async () => {
    const listening = await serve();
    for (const name of [
      'oauth-authorization-server',
      'openid-configuration',
      'oauth-protected-resource/other',
    ]) {
      const path = `/.well-known/${name}`;
      expect(await send(listening, { method: 'GET', path })).toMatchObject({ status: 404 });
    }
  });

  const path = '/.well-known/oauth-authorization-server';

  test('for clients of 2025-03-26 is that of the authorization server, which is requested once', async () => {
    const listening = await serve({ legacyMetadata: 'mirror' });
    const answers = await Promise.all([1, 2, 3].map(() => send(listening, { method: 'GET', path })));
    for (const answer of answers) {
      expect([answer.status, JSON.parse(answer.text)]).toEqual([
        200,
        {
          issuer: issuer.url,
          authorization_endpoint: `${issuer.url}/authorize`,
          token_endpoint: `${issuer.url}/token`,
          registration_endpoint: `${issuer.url}/register`,
          jwks_uri: issuer.jwksUrl,
        },
      ]);
    }
    expect(issuer.timesAsked(path)).toBe(1);
  });

  test('for clients of 2025-03-26 is 404 while the authorization server is down, and is available later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const listening = await serve({ legacyMetadata: 'mirror' });
    await issuer.stop();
    expect(await send(listening, { method: 'GET', path })).toMatchObject({ status: 404 });
    await issuer.resume();
    expect(await send(listening, { method: 'GET', path })).toMatchObject({ status: 404 });
    vi.advanceTimersByTime(10_000);
    expect(await send(listening, { method: 'GET', path })).toMatchObject({ status: 200 });
    expect(heard[0]).toMatch(
      /^no metadata of the authorization server .* was found: fetch failed: connect ECONN/,
    );
  });
});

test('no part of a token appears in a response, an error report or on a stream', async () => {
  const written: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    vi.spyOn(stream, 'write').mockImplementation((chunk) => {
      written.push(String(chunk));
      return true;
    });
  }
  for (const level of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => void written.push(parts.join(' ')));
  }
  const leaky: BearerOptions['verify'] = (token) => {
    throw new Error(`cannot introspect ${token}`);
  };
  const [listening, failing] = [await serve(), await serve({ verify: leaky })];
  const stranger = await signingKey();
  const shapes = [
    {},
    { key: stranger },
    { header: { kid: 'unknown' } },
    { claims: { exp: 1 } },
    { claims: { aud: 'https://other.example.com' } },
    { claims: { iss: 'https://other.example.com' } },
    { claims: { scope: '' } },
    { header: { typ: 'jose' } },
  ];
  const tokens = await Promise.all(shapes.map((shape) => issuer.token(shape)));
  tokens.push(`${tokens[0]}"`, `${tokens[0]}${'a'.repeat(16_384)}`, 'opaque-0123456789-opaque');
  for (const token of tokens) {
    for (const target of [listening, failing]) {
      const answer = await send(target, { authorization: `Bearer ${token}`, body: initialize });
      written.push(JSON.stringify(answer));
    }
  }
  await issuer.stop();
  const answer = await send(listening, { authorization: `Bearer ${await issuer.token({ key: stranger })}` });
  await issuer.resume();
  written.push(JSON.stringify(answer), ...heard, ...faults.map(String));
  vi.restoreAllMocks();
  const all = written.join('\n');
  expect(heard.length).toBeGreaterThan(tokens.length - 3);
  for (const part of tokens.flatMap((token) => token.split('.')))
    expect(all).not.toContain(part.slice(0, 24));
});
