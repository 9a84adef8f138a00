import { describe, expect, test } from 'vitest';
import { memoryStore, oauth } from '../../../src/auth.ts';
import { request } from './request.ts';
import { scene } from './scene.ts';

describe('the first scopes', () => {
  test('those of the challenge are requested, whatever the metadata lists', async () => {
    const { issuer, server, act } = await scene();
    server.challenge = { scope: 'mcp:basic other' };
    server.metadata = { scopes_supported: ['profile'] };
    await act();
    expect(issuer.authorizations[0]?.scope).toBe('mcp:basic other');
  });

  test('without scopes in the challenge, all of the metadata are requested', async () => {
    const { issuer, server, act } = await scene();
    server.metadata = { scopes_supported: ['basic', 'read', 'write'] };
    await act();
    expect(issuer.authorizations[0]?.scope).toBe('basic read write');
  });

  test('without any scopes the parameter is left out', async () => {
    const { issuer, act } = await scene();
    await act();
    expect(issuer.authorizations[0]).not.toHaveProperty('scope');
    expect(issuer.registered[0]).not.toHaveProperty('scope');
  });

  test('those of the options replace those of the metadata', async () => {
    const { issuer, server, act } = await scene({ scopes: ['read'] });
    server.metadata = { scopes_supported: ['read', 'write'] };
    await act();
    expect(issuer.authorizations[0]?.scope).toBe('read');
  });

  test('those of the options are requested together with those of the challenge', async () => {
    const { issuer, server, act } = await scene({ scopes: ['read'] });
    server.challenge = { scope: 'basic' };
    await act();
    expect(issuer.authorizations[0]?.scope).toBe('basic read');
  });
});

describe('offline access', () => {
  test('it is requested if the authorization server lists it', async () => {
    const { issuer, server, act } = await scene();
    server.metadata = { scopes_supported: ['basic'] };
    issuer.metadata = { scopes_supported: ['basic', 'offline_access'] };
    await act();
    expect(issuer.authorizations[0]).toMatchObject({ scope: 'basic offline_access', prompt: 'consent' });
  });

  test.each([
    ['it is not listed', { scopes_supported: ['basic'] }, true],
    ['nothing is listed', {}, true],
    ['it is not wanted', { scopes_supported: ['basic', 'offline_access'] }, false],
  ])('it is not requested if %s', async (_what, metadata, offline) => {
    const { issuer, server, act } = await scene({ offline });
    server.metadata = { scopes_supported: ['basic'] };
    issuer.metadata = metadata;
    await act();
    expect(issuer.authorizations[0]?.scope).toBe('basic');
    expect(issuer.authorizations[0]).not.toHaveProperty('prompt');
  });

  test('it is not requested alone, because that would drop the default scopes', async () => {
    const { issuer, act } = await scene();
    issuer.metadata = { scopes_supported: ['offline_access'] };
    await act();
    expect(issuer.authorizations[0]).not.toHaveProperty('scope');
  });

  test('refresh tokens are not registered if they are not supported', async () => {
    const { issuer, act } = await scene();
    issuer.metadata = { grant_types_supported: ['authorization_code'] };
    issuer.givesRefreshTokens = false;
    expect((await act()).status).toBe(200);
    expect(issuer.registered[0]?.grant_types).toEqual(['authorization_code']);
  });
});

describe('a request that requires more scopes', () => {
  const needs = (operation: string): string[] => (operation === 'call' ? ['write'] : ['basic']);

  test('they are requested together with the earlier ones, and the request is sent again', async () => {
    const { issuer, server, act } = await scene();
    server.challenge = { scope: 'basic' };
    await act('list');
    server.challenge = {};
    server.needs = needs;
    expect(await act('call')).toEqual({ status: 200, body: 'done call', times: 2 });
    expect(issuer.authorizations.map(({ scope }) => scope)).toEqual(['basic', 'basic write']);
  });

  test('the earlier scopes are known after a restart', async () => {
    const store = memoryStore();
    const { issuer, server, options } = await scene({ store });
    server.challenge = { scope: 'basic' };
    await request(oauth(options), server.url, 'list');
    server.challenge = {};
    server.needs = needs;
    await request(oauth(options), server.url, 'call');
    expect(issuer.authorizations.map(({ scope }) => scope)).toEqual(['basic', 'basic write']);
  });

  test('granted scopes are not requested again', async () => {
    const { issuer, server, act } = await scene();
    const challenge = 'Bearer error="insufficient_scope", scope="admin"';
    server.challenge = { scope: 'admin' };
    server.override = ({ headers }) =>
      headers.authorization === undefined
        ? undefined
        : { status: 403, headers: { 'www-authenticate': challenge } };
    expect(await act()).toMatchObject({ status: 403, times: 2 });
    expect(issuer.authorizations.length).toBe(1);
  });

  test('scopes are as requested if the token response has none', async () => {
    const { issuer, server, act } = await scene();
    server.challenge = { scope: 'admin' };
    issuer.saysScopes = false;
    const challenge = 'Bearer error="insufficient_scope", scope="admin"';
    server.override = ({ headers }) =>
      headers.authorization === undefined
        ? undefined
        : { status: 403, headers: { 'www-authenticate': challenge } };
    expect(await act()).toMatchObject({ status: 403, times: 2 });
    expect(issuer.authorizations.length).toBe(1);
  });

  test('scopes that the user does not grant are requested twice and then no more', async () => {
    const { issuer, server, act } = await scene();
    server.needs = needs;
    server.challenge = { scope: 'write' };
    issuer.consent = () => ['basic'];
    expect([(await act('call')).status, (await act('call')).status]).toEqual([403, 403]);
    expect(issuer.authorizations.length).toBe(3);
    expect((await act('list')).status).toBe(200);
  });

  test('without scopes in the challenge, those of the metadata are requested', async () => {
    const { issuer, server, act } = await scene({ scopes: ['basic'] });
    await act('list');
    server.needs = () => ['basic', 'write'];
    server.challenge = { scope: undefined };
    expect((await act('call')).status).toBe(403);
    expect(issuer.authorizations.length).toBe(1);
  });

  test('a 403 without insufficient_scope is final', async () => {
    const { issuer, server, act } = await scene();
    await act('list');
    server.needs = () => ['write'];
    server.challenge = { error: undefined };
    expect(await act('call')).toMatchObject({ status: 403, times: 1 });
    expect(issuer.authorizations.length).toBe(1);
  });
});

describe('challenges of real servers', () => {
  test.each([
    ['Basic realm="a, b", Bearer scope="one two"', 'one two'],
    ['bearer SCOPE=one', 'one'],
    ['Bearer scope = "one" , error = "invalid_token"', 'one'],
    ['Bearer realm="says \\"scope=evil\\"", scope="one"', 'one'],
    ['Bearer scope="one", Bearer scope="two"', 'one'],
    ['Bearer scope="one", scope="two"', 'one'],
    ['Negotiate abc==, Bearer scope="one"', 'one'],
    ['Bearer scope="one  one two \u00e4"', 'one two'],
    ['Bearer scope="never closed', undefined],
    ['Basic scope="one"', undefined],
    ['Bearer', undefined],
    ['', undefined],
    [`Bearer ${'a="b", '.repeat(5000)}scope="one"`, undefined],
  ])('%s', async (challenge, scope) => {
    const { issuer, server, options } = await scene();
    const auth = oauth(options);
    const header = (name: string): string | undefined =>
      name === 'www-authenticate' ? challenge : undefined;
    const refused = { status: 401, url: new URL(server.url), revision: undefined, header };
    expect(await auth.challenged(refused, 1)).toBe(true);
    expect(issuer.authorizations[0]?.scope).toBe(scope);
  });
});
