import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type AuthFlags, authFromFlags } from '../../../src/auth.ts';
import { ask, identify } from './asking.ts';
import { Issuer, RESOURCE } from './issuer.ts';

async function started(): Promise<Issuer> {
  const issuer = await Issuer.start();
  onTestFinished(() => issuer.stop());
  return issuer;
}

test('without flags there is no authorizer', () => {
  expect(authFromFlags({})).toBeUndefined();
  expect(
    authFromFlags({ issuer: undefined, scopes: [] }, { url: 'http://127.0.0.1:3000/mcp' }),
  ).toBeUndefined();
});

test('an issuer and an audience are enough', async () => {
  const issuer = await started();
  const authorizer = authFromFlags({ issuer: issuer.url, audience: RESOURCE })!;
  expect(await identify(authorizer, await issuer.token())).toMatchObject({ subject: 'ada' });
  expect(await authorizer.document?.('/.well-known/oauth-protected-resource/mcp')).toEqual({
    resource: RESOURCE,
    authorization_servers: [issuer.url],
    bearer_methods_supported: ['header'],
  });
  const legacy = await authorizer.document?.('/.well-known/oauth-authorization-server');
  expect(legacy).toMatchObject({ issuer: issuer.url, token_endpoint: `${issuer.url}/token` });
});

test('an audience that is a name needs the URL at which the server listens', async () => {
  const issuer = await started();
  const authorizer = authFromFlags(
    { issuer: issuer.url, audience: 'mcp-server', jwks: issuer.jwksUrl, scopes: ['files:read'] },
    { url: 'http://127.0.0.1:3000/mcp' },
  )!;
  expect(await identify(authorizer, await issuer.token({ claims: { aud: 'mcp-server' } }))).toBeDefined();
  expect(await ask(authorizer, undefined)).toMatchObject({
    challenge:
      'Bearer scope="files:read", resource_metadata="http://127.0.0.1:3000/.well-known/oauth-protected-resource/mcp"',
  });
  expect(issuer.asked).toEqual(['/keys']);
});

test('the keys may be a file', async () => {
  const issuer = await started();
  const folder = await mkdtemp(join(tmpdir(), 'rootbound-keys-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const jwks = join(folder, 'keys.json');
  await writeFile(jwks, JSON.stringify({ keys: [issuer.keys[0]!.jwk] }));
  const authorizer = authFromFlags({ issuer: issuer.url, audience: RESOURCE, jwks })!;
  expect(await identify(authorizer, await issuer.token())).toMatchObject({ clientId: 'editor' });
  expect(issuer.asked).toEqual([]);
});

test('a token that cannot be checked is reported to the operator', async () => {
  const issuer = await started();
  const heard: string[] = [];
  const context = { onError: (message: string) => heard.push(message) };
  const authorizer = authFromFlags(
    { issuer: issuer.url, audience: RESOURCE, jwks: `${issuer.url}/gone` },
    context,
  )!;
  expect(await ask(authorizer, `Bearer ${await issuer.token()}`)).toMatchObject({ status: 503 });
  expect(heard).toEqual([
    `an access token could not be checked: ${issuer.url}/gone responds with status 404`,
  ]);
});

const issuer = 'https://login.example.com';
const audience = RESOURCE;
test.each<[string, AuthFlags]>([
  ['--auth-issuer is missing; give the URL of the authorization server', { audience }],
  ['--auth-issuer is missing; give the URL of the authorization server', { jwks: 'https://a.example' }],
  ['--auth-issuer is missing; give the URL of the authorization server', { scopes: ['a'] }],
  ['--auth-audience is missing; give the public URL of this server', { issuer }],
  ['--auth-audience must be the URL of this server', { issuer, audience: 'mcp-server' }],
  [
    '--auth-audience must be https; http is for loopback only',
    { issuer, audience: 'http://mcp.example.com' },
  ],
  ['--auth-issuer must be a URL such as https://example.com', { issuer: 'login.example.com', audience }],
  [
    '--auth-issuer must be https; http is for loopback only',
    { issuer: 'http://login.example.com', audience },
  ],
  ['--auth-jwks must be https; http is for loopback only', { issuer, audience, jwks: 'http://a.example' }],
  ['--auth-jwks is neither a URL nor a readable file', { issuer, audience, jwks: 'no/such/file' }],
  [
    '--auth-scopes must be scopes without spaces, quotes and backslashes',
    { issuer, audience, scopes: ['a b'] },
  ],
  ['--auth-scopes must not have offline_access', { issuer, audience, scopes: ['offline_access'] }],
])('%s', (message, flags) => {
  expect(() => authFromFlags(flags)).toThrow(new TypeError(message));
});
