import { describe, expect, test } from 'vitest';
import { clientMetadataDocument, memoryStore, oauth } from '../../../src/auth.ts';
import { request } from './request.ts';
import { scene } from './scene.ts';
import { REDIRECT_URI, user } from './user.ts';

const DOCUMENT = 'https://app.example/client.json';

describe('the client at an authorization server', () => {
  test('a metadata document is used if it is supported, and nothing is registered', async () => {
    const { issuer, act } = await scene({ client: { metadataUrl: DOCUMENT, dynamic: true } });
    issuer.metadata = { client_id_metadata_document_supported: true };
    issuer.know({ id: DOCUMENT, method: 'none', redirectUris: [REDIRECT_URI] });
    expect((await act()).status).toBe(200);
    expect([issuer.authorizations[0]?.client_id, issuer.registered]).toEqual([DOCUMENT, []]);
  });

  test('a client registers if documents are not supported', async () => {
    const { issuer, act } = await scene({ client: { metadataUrl: DOCUMENT } });
    expect((await act()).status).toBe(200);
    expect(issuer.authorizations[0]?.client_id).toMatch(/^registered-1/);
  });

  test('a registered client takes precedence over a document', async () => {
    const { issuer, server, options } = await scene();
    issuer.metadata = { client_id_metadata_document_supported: true };
    issuer.know({ id: 'mine', method: 'none', redirectUris: [REDIRECT_URI] });
    const client = { registered: { issuer: issuer.id, clientId: 'mine' }, metadataUrl: DOCUMENT };
    expect((await request(oauth({ ...options, client }), server.url)).status).toBe(200);
    expect(issuer.authorizations[0]?.client_id).toBe('mine');
  });

  test('a registered client of another issuer is an error, and its secret is not sent', async () => {
    const { issuer, server, options } = await scene();
    const registered = { issuer: 'https://old.example', clientId: 'mine', clientSecret: 'hush' };
    const auth = oauth({ ...options, client: { registered } });
    await expect(request(auth, server.url)).rejects.toThrow(
      'the server names another authorization server than the one of the registered client',
    );
    expect([issuer.registered, issuer.authorizations, issuer.tokenRequests]).toEqual([[], [], []]);
  });

  test('another client does not use the refresh token of the previous one', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    for (const id of ['one', 'two']) {
      issuer.know({ id, method: 'none', redirectUris: [REDIRECT_URI] });
      const registered = { issuer: issuer.id, clientId: id };
      server.revokeAll();
      expect((await request(oauth({ ...options, client: { registered } }), server.url)).status).toBe(200);
    }
    expect(issuer.tokenRequests.map((params) => [params.grant_type, params.client_id])).toEqual([
      ['authorization_code', 'one'],
      ['authorization_code', 'two'],
    ]);
  });

  test('of several registered clients the one of the issuer is used', async () => {
    const { issuer, server, options } = await scene();
    issuer.know({ id: 'mine', method: 'none', redirectUris: [REDIRECT_URI] });
    const registered = [
      { issuer: 'https://other.example', clientId: 'theirs' },
      { issuer: issuer.id, clientId: 'mine' },
    ];
    expect((await request(oauth({ ...options, client: { registered } }), server.url)).status).toBe(200);
  });

  test('of several issuers of a resource the one with the registered client is used', async () => {
    const { issuer, server, options } = await scene();
    issuer.know({ id: 'mine', method: 'none', redirectUris: [REDIRECT_URI] });
    server.metadata = { authorization_servers: ['https://other.example', issuer.id] };
    const registered = { issuer: issuer.id, clientId: 'mine' };
    expect((await request(oauth({ ...options, client: { registered } }), server.url)).status).toBe(200);
  });

  test('if clients cannot register, the error contains the next step', async () => {
    const { issuer, act } = await scene();
    issuer.metadata = { registration_endpoint: undefined };
    await expect(act()).rejects.toThrow(
      'the authorization server does not support registration; set a client id',
    );
  });

  test('if documents are not supported and clients must not register, the error contains the next step', async () => {
    const { act } = await scene({ client: { metadataUrl: DOCUMENT, dynamic: false } });
    await expect(act()).rejects.toThrow('register the client there');
  });
});

describe('dynamic registration', () => {
  test('it sends the application type', async () => {
    const { issuer, act } = await scene({ clientUri: 'https://app.example', scopes: ['read'] });
    await act();
    expect(issuer.registered).toEqual([
      {
        client_name: 'Tester',
        redirect_uris: [REDIRECT_URI],
        client_uri: 'https://app.example',
        scope: 'read',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
      },
    ]);
  });

  test('a client with an https redirect URI is a web client', async () => {
    const { issuer, act } = await scene({ redirect: user('https://app.example/callback') });
    await expect(act())
      .rejects.toThrow('was not sent to the redirect URI')
      .catch(() => {});
    expect(issuer.registered[0]).toMatchObject({ application_type: 'web' });
  });

  test.each(['http://app.example/callback', 'custom:/callback', 'https://app.example/#a'])(
    'the redirect URI %s is refused',
    async (redirectUri) => {
      const { issuer, act } = await scene({ redirect: user(redirectUri) });
      await expect(act()).rejects.toThrow('redirectUri must be https, or http on loopback');
      expect(issuer.registered).toEqual([]);
    },
  );

  test('a refusal is reported with the error of the authorization server', async () => {
    const { issuer, act } = await scene();
    issuer.registrationStatus = 400;
    issuer.registration = { error: 'invalid_redirect_uri', error_description: 'no\nloopback\u0007 here' };
    await expect(act()).rejects.toMatchObject({
      reason: 'registration',
      code: 'invalid_redirect_uri',
      message: `${issuer.id}/register refused to register a client for ${REDIRECT_URI}: invalid_redirect_uri (no loopback here)`,
    });
  });

  test.each([
    ['no client id', { client_id: undefined }],
    ['other redirect URIs', { redirect_uris: ['https://evil.example/'] }],
    ['an authentication that is not served', { token_endpoint_auth_method: 'tls_client_auth' }],
    ['a secret that is no text', { client_secret: 7 }],
  ])('a registration with %s is an error', async (_what, registration) => {
    const { issuer, act } = await scene();
    issuer.registration = registration;
    await expect(act()).rejects.toMatchObject({ reason: 'registration' });
    expect(issuer.authorizations).toEqual([]);
  });

  test('a client registers once for each issuer and redirect URI', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    issuer.givesRefreshTokens = false;
    const again = async (redirectUri: string): Promise<number> => {
      server.revokeAll();
      await request(oauth({ ...options, redirect: user(redirectUri) }), server.url);
      return issuer.registered.length;
    };
    expect([
      await again('http://127.0.0.1:1/callback'),
      await again('http://127.0.0.1:1/callback'),
      await again('http://127.0.0.1:2/callback'),
    ]).toEqual([1, 1, 2]);
  });

  test('a secret with expiry 0 never expires', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    issuer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    issuer.registration = { client_secret_expires_at: 0 };
    issuer.givesRefreshTokens = false;
    await request(oauth(options), server.url);
    server.revokeAll();
    await request(oauth(options), server.url);
    expect([issuer.registered.length, issuer.tokenRequests.length]).toEqual([1, 2]);
  });

  test('a client with an expired secret registers again', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    issuer.metadata = { token_endpoint_auth_methods_supported: ['client_secret_basic'] };
    issuer.registration = { client_secret_expires_at: 1 };
    await request(oauth(options), server.url);
    server.revokeAll();
    await request(oauth(options), server.url);
    expect(issuer.registered.length).toBe(2);
  });

  test('a client that the authorization server no longer knows registers again the next time', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    issuer.tokenAnswer = () => ({ status: 401, body: { error: 'invalid_client' } });
    await expect(request(oauth(options), server.url)).rejects.toMatchObject({ code: 'invalid_client' });
    issuer.tokenAnswer = () => undefined;
    expect((await request(oauth(options), server.url)).status).toBe(200);
    expect(issuer.registered.length).toBe(2);
  });
});

describe('authentication at the token endpoint', () => {
  test.each(['none', 'client_secret_basic', 'client_secret_post'])(
    'a client registers with %s if nothing else is supported',
    async (method) => {
      const { issuer, act } = await scene();
      issuer.metadata = { token_endpoint_auth_methods_supported: [method] };
      expect((await act()).status).toBe(200);
      expect(issuer.registered[0]).toMatchObject({ token_endpoint_auth_method: method });
      expect(issuer.tokenRequests.map((params) => 'client_secret' in params)).toEqual([
        method === 'client_secret_post',
      ]);
    },
  );

  test('changes by the authorization server in a registration are used', async () => {
    const { issuer, act } = await scene();
    issuer.registration = { token_endpoint_auth_method: 'client_secret_post', client_secret: 's: %&+"' };
    expect((await act()).status).toBe(200);
    expect(issuer.tokenRequests[0]?.client_secret).toBe('s: %&+"');
  });

  test.each([
    ['client_secret_basic', undefined],
    ['client_secret_basic', ['client_secret_post', 'client_secret_basic']],
    ['client_secret_post', ['client_secret_post']],
  ])('a registered client with a secret uses %s of %s', async (method, methods) => {
    const { issuer, server, options } = await scene();
    issuer.metadata = { token_endpoint_auth_methods_supported: methods };
    issuer.know({ id: 'a:b c', secret: 'p%:ä"', method, redirectUris: [REDIRECT_URI] });
    const registered = { issuer: issuer.id, clientId: 'a:b c', clientSecret: 'p%:ä"' };
    expect((await request(oauth({ ...options, client: { registered } }), server.url)).status).toBe(200);
  });

  test('a secret without a supported method is an error before it is sent', async () => {
    const { issuer, server, options } = await scene();
    issuer.metadata = { token_endpoint_auth_methods_supported: ['tls_client_auth'] };
    issuer.know({ id: 'mine', secret: 'hush', method: 'none', redirectUris: [REDIRECT_URI] });
    const registered = { issuer: issuer.id, clientId: 'mine', clientSecret: 'hush' };
    const auth = oauth({ ...options, client: { registered } });
    await expect(request(auth, server.url)).rejects.toThrow('does not accept client secrets');
    expect(issuer.tokenRequests).toEqual([]);
  });
});

describe('the metadata document of a client', () => {
  test('it has the members that authorization servers require', () => {
    expect(clientMetadataDocument(DOCUMENT, { clientName: 'App', redirectUris: [REDIRECT_URI] })).toEqual({
      client_id: DOCUMENT,
      client_name: 'App',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    });
  });

  test('with keys the client signs its requests', () => {
    const jwks = { keys: [{ kty: 'EC' }] };
    const options = { clientName: 'App', redirectUris: ['https://app.example/back'], jwks };
    expect(clientMetadataDocument(DOCUMENT, options)).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks,
      application_type: 'web',
    });
  });

  test.each(['http://app.example/client.json', 'https://app.example/', 'https://app.example', 'client.json'])(
    '%s cannot be a client id',
    (url) => {
      const options = { clientName: 'App', redirectUris: [REDIRECT_URI] };
      expect(() => clientMetadataDocument(url, options)).toThrow('must be https and have a path');
      expect(() => oauth({ ...options, redirect: user(), client: { metadataUrl: url } })).toThrow(TypeError);
    },
  );
});
