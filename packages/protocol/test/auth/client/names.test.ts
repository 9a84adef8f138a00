import type { LookupFunction } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import * as z from 'zod';
import { full } from '../../../../../test/extent.ts';
import { bearer, enterpriseManaged, type OAuthOptions, oauth } from '../../../src/auth.ts';
import { type ClientOptions, connect, http } from '../../../src/client.ts';
import { createHttpHandler } from '../../../src/http.ts';
import { createServer, tool } from '../../../src/index.ts';
import { AuthorizationServer } from './authorization-server.ts';
import { NamedWeb } from './named-web.ts';
import { type Outcome, request } from './request.ts';
import { ResourceServer } from './resource-server.ts';
import { user } from './user.ts';
import type { WebAnswer } from './web.ts';

const METADATA = '/.well-known/oauth-protected-resource/mcp';
const OAUTH = '/.well-known/oauth-authorization-server';

/** Each URL that metadata can name, on its own host. */
const places = {
  'resource metadata': 'meta.example',
  'resource metadata that moved': 'moved-meta.example',
  'an issuer': 'login.example',
  'issuer metadata that moved': 'moved-login.example',
  'an authorization endpoint': 'users.example',
  'a token endpoint': 'tokens.example',
  'a registration endpoint': 'clients.example',
} as const;
const hosts = Object.values(places);

const OPEN = ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'];

/** Addresses that no server on the web may name, alone and together with public ones. */
const closed: readonly { readonly addresses: readonly string[] }[] = [
  ...['10.0.0.5', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '198.18.0.1', '224.0.0.1'],
  ...['0.0.0.0', '127.0.0.1', '255.255.255.255', '192.0.2.1'],
  ...[
    '::1',
    '::',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '2001::1',
  ],
  ...['::ffff:10.0.0.1', '::ffff:a00:1', '::127.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b:1::1', '2002:a00:1::'],
  '93.184.215.14 10.0.0.5',
  '10.0.0.5 93.184.215.14',
  '2606:2800:21f:cb07:6820:80da:af6b:8b2c ::1',
  '93.184.215.14 fd00::1 93.184.215.15',
].map((text) => ({ addresses: text.split(' ') }));

interface Setting {
  /** the name and the address of the server */
  server?: string;
  at?: readonly string[];
  /** the addresses of all other hosts */
  others?: readonly string[];
  options?: Partial<OAuthOptions>;
}

interface Scene {
  readonly web: NamedWeb;
  readonly issuer: AuthorizationServer;
  readonly server: ResourceServer;
  readonly person: ReturnType<typeof user>;
  act(): Promise<Outcome>;
}

/** Returns a server whose metadata URLs are each on their own host. */
async function scene({ server: name = 'mcp.example', at = OPEN, others = OPEN, options }: Setting = {}) {
  const web = await NamedWeb.start();
  const issuer = await AuthorizationServer.start('', (answer) =>
    web.host(
      'login.example',
      others,
    )((asked) =>
      asked.url.pathname === OAUTH ? moved(`https://moved-login.example${OAUTH}`) : answer(asked),
    ),
  );
  const server = await ResourceServer.startOn(web.host(name, at), issuer);
  await web.host('meta.example', others)(() => moved(`https://moved-meta.example${METADATA}`));
  await web.host('moved-meta.example', others)((asked) => server.answer(asked));
  for (const host of ['moved-login.example', 'users.example', 'tokens.example', 'clients.example'])
    await web.host(host, others)((asked) => issuer.answer(asked));
  server.challenge = { resource_metadata: `https://meta.example${METADATA}` };
  issuer.metadata = {
    authorization_endpoint: 'https://users.example/authorize',
    token_endpoint: 'https://tokens.example/token',
    registration_endpoint: 'https://clients.example/register',
  };
  const person = user(undefined, web.fetch);
  const auth = oauth({ clientName: 'Tester', redirect: person, lookup: web.lookup, ...options });
  const act = (): Promise<Outcome> => request(auth, server.url, 'list', { send: web.fetch });
  return { web, issuer, server, person, act };
}

/** The same with a fetch of the caller. */
async function sceneOver(way: Way, setting: Setting = {}): Promise<Scene> {
  if (way === 'connections of its own') return scene(setting);
  let own: typeof fetch = fetch;
  const made = await scene({
    ...setting,
    options: { ...setting.options, fetch: (...asked) => own(...asked) },
  });
  own = made.web.fetch;
  return made;
}

const ways = ['connections of its own', 'a fetch of the caller'] as const;
type Way = (typeof ways)[number];

function moved(location: string): WebAnswer {
  return { status: 302, headers: { location } };
}

function failureOf(done: Promise<unknown>): Promise<unknown> {
  return done.then(
    () => undefined,
    (error: unknown) => error,
  );
}

/** The error for a server that names a host which it may not name. */
function refusalOf(host: string, server = 'mcp.example'): unknown {
  return expect.objectContaining({
    name: 'AuthorizationError',
    reason: 'discovery',
    message: expect.stringMatching(
      new RegExp(
        `^https://${host}/\\S+ is on this machine or a private network, which ${server} may not name; ` +
          `to allow it, add ${host} to allowPrivate$`,
      ),
    ),
  });
}

/** Returns the addresses of connections to hosts that a server has named. */
function dialledIn({ web }: Scene, server = 'mcp.example'): string[] {
  return web.dialled.flatMap(({ host, addresses }) => (host === server ? [] : addresses));
}

const isClosed = (address: string): boolean => !OPEN.includes(address);

afterEach(() => void vi.useRealTimers());

describe.each(ways)('a client with %s', (way) => {
  test('connects to public addresses of every name that a server on the web names', async () => {
    const made = await sceneOver(way);
    expect(await made.act()).toMatchObject({ status: 200 });
    expect(hosts.filter((host) => !made.web.asked.includes(host))).toEqual([]);
    const over = way === 'connections of its own' ? OPEN : [];
    expect([...new Set(dialledIn(made))]).toEqual(over);
  });

  describe.each(Object.entries(places))('does not connect to %s on %s', (_place, host) => {
    // each URL with some of the addresses, and each address at some URL
    const some = closed.filter((_, at) => at % hosts.length === hosts.indexOf(host));
    test.each(full ? closed : some)('at $addresses', async ({ addresses }) => {
      const made = await sceneOver(way);
      made.web.names.set(host, addresses);
      expect(await failureOf(made.act())).toEqual(refusalOf(host));
      expect(made.web.asked).not.toContain(host);
      expect(dialledIn(made).filter(isClosed)).toEqual([]);
      expect([made.person.asked, made.issuer.registered, made.issuer.tokenRequests]).toEqual([[], [], []]);
    });
  });

  test.each([
    { at: ['10.0.0.7'], others: ['10.0.0.8'] },
    { at: ['10.0.0.7'], others: ['10.0.0.8', ...OPEN] },
    { at: ['10.0.0.7'], others: OPEN },
    { at: ['fd00::7'], others: ['fd00::8'] },
    { at: ['::ffff:10.0.0.7'], others: ['fd00::8'] },
    // a tunnel resolves all names to such addresses
    { at: ['198.18.0.7'], others: ['198.18.0.8'] },
    { at: ['127.0.0.1'], others: ['127.0.0.1'] },
    { at: ['::1'], others: ['127.0.0.1', '10.0.0.8'] },
  ])('connects from a server at $at to $others', async (setting) => {
    expect(await (await sceneOver(way, setting)).act()).toMatchObject({ status: 200 });
  });

  test.each([
    { at: ['10.0.0.7'], others: ['127.0.0.1'] },
    { at: ['10.0.0.7'], others: ['10.0.0.8', '::1'] },
    { at: ['fd00::7'], others: ['::ffff:127.0.0.1'] },
  ])('does not connect from a server at $at to $others', async (setting) => {
    const made = await sceneOver(way, setting);
    expect(await failureOf(made.act())).toEqual(refusalOf('meta.example'));
    expect(made.web.asked).toEqual(['mcp.example']);
  });

  test('connects to names on the network of a server with a private address, and not to this machine', async () => {
    const setting = { server: '10.0.0.7', at: ['10.0.0.7'] };
    const beside = await sceneOver(way, { ...setting, others: ['10.0.0.8'] });
    expect(await beside.act()).toMatchObject({ status: 200 });
    const closer = await sceneOver(way, { ...setting, others: ['127.0.0.1'] });
    expect(await failureOf(closer.act())).toEqual(refusalOf('meta.example', '10.0.0.7'));
  });

  test.each([
    ['answers that its name is there', ['10.0.0.7']],
    ['answers that its name is on this machine', ['127.0.0.1']],
    ['does not let itself be found', []],
  ])('does not connect to a private network for a server that %s', async (_what, answer) => {
    const made = await sceneOver(way, { others: ['10.0.0.8'] });
    made.web.names.set('mcp.example', answer);
    expect(await failureOf(made.act())).toEqual(refusalOf('meta.example'));
    expect(dialledIn(made)).toEqual([]);
  });

  test('connects to private hosts that the operator allows, and to no other', async () => {
    const others = ['10.0.0.8', '127.0.0.1'];
    const all = await sceneOver(way, { others, options: { allowPrivate: hosts } });
    expect(await all.act()).toMatchObject({ status: 200 });
    for (const host of hosts) {
      const allowPrivate = hosts.filter((one) => one !== host);
      const made = await sceneOver(way, { others, options: { allowPrivate } });
      expect(await failureOf(made.act())).toEqual(refusalOf(host));
    }
  });

  test('connects to a private address that the operator allows', async () => {
    for (const [address, host] of [
      ['10.0.0.8', '10.0.0.8'],
      ['fd00::8', '[fd00::8]'],
      ['127.0.0.1', '127.0.0.1'],
    ] as const) {
      const allowed = await sceneOver(way, { options: { allowPrivate: ['LOGIN.corp', address] } });
      await allowed.web.host(host, [address])((asked) => allowed.issuer.answer(asked));
      allowed.issuer.metadata = { ...allowed.issuer.metadata, token_endpoint: `https://${host}/token` };
      expect(await allowed.act()).toMatchObject({ status: 200 });
    }
  });
});

describe('a name whose addresses change', () => {
  test.each([0, 1, 2, 3])('gets no connection to other addresses after %i public lookups', async (times) => {
    for (const host of hosts) {
      const made = await scene();
      let left = times;
      made.web.names.set(host, () => (left-- > 0 ? OPEN : ['10.0.0.5']));
      const error = await failureOf(made.act());
      expect([host, dialledIn(made).filter(isClosed)]).toEqual([host, []]);
      expect([host, error]).toEqual([host, left < 0 ? refusalOf(host) : undefined]);
    }
  });

  test('gets no renewal at other addresses', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const made = await scene();
    expect(await made.act()).toMatchObject({ status: 200 });
    made.web.names.set('tokens.example', ['10.0.0.5']);
    vi.setSystemTime(Date.now() + 7_200_000);
    expect(await failureOf(made.act())).toEqual(refusalOf('tokens.example'));
    expect(dialledIn(made).filter(isClosed)).toEqual([]);
    expect(made.issuer.tokenRequests).toHaveLength(1);
  });
});

describe('a name without addresses', () => {
  test('gets no connection of the client', async () => {
    for (const host of ['meta.example', 'login.example', 'tokens.example'] as const) {
      const made = await scene();
      made.web.names.delete(host);
      expect(await failureOf(made.act())).toMatchObject({
        reason: 'network',
        message: expect.stringMatching(`^no response from https://${host}/`),
        cause: { code: 'ENOTFOUND' },
      });
    }
  });

  test('is left to the fetch of the caller, and to the browser of the user', async () => {
    const own = await sceneOver('a fetch of the caller');
    for (const host of hosts) own.web.names.delete(host);
    expect(await own.act()).toMatchObject({ status: 200 });
    const browser = await scene();
    browser.web.names.delete('users.example');
    expect(await browser.act()).toMatchObject({ status: 200 });
  });

  test.each<[string, LookupFunction]>([
    ['gives nothing', (_name, _options, answer) => answer(null, [])],
    ['throws', () => expect.fail('the resolver throws')],
    ['gives what is no address', (_name, _options, answer) => answer(null, ['x'] as unknown as string)],
  ])('is one whose resolver %s', async (_what, lookup) => {
    const made = await scene({ options: { lookup } });
    expect(await failureOf(made.act())).toMatchObject({ name: 'AuthorizationError' });
    expect(dialledIn(made)).toEqual([]);
  });

  test('ends when the client is closed', async () => {
    const controller = new AbortController();
    const lookup: LookupFunction = () => controller.abort();
    const { act } = await scene({ options: { lookup, signal: controller.signal } });
    expect(await failureOf(act())).toMatchObject({
      reason: 'timeout',
      message: 'the authorization was cancelled',
    });
  });

  test('ends with the timeout of a request', async () => {
    const { act } = await scene({ options: { lookup: () => {}, timeout: 50 } });
    expect(await failureOf(act())).toMatchObject({ reason: 'timeout' });
  });
});

describe('hosts that the operator names', () => {
  test('an identity provider may have any address', async () => {
    const web = await NamedWeb.start();
    const asked: string[] = [];
    await web.host('id.corp', ['10.0.0.9'])(({ url }) => {
      asked.push(url.href);
      return { status: 400, body: { error: 'access_denied' } };
    });
    const issuer = await AuthorizationServer.start('', web.host('login.example', OPEN));
    const server = await ResourceServer.startOn(web.host('mcp.example', OPEN), issuer);
    const auth = enterpriseManaged({
      client: { issuer: issuer.id, clientId: 'app' },
      lookup: web.lookup,
      identityProvider: {
        issuer: 'https://id.corp',
        tokenEndpoint: 'https://id.corp/token',
        clientId: 'app',
        subjectToken: () => 'identity',
      },
    });
    const done = request(auth, server.url, 'list', { send: web.fetch });
    expect(await failureOf(done)).toMatchObject({ code: 'access_denied' });
    expect(asked).toEqual(['https://id.corp/token']);
  });

  test('a server on this machine may name any host, without a lookup', async () => {
    const issuer = await AuthorizationServer.start();
    const server = await ResourceServer.start(issuer);
    const lookedUp: string[] = [];
    const lookup: LookupFunction = (name, options, answer) => {
      lookedUp.push(name);
      if (options.all === true) answer(null, [{ address: '127.0.0.1', family: 4 }]);
      else answer(null, '127.0.0.1', 4);
    };
    issuer.metadata = { token_endpoint: `${issuer.id.replace('127.0.0.1', 'tokens.localhost')}/token` };
    const auth = oauth({ clientName: 'Tester', redirect: user(), lookup });
    expect(await request(auth, server.url)).toMatchObject({ status: 200 });
    // node:http asked it for the connection, instead of the system
    expect(lookedUp).toEqual(['tokens.localhost']);
  });

  test.each(['', 'https://login.corp', 'login.corp/', 'login.corp:8443', 'me@login.corp', 'a b', '*.corp:1'])(
    'an invalid host is rejected at once: %j',
    (host) => {
      expect(() => oauth({ clientName: 'Tester', redirect: user(), allowPrivate: [host] })).toThrow(
        'allowPrivate must contain hosts such as login.example.com',
      );
    },
  );
});

test.each<Pick<ClientOptions, 'era' | 'revision'>>([
  { era: 'handshake', revision: '2025-03-26' },
  { era: 'handshake', revision: '2025-11-25' },
  { era: { pinned: '2026-07-28' } },
  { era: 'auto' },
])('a client connects only to public addresses of names, with %j', async (how) => {
  const web = await NamedWeb.start();
  const issuer = await AuthorizationServer.start('', web.host('login.example', OPEN));
  const url = 'https://mcp.example/mcp';
  const authorizer = bearer({
    verify: (token) => {
      const { clientId, resource = '' } = issuer.tokens.get(token) ?? { clientId: undefined };
      const exp = Math.floor(Date.now() / 1000) + 60;
      return clientId === undefined ? undefined : { iss: issuer.id, aud: resource, exp, client_id: clientId };
    },
    resource: url,
    authorizationServers: [issuer.id],
  });
  const deploy = tool({
    name: 'deploy',
    description: 'Deploys.',
    input: z.object({}),
    run: () => 'deployed',
  });
  const server = createServer({ name: 'guarded', version: '1.0.0', tools: [deploy] });
  const handler = createHttpHandler(server, { authorizer, allowedHosts: ['mcp.example'] });
  onTestFinished(() => handler.close());
  web.mount('mcp.example', OPEN, handler.node);
  const signIn = () => {
    const person = user(undefined, web.fetch);
    const auth = oauth({ clientName: 'Tester', redirect: person, lookup: web.lookup });
    return connect(http(url, { auth }), { name: 'tester', version: '1.0.0', ...how });
  };
  const client = await signIn();
  expect((await client.listTools()).map(({ name }) => name)).toEqual(['deploy']);
  await client.close();
  web.names.set('login.example', ['10.0.0.5']);
  const before = web.asked.length;
  expect(await failureOf(signIn().then((opened) => opened.listTools()))).toEqual(refusalOf('login.example'));
  expect([web.asked.slice(before), web.dialled.filter(({ addresses }) => addresses.some(isClosed))]).toEqual([
    [],
    [],
  ]);
});
