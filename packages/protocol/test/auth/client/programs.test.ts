import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { clientCredentials, enterpriseManaged, workloadIdentity } from '../../../src/auth.ts';
import { AuthorizationServer, claimsOf } from './authorization-server.ts';
import { request } from './request.ts';
import { ResourceServer } from './resource-server.ts';
import { serve, type WebRequest } from './web.ts';

async function setting(...methods: string[]) {
  const issuer = await AuthorizationServer.start();
  const server = await ResourceServer.start(issuer);
  issuer.givesRefreshTokens = false;
  issuer.metadata = {
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: methods,
    authorization_endpoint: undefined,
    code_challenge_methods_supported: undefined,
  };
  return { issuer, server };
}

const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = (key: KeyObject): string => key.export({ format: 'pem', type: 'pkcs8' }).toString();

describe('a program that acts for itself', () => {
  test('it gets a token for its secret', async () => {
    const { issuer, server } = await setting('client_secret_basic');
    issuer.know({ id: 'robot', secret: 'hush', method: 'client_secret_basic' });
    const auth = clientCredentials({
      client: { issuer: issuer.id, clientId: 'robot', clientSecret: 'hush' },
    });
    expect(await request(auth, server.url)).toMatchObject({ status: 200, times: 2 });
    expect(issuer.tokenRequests).toEqual([{ grant_type: 'client_credentials', resource: server.url }]);
  });

  test.each([
    ['ES256, as PEM', ec, pem],
    ['RS256, as PEM', rsa, pem],
    ['ES256, as JWK', ec, (key: KeyObject) => key.export({ format: 'jwk' })],
    ['ES256, as Node holds it', ec, (key: KeyObject) => key],
  ])('it gets a token for an assertion signed with %s', async (_what, pair, shape) => {
    const { issuer, server } = await setting('private_key_jwt');
    const { privateKey, publicKey } = pair();
    issuer.know({ id: 'robot', method: 'private_key_jwt', publicKey: publicKey.export({ format: 'jwk' }) });
    const client = { issuer: issuer.id, clientId: 'robot', privateKey: shape(privateKey), keyId: 'one' };
    const auth = clientCredentials({ client });
    expect((await request(auth, server.url)).status).toBe(200);
    const claims = claimsOf(String(issuer.tokenRequests[0]?.client_assertion));
    expect(claims).toMatchObject({ iss: 'robot', sub: 'robot', aud: issuer.id });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(60);
  });

  test('each assertion is used once', async () => {
    const { issuer, server } = await setting('private_key_jwt');
    const { privateKey, publicKey } = ec();
    issuer.know({ id: 'robot', method: 'private_key_jwt', publicKey: publicKey.export({ format: 'jwk' }) });
    const auth = clientCredentials({ client: { issuer: issuer.id, clientId: 'robot', privateKey } });
    await request(auth, server.url);
    server.revokeAll();
    expect((await request(auth, server.url)).status).toBe(200);
    expect(new Set(issuer.tokenRequests.map((params) => params.client_assertion)).size).toBe(2);
  });

  test('an unsupported algorithm is an error before anything is sent', async () => {
    const { issuer, server } = await setting('private_key_jwt');
    issuer.metadata = { ...issuer.metadata, token_endpoint_auth_signing_alg_values_supported: ['RS256'] };
    const auth = clientCredentials({
      client: { issuer: issuer.id, clientId: 'robot', privateKey: ec().privateKey },
    });
    await expect(request(auth, server.url)).rejects.toThrow('does not support ES256 assertions');
    expect(issuer.tokenRequests).toEqual([]);
  });

  test.each([
    ['an EC key on another curve', () => generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey],
    ['a short RSA key', () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey],
    ['a public key', () => ec().publicKey],
    ['a text that is no key', () => 'secret-text'],
    ['a JWK that is none', () => ({ kty: 'EC', crv: 'P-256', d: 'secret-text' })],
  ])('%s is rejected at once', (_what, key) => {
    const client = { issuer: 'https://as.example', clientId: 'robot', privateKey: key() };
    expect(() => clientCredentials({ client })).toThrow(/^privateKey must be /);
    expect(() => clientCredentials({ client })).not.toThrow(/secret-text/);
  });

  test('additional scopes are requested together with the earlier ones', async () => {
    const { issuer, server } = await setting('client_secret_post');
    issuer.know({ id: 'robot', secret: 'hush', method: 'client_secret_post' });
    const client = { issuer: issuer.id, clientId: 'robot', clientSecret: 'hush' };
    const auth = clientCredentials({ client, scopes: ['read'] });
    await request(auth, server.url);
    server.needs = () => ['write'];
    expect((await request(auth, server.url)).status).toBe(200);
    expect(issuer.tokenRequests.map(({ scope }) => scope)).toEqual(['read', 'read write']);
  });

  test('its secret is sent only to its own authorization server', async () => {
    const { issuer, server } = await setting('client_secret_basic');
    const client = { issuer: 'https://as.example', clientId: 'robot', clientSecret: 'hush' };
    await expect(request(clientCredentials({ client }), server.url)).rejects.toThrow(
      'the server names another authorization server',
    );
    expect(issuer.tokenRequests).toEqual([]);
  });

  test.each(['', 'as.example', 'ftp://as.example', 'https://as.example/?a=b', 'https://as.example/#a'])(
    'the issuer %j is rejected at once',
    (issuer) => {
      expect(() => clientCredentials({ client: { issuer, clientId: 'robot' } })).toThrow(
        'issuer of a registered client must be the identifier of its authorization server',
      );
    },
  );
});

describe('a workload with an assertion of its platform', () => {
  test('it exchanges the assertion for a token', async () => {
    const { issuer, server } = await setting('none');
    issuer.know({ id: 'workload', method: 'none' });
    issuer.takesAssertion = async (assertion) => assertion === 'vouched';
    const wanted: unknown[] = [];
    const auth = workloadIdentity({
      client: { issuer: issuer.id, clientId: 'workload' },
      scopes: ['read'],
      assertion: (what) => {
        wanted.push(what);
        return 'vouched';
      },
    });
    expect((await request(auth, server.url)).status).toBe(200);
    expect(wanted).toEqual([{ issuer: issuer.id, resource: server.url, scopes: ['read'] }]);
    expect(issuer.tokenRequests).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion: 'vouched',
        scope: 'read',
        resource: server.url,
        client_id: 'workload',
      },
    ]);
  });

  test.each(['invalid_grant', 'invalid_scope', 'unauthorized_client'])(
    'the refusal %s is final',
    async (error) => {
      const { issuer, server } = await setting('none');
      issuer.tokenAnswer = () => ({ status: 400, body: { error } });
      const client = { issuer: issuer.id, clientId: 'workload' };
      const auth = workloadIdentity({ client, assertion: async () => 'vouched' });
      await expect(request(auth, server.url)).rejects.toMatchObject({ reason: 'token', code: error });
      expect(issuer.tokenRequests.length).toBe(1);
    },
  );

  test('a platform without an assertion ends the request', async () => {
    const { issuer, server } = await setting('none');
    const client = { issuer: issuer.id, clientId: 'workload' };
    const auth = workloadIdentity({ client, assertion: () => '' });
    await expect(request(auth, server.url)).rejects.toThrow('the assertion is empty');
    expect(issuer.tokenRequests).toEqual([]);
  });
});

describe('a user of an organisation', () => {
  async function organisation(
    answer: (request: WebRequest, asked: URLSearchParams) => object | Promise<object>,
  ) {
    const asked: Record<string, string>[] = [];
    const web = await serve(async (sent) => {
      const params = new URLSearchParams(sent.body);
      asked.push(Object.fromEntries(params));
      return { status: 200, body: await answer(sent, params) };
    });
    const { issuer, server } = await setting('client_secret_basic');
    issuer.know({ id: 'app', secret: 'hush', method: 'client_secret_basic' });
    const auth = enterpriseManaged({
      client: { issuer: issuer.id, clientId: 'app', clientSecret: 'hush' },
      identityProvider: {
        issuer: web.origin,
        tokenEndpoint: `${web.origin}/token`,
        clientId: 'app-at-provider',
        subjectToken: () => 'identity',
      },
    });
    return { issuer, server, auth, asked };
  }
  const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';

  test('the identity token is exchanged for an assertion, and that for a token', async () => {
    const key = ec().privateKey;
    const { issuer, server, auth, asked } = await organisation(async (_sent, params) => ({
      access_token: await new SignJWT({ resource: params.get('resource') })
        .setProtectedHeader({ alg: 'ES256', typ: 'oauth-id-jag+jwt' })
        .setAudience(String(params.get('audience')))
        .sign(key),
      issued_token_type: ID_JAG,
      token_type: 'N_A',
    }));
    issuer.takesAssertion = async (assertion) => {
      const { aud, resource } = claimsOf(assertion);
      return aud === issuer.id && resource === server.url;
    };
    expect((await request(auth, server.url)).status).toBe(200);
    expect(asked).toEqual([
      {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        requested_token_type: ID_JAG,
        audience: issuer.id,
        resource: server.url,
        subject_token: 'identity',
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
        client_id: 'app-at-provider',
      },
    ]);
  });

  test('a token that is no assertion is not passed on', async () => {
    const { issuer, server, auth } = await organisation(() => ({
      access_token: 'at-of-the-provider',
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
    }));
    await expect(request(auth, server.url)).rejects.toThrow('returned a token that is no assertion');
    expect(issuer.tokenRequests).toEqual([]);
  });

  test('an identity provider without encryption is rejected at once', () => {
    const client = { issuer: 'https://as.example', clientId: 'app' };
    const identityProvider = {
      ...client,
      tokenEndpoint: 'http://idp.example/token',
      subjectToken: () => 'x',
    };
    expect(() => enterpriseManaged({ client, identityProvider })).toThrow(
      'must be https, or http on loopback',
    );
  });
});
