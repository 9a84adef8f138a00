import dns from 'node:dns';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@rootbound/protocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ZodType } from 'zod';
import type { FailureCode } from '../../src/failure.ts';
import { spec, toolsets } from '../../src/spec.ts';
import { comparePage } from '../../src/tools/compare-page.ts';
import { downloadTool } from '../../src/tools/download.ts';
import { fetchTool } from '../../src/tools/fetch.ts';
import { fetchMany } from '../../src/tools/fetch-many.ts';
import { findInPage } from '../../src/tools/find-in-page.ts';
import { getMetadata } from '../../src/tools/get-metadata.ts';
import { getOutline } from '../../src/tools/get-outline.ts';
import { listLinks } from '../../src/tools/list-links.ts';
import { requestTool } from '../../src/tools/request.ts';
import { type Failure, Ground } from '../ground.ts';
import { call, type Outcome, type Setting } from '../harness.ts';
import { article } from '../site.ts';

interface Facts {
  failure?: Failure;
  [member: string]: unknown;
}

const ground = new Ground();
const { site } = ground;
const outputs = new Map<string, ZodType>(
  [
    comparePage,
    downloadTool,
    fetchTool,
    fetchMany,
    findInPage,
    getMetadata,
    getOutline,
    listLinks,
    requestTool,
  ].map(({ name, output }) => [name, output!]),
);
/** The tools that need no browser. */
const tools = spec.tools.filter((name) => !(toolsets.browser as readonly string[]).includes(name));
let folder: string;
let client: Client;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'rootbound-fetch-test-')));
  client = await clientWith({});
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const clientWith = (extra: NonNullable<Setting['extra']>): Promise<Client> =>
  ground.client({ tools: spec.tools, roots: [folder], extra });

/** Returns the required arguments of a tool. */
const argumentsOf = (tool: string, url: string): Record<string, unknown> => ({
  ...(tool === 'fetch_many' ? { urls: [url] } : { url }),
  ...(tool === 'find_in_page' && { query: 'kettles' }),
  ...(tool === 'request' && { method: 'GET' }),
});

/** Returns a tool's result, after its structured half was validated against the output schema. */
async function use(tool: string, args: Record<string, unknown>, by = client): Promise<Outcome<Facts>> {
  const outcome = await call<Facts>(by, tool, args);
  expect(outputs.get(tool)!.parse(outcome.facts), tool).toEqual(outcome.facts);
  expect(outcome.text.trim(), tool).not.toBe('');
  return outcome;
}

const moved = (path: string, location: string): string => {
  site.paths.set(path, (_, response) => response.writeHead(302, { location }).end());
  return site.url(path);
};
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // it listens on a port
      server.close(() => resolve(port));
    });
  });
const fetching =
  (url: () => string, args: Record<string, unknown> = {}, extra?: NonNullable<Setting['extra']>) =>
  async (): Promise<Outcome<Facts>> =>
    use('fetch', { url: url(), ...args }, extra === undefined ? client : await clientWith(extra));
/** Responds with these headers and the beginning of a body, and then behaves as given. */
const answering = (path: string, headers: Record<string, string>, then: 'cut' | 'wait') => (): string => {
  site.paths.set(path, (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html', ...headers });
    response.write('<p>', () => then === 'cut' && setImmediate(() => response.destroy()));
  });
  return site.url(path);
};

/** A way to cause each failure. */
const ways: Record<Exclude<FailureCode, 'browser-failed'>, () => Promise<Outcome<Facts>>> = {
  'invalid-url': fetching(() => 'kettles'),
  'invalid-request': () => use('request', { url: site.url('/'), method: 'GET', headers: { cookie: 'a=b' } }),
  'scheme-refused': fetching(() => 'ftp://example.org/'),
  'port-refused': fetching(() => 'http://example.org:25/'),
  'domain-refused': fetching(() => 'http://example.org/', {}, { 'deny-domain': ['example.org'] }),
  'address-refused': fetching(() => 'http://10.0.0.1/'),
  'consent-refused': fetching(() => site.url('/'), {}, { 'confirm-hosts': true }),
  'unseen-url': fetching(() => site.url('/?a=b'), {}, { 'seen-urls-only': true }),
  'robots-refused': async () => {
    site.page('/robots.txt', 'User-agent: *\nDisallow: /', 'text/plain');
    return fetching(() => site.url('/'), {}, {})().finally(() => site.paths.delete('/robots.txt'));
  },
  'robots-unreachable': async () => {
    site.paths.set('/robots.txt', (_, response) => response.writeHead(503).end());
    return fetching(() => site.url('/'), {}, {})().finally(() => site.paths.delete('/robots.txt'));
  },
  'redirect-refused': fetching(() => moved('/away', 'http://example.org/'), {}, { redirects: 'same-site' }),
  'redirect-loop': fetching(() => moved('/circle', '/circle')),
  'too-many-redirects': fetching(() => {
    for (let room = 0; room < 20; room++) moved(`/room-${room}`, `/room-${room + 1}`);
    return site.url('/room-0');
  }),
  'name-not-found': async () => {
    const { lookup } = dns;
    const none = (_name: string, _options: unknown, done: (error: Error) => void): void => {
      process.nextTick(done, Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
    };
    dns.lookup = none as unknown as typeof lookup; // all functions of the guard
    syncBuiltinESMExports();
    try {
      return await fetching(() => 'http://gone.example.org/', {}, {})();
    } finally {
      dns.lookup = lookup;
      syncBuiltinESMExports();
    }
  },
  'connect-failed': async () => {
    const port = await closedPort();
    return fetching(() => `http://localhost:${port}/`, {}, { 'allow-private': [`localhost:${port}`] })();
  },
  'tls-failed': fetching(() => site.url('/').replace('http:', 'https:')),
  'proxy-failed': async () =>
    fetching(() => site.url('/'), {}, { 'proxy-url': `http://127.0.0.1:${await closedPort()}` })(),
  'connection-cut': fetching(answering('/cut', { 'content-length': '100' }, 'cut')),
  'invalid-response': fetching(answering('/odd', { 'content-encoding': 'lzma' }, 'wait')),
  timeout: fetching(answering('/silent', {}, 'wait'), { timeout_ms: 200 }),
  'too-large': fetching(answering('/large', { 'content-length': String(2 ** 31) }, 'wait')),
  busy: async () => {
    site.paths.set('/busy', (_, response) => response.writeHead(429, { 'retry-after': '700' }).end());
    const by = await clientWith({});
    await use('fetch', { url: site.url('/busy') }, by);
    return use('fetch', { url: site.url('/busy') }, by);
  },
  'http-status': fetching(() => moved('/lost', '/nowhere')),
  unreadable: fetching(() => site.page('/data', '{}', 'application/json'), { selector: 'p' }),
  'not-found': fetching(() => site.page('/found', article(1)), { section: 'Teapots' }),
  'not-cached': fetching(() => site.url('/never'), { cache_only: true }),
  'checksum-mismatch': () =>
    use('download', { url: site.page('/sum', 'x', 'text/plain'), expected_sha256: '0'.repeat(64) }),
};
const retryable = new Set<string>([
  'robots-unreachable',
  'connect-failed',
  'name-not-found',
  'tls-failed',
  'proxy-failed',
  'connection-cut',
  'timeout',
  'busy',
]);

test.each(Object.entries(ways))(
  'a failure %s says all that its schema promises, in both halves',
  async (code, fail) => {
    const { failed, facts, text, result } = await fail();
    const { failure, ...rest } = facts;
    expect([failed, failure?.code, rest]).toEqual([true, code, {}]);
    expect(failure!.message).not.toBe('');
    expect(text).toContain(failure!.message);
    expect(result._meta?.failure).toEqual({ code, retryable: failure!.retryable });
    if (failure!.retryable) expect([...retryable]).toContain(code);
  },
);

test('a failure after redirects has the redirects', async () => {
  const { facts } = await ways['http-status']();
  expect(facts.failure).toMatchObject({
    status: 404,
    final_url: site.url('/nowhere'),
    redirects: [{ url: site.url('/lost'), status: 302 }],
    elapsed_ms: expect.any(Number),
  });
});

describe.each(tools)('%s', (tool) => {
  test('returns the members of its schema, with the facts of the response', async () => {
    const end = site.page(`/whole-${tool}`, article(2));
    const url = moved(`/start-${tool}`, `/whole-${tool}`);
    if (tool === 'compare_page') await use('fetch', { url });
    const args = argumentsOf(tool, url);
    const { failed, facts } = await use(tool, args);
    expect([failed, facts.failure]).toEqual([false, undefined]);
    const { items } = facts as { items?: Facts[] };
    const result = tool === 'fetch_many' ? items![0]! : facts;
    expect(result).toMatchObject({ url, final_url: end, status: 200, redirects: [{ url, status: 302 }] });
  });

  test('fails with the members of its schema, for programs', async () => {
    const { failed, facts } = await use(tool, argumentsOf(tool, moved(`/lost-${tool}`, '/nowhere')));
    const { items } = facts as { items?: Facts[] };
    const { failure } = tool === 'fetch_many' ? items![0]! : facts;
    expect(failed).toBe(true);
    expect(failure).toMatchObject({ code: 'http-status', status: 404, retryable: false });
  });
});

test.each([
  [
    'a file that is there',
    'exists',
    () => use('download', { url: site.page('/there', 'x'), path: join(folder, 'there') }),
  ],
  [
    'a place outside the roots, which is not there for the caller',
    'not-found',
    () => use('download', { url: site.page('/there', 'x'), path: '/nowhere/x' }),
  ],
  [
    'two bodies',
    'invalid-arguments',
    () => use('request', { url: site.url('/'), method: 'POST', json: 1, body: 'x' }),
  ],
])('%s is reported to programs as well', async (_, code, fail) => {
  if (code === 'exists') await fail();
  const { failed, facts, text } = await fail();
  expect([failed, facts.failure?.code, facts.failure?.retryable]).toEqual([true, code, false]);
  expect(text).toContain(facts.failure!.message);
});
