import { describe, expect, test } from 'vitest';
import { oauth } from '../../../src/auth.ts';
import { request } from './request.ts';
import { scene } from './scene.ts';
import { REDIRECT_URI, user } from './user.ts';

describe('the issuer of an authorization response', () => {
  test.each([
    { what: 'the right one, as announced', announced: true, iss: (id: string) => id },
    { what: 'nobody, as announced', announced: undefined, iss: () => undefined },
    { what: 'the right one, unannounced', announced: false, iss: (id: string) => id },
  ])('a response with $what is accepted', async ({ announced, iss }) => {
    const { issuer, act } = await scene();
    issuer.metadata = { authorization_response_iss_parameter_supported: announced };
    issuer.iss = iss(issuer.id);
    expect((await act()).status).toBe(200);
  });

  test.each([
    { what: 'nobody, though announced', announced: true, iss: () => undefined },
    { what: 'another one', announced: true, iss: () => 'https://evil.example' },
    { what: 'another one, unannounced', announced: undefined, iss: () => 'https://evil.example' },
    { what: 'the right one with a slash more', announced: true, iss: (id: string) => `${id}/` },
    { what: 'the right one in capitals', announced: true, iss: (id: string) => id.toUpperCase() },
    { what: 'the right one, escaped', announced: true, iss: (id: string) => id.replace('127', '%3127') },
    { what: 'an empty one', announced: undefined, iss: () => '' },
  ])('a response with $what is not sent to a token endpoint', async ({ announced, iss }) => {
    const { issuer, act } = await scene();
    issuer.metadata = { authorization_response_iss_parameter_supported: announced };
    issuer.iss = iss(issuer.id);
    await expect(act()).rejects.toMatchObject({ name: 'AuthorizationError', reason: 'callback' });
    expect([issuer.authorizations.length, issuer.tokenRequests]).toEqual([1, []]);
  });

  test('an error from another issuer is neither reported nor used', async () => {
    const { issuer, act } = await scene();
    issuer.iss = 'https://evil.example';
    issuer.response = { code: undefined, error: 'access_denied', error_description: 'call 555-1234' };
    await expect(act()).rejects.toMatchObject({
      reason: 'callback',
      code: undefined,
      message: 'the authorization response is from another issuer',
    });
  });

  test('a code of one authorization server is not sent to another that redirected the user', async () => {
    const honest = await scene();
    const attacker = await scene();
    // the attacker's authorization endpoint redirects to the honest one, to get its code
    const { issuer } = attacker;
    const person = user();
    const mixedUp = {
      ...person,
      authorize: async (url: URL, signal: AbortSignal) => {
        const victim = new URL(`${honest.issuer.id}/authorize${url.search}`);
        const [id] = [...honest.issuer.clients.keys()];
        victim.searchParams.set('client_id', String(id));
        return person.authorize(victim, signal);
      },
    };
    await honest.act();
    const auth = oauth({ ...attacker.options, redirect: mixedUp });
    await expect(request(auth, attacker.server.url)).rejects.toThrow('is from another issuer');
    expect(issuer.tokenRequests).toEqual([]);
  });
});

describe('an invalid authorization response', () => {
  test.each([
    ['another state', { state: 'guessed' }],
    ['no state', { state: undefined }],
    ['no code', { code: undefined }],
    ['an empty code', { code: '' }],
  ])('one with %s', async (_what, response) => {
    const { issuer, act } = await scene();
    issuer.response = response;
    await expect(act()).rejects.toMatchObject({ reason: 'callback' });
    expect(issuer.tokenRequests).toEqual([]);
  });

  test.each(['code', 'state', 'iss', 'error'])('one with two of %s', async (name) => {
    const { issuer, server, person, options } = await scene();
    const redirect = {
      ...person,
      authorize: async (url: URL, signal: AbortSignal) => {
        const back = new URL(String(await person.authorize(url, signal)));
        back.searchParams.append(name, back.searchParams.get(name) ?? 'x');
        if (name === 'error') back.searchParams.append(name, 'x');
        return back;
      },
    };
    await expect(request(oauth({ ...options, redirect }), server.url)).rejects.toThrow(
      `more than one ${name}`,
    );
    expect(issuer.tokenRequests).toEqual([]);
  });

  test('one to another URL', async () => {
    const { issuer, server, person, options } = await scene();
    const redirect = {
      ...person,
      authorize: async (url: URL, signal: AbortSignal) =>
        String(await person.authorize(url, signal)).replace('/callback', '/elsewhere'),
    };
    await expect(request(oauth({ ...options, redirect }), server.url)).rejects.toThrow(
      'was not sent to the redirect URI',
    );
    expect(issuer.tokenRequests).toEqual([]);
  });

  test('one of an earlier flow', async () => {
    const { issuer, server, person, options } = await scene();
    const earlier: string[] = [];
    const redirect = {
      ...person,
      authorize: async (url: URL, signal: AbortSignal) => {
        earlier.push(String(await person.authorize(url, signal)));
        return earlier[0] ?? '';
      },
    };
    issuer.givesRefreshTokens = false;
    const auth = oauth({ ...options, redirect });
    await request(auth, server.url);
    server.revokeAll();
    await expect(request(auth, server.url)).rejects.toThrow('has another state than the request');
  });
});

describe("the user's response", () => {
  test('a refusal ends the request with the error of the authorization server', async () => {
    const { issuer, act } = await scene();
    issuer.response = { code: undefined, error: 'access_denied', error_description: 'not today' };
    await expect(act()).rejects.toMatchObject({
      reason: 'denied',
      code: 'access_denied',
      message: 'the authorization was refused: access_denied (not today)',
    });
    expect(issuer.tokenRequests).toEqual([]);
  });

  test('an invalid error code is not repeated', async () => {
    const { issuer, act } = await scene();
    issuer.response = { code: undefined, error: 'say\r\nthis' };
    await expect(act()).rejects.toMatchObject({ message: 'the authorization was refused: unknown_error' });
  });

  test('a user who does not respond in time ends the flow with an error', async () => {
    let heard: AbortSignal | undefined;
    const { act } = await scene({
      patience: 30,
      redirect: {
        redirectUri: REDIRECT_URI,
        authorize: (_url, signal) => {
          heard = signal;
          return new Promise(() => {});
        },
      },
    });
    await expect(act()).rejects.toMatchObject({
      reason: 'timeout',
      message: 'the user did not respond in time',
    });
    expect(heard?.aborted).toBe(true);
  });

  test('the signal of the client ends a flow that waits for the user', async () => {
    const controller = new AbortController();
    const { act } = await scene({
      signal: controller.signal,
      redirect: {
        redirectUri: REDIRECT_URI,
        authorize: () => {
          controller.abort();
          return new Promise(() => {});
        },
      },
    });
    await expect(act()).rejects.toMatchObject({ reason: 'timeout' });
  });

  test('the redirection is closed after a flow, even a failed one', async () => {
    const { issuer, server, person, options } = await scene();
    let open = 0;
    const redirect = async () => {
      open += 1;
      const close = (): void => {
        open -= 1;
      };
      return { ...person, close };
    };
    await request(oauth({ ...options, redirect }), server.url);
    issuer.response = { state: undefined };
    await request(oauth({ ...options, redirect }), server.url).catch(() => {});
    expect(open).toBe(0);
  });

  test.each([
    ['a text', (url: string) => url],
    ['a URL', (url: string) => new URL(url)],
    ['parameters', (url: string) => new URL(url).searchParams],
    ['a query', (url: string) => new URL(url).search],
  ])('the response may be %s', async (_what, shape) => {
    const { server, person, options } = await scene();
    const authorize = async (url: URL, signal: AbortSignal) =>
      shape(String(await person.authorize(url, signal)));
    const auth = oauth({ ...options, redirect: { redirectUri: REDIRECT_URI, authorize } });
    expect((await request(auth, server.url)).status).toBe(200);
  });
});

describe('the authorization request', () => {
  test('it binds the code to this client, this flow and this server', async () => {
    const { issuer, server, act } = await scene();
    await act();
    expect(issuer.authorizations).toEqual([
      {
        response_type: 'code',
        client_id: expect.stringMatching(/^registered-1/),
        redirect_uri: REDIRECT_URI,
        state: expect.stringMatching(/^[\w-]{32}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: 'S256',
        resource: server.url,
      },
    ]);
    expect(issuer.tokenRequests).toEqual([
      {
        grant_type: 'authorization_code',
        code: expect.any(String),
        redirect_uri: REDIRECT_URI,
        code_verifier: expect.stringMatching(/^[\w-]{64}$/),
        resource: server.url,
        client_id: expect.stringMatching(/^registered-1/),
      },
    ]);
  });

  test('the resource is named exactly as published', async () => {
    const { issuer, server, act } = await scene();
    server.metadata = { resource: server.web.origin };
    await act();
    expect([issuer.authorizations[0]?.resource, issuer.tokenRequests[0]?.resource]).toEqual([
      server.web.origin,
      server.web.origin,
    ]);
  });

  test('the query of the authorization endpoint is kept', async () => {
    const { issuer, person, act } = await scene();
    issuer.metadata = { authorization_endpoint: `${issuer.id}/authorize?tenant=one` };
    await act();
    expect(person.asked[0]?.searchParams.get('tenant')).toBe('one');
  });

  test('a state and a code challenge are used for one flow', async () => {
    const { issuer, server, act } = await scene();
    issuer.givesRefreshTokens = false;
    await act();
    server.revokeAll();
    await act();
    const [first, second] = issuer.authorizations;
    expect(issuer.authorizations.length).toBe(2);
    expect([first?.state, first?.code_challenge]).not.toContain(second?.state);
    expect([first?.state, first?.code_challenge]).not.toContain(second?.code_challenge);
  });
});
