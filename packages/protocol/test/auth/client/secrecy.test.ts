import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { type ClientAuth, clientCredentials, oauth } from '../../../src/auth.ts';
import { request } from './request.ts';
import { type Scene, scene } from './scene.ts';
import { REDIRECT_URI } from './user.ts';

/** Returns every text into which a value may be converted by accident. */
function written(value: unknown): string {
  const deep = inspect(value, { depth: 20, showHidden: true, getters: true });
  const error = value instanceof Error ? [value.message, value.stack, inspect(value.cause)] : [];
  return [deep, JSON.stringify(value), String(value), ...Object.keys(Object(value)), ...error].join('\n');
}

/** Returns every secret of a scene. */
function secretsOf({ issuer }: Scene): string[] {
  const clients = [...issuer.clients.values()].flatMap(({ secret }) => secret ?? []);
  const asked = issuer.tokenRequests.flatMap((params) => [
    params.code,
    params.code_verifier,
    params.refresh_token,
  ]);
  return [...issuer.tokens.keys(), ...clients, ...asked].filter((secret) => secret !== undefined);
}

function findLeaks(value: unknown, secrets: readonly string[]): string[] {
  const text = written(value);
  return secrets.filter((secret) => text.includes(secret));
}

describe('secrets', () => {
  test('they are not visible on the object that holds them', async () => {
    const made = await scene();
    const { issuer, server, options } = made;
    issuer.metadata = {
      token_endpoint_auth_methods_supported: ['client_secret_post'],
      dpop_signing_alg_values_supported: ['ES256'],
    };
    const auth = oauth({ ...options, dpop: true });
    await request(auth, server.url);
    const secrets = secretsOf(made);
    expect(secrets.length).toBeGreaterThan(3);
    expect([findLeaks(auth, secrets), Object.keys(auth)]).toEqual([[], []]);
  });

  test('a configured secret is not visible on the object', () => {
    const client = { issuer: 'https://as.example', clientId: 'robot', clientSecret: 'hush-hush' };
    const auths: ClientAuth[] = [
      clientCredentials({ client }),
      oauth({
        clientName: 'A',
        redirect: { redirectUri: REDIRECT_URI, authorize: async () => '' },
        client: { registered: client },
      }),
    ];
    expect(auths.flatMap((auth) => findLeaks(auth, ['hush-hush']))).toEqual([]);
  });

  test('an authorization server cannot make errors contain them', async () => {
    const made = await scene();
    const { issuer, act } = made;
    issuer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
    issuer.tokenAnswer = (params) => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: `bad ${params.code} of ${params.client_secret}` },
    });
    const error: unknown = await act().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: `${issuer.id}/token refused the token request: invalid_grant` });
    expect(findLeaks(error, secretsOf(made))).toEqual([]);
  });

  test.each([
    ['an answer that is cut off', { status: 200, body: '{"access_token":"at-secret"' }],
    ['an answer of a wrong shape', { status: 200, body: { access_token: ['at-secret'] } }],
    [
      'an answer of a wrong type',
      { status: 200, body: { access_token: 'at-secret', token_type: 'at-secret' } },
    ],
    ['a page', { status: 403, body: '<p>at-secret</p>' }],
    ['an error that is a secret', { status: 400, body: { error: 'at secret' } }],
  ])('%s is not quoted', async (_what, answer) => {
    const { issuer, act } = await scene();
    issuer.tokenAnswer = () => answer;
    const error: unknown = await act().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'AuthorizationError', reason: 'token' });
    expect(findLeaks(error, ['at-secret', 'at secret'])).toEqual([]);
  });

  test('a token endpoint with a secret in its query is reported without it', async () => {
    const { issuer, act } = await scene();
    issuer.metadata = { token_endpoint: `${issuer.id}/token?key=query-secret` };
    issuer.tokenAnswer = () => ({ status: 400, body: { error: 'invalid_grant' } });
    const error: unknown = await act().catch((thrown: unknown) => thrown);
    expect(findLeaks(error, ['query-secret'])).toEqual([]);
  });

  test('a server URL with a secret in its query is not reported', async () => {
    const { issuer, server, options } = await scene();
    server.metadataPath = undefined;
    issuer.metadataPaths = [];
    issuer.iss = undefined;
    server.override = (asked) => (asked.url.pathname === '/mcp' ? undefined : issuer.answer(asked));
    expect((await request(oauth(options), `${server.url}?key=query-secret`)).status).toBe(200);
    expect(JSON.stringify([issuer.authorizations, issuer.tokenRequests])).not.toContain('query-secret');
  });

  test('nothing is written to the console', async () => {
    const lines: unknown[] = [];
    const spies = (['stdout', 'stderr'] as const).map((name) =>
      vi.spyOn(process[name], 'write').mockImplementation((chunk) => lines.push(chunk) > 0),
    );
    const { server, act } = await scene();
    await act();
    server.revokeAll();
    await act();
    for (const spy of spies) spy.mockRestore();
    expect(lines).toEqual([]);
  });
});
