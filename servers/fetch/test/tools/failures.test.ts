import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { Ground } from '../ground.ts';
import { call } from '../harness.ts';
import { article } from '../site.ts';

const ground = new Ground();
const { site } = ground;
const fetchPage = (url: string, args: Record<string, unknown> = {}) => ground.use('fetch', { url, ...args });
const redirect = (path: string, to: string): string => {
  site.paths.set(path, (_, response) => response.writeHead(302, { location: to }).end());
  return site.url(path);
};

test('a failing answer is told with its status, the way to it and the beginning of what it says', async () => {
  site.paths.set('/broken', (_, response) =>
    response.writeHead(500, { 'content-type': 'text/plain' }).end('the kettle has boiled dry'),
  );
  const { failed, facts, text, result } = await fetchPage(redirect('/moved', '/broken'));
  expect(failed).toBe(true);
  expect(facts.failure).toMatchObject({
    code: 'http-status',
    retryable: true,
    status: 500,
    final_url: site.url('/broken'),
    redirects: [{ url: site.url('/moved'), status: 302 }],
    elapsed_ms: expect.any(Number),
  });
  expect(facts.failure!.hint).toBeTypeOf('string');
  expect(text).toMatch(/untrusted data[\s\S]*the kettle has boiled dry/);
  expect(result._meta?.failure).toEqual({ code: 'http-status', retryable: true });
});

test.each([429, 503])(
  'a host that asks to wait with a %i is left alone until then; for how long is told, and what it says',
  async (status) => {
    site.paths.set('/busy', (_, response) =>
      response.writeHead(status, { 'retry-after': '700' }).end('the kettle is in use'),
    );
    const client = await ground.client();
    const url = site.url('/busy');
    const first = await call(client, 'fetch', { url });
    const second = await call(client, 'fetch', { url });
    expect([first.facts, second.facts]).toMatchObject([
      { failure: { code: 'http-status', status, retryable: true, retry_after_ms: 700_000 } },
      { failure: { code: 'busy', retryable: true, retry_after_ms: expect.any(Number) } },
    ]);
    expect(first.text).toMatch(/asks to wait 700 s[\s\S]*untrusted data[\s\S]*the kettle is in use/);
    expect(site.asked).toEqual(['/busy']);
  },
);

test.each([{ render: true }, { wait_for: '#kettle' }, { render: true, wait_for: '#kettle' }])(
  'arguments that need a browser are refused without one, with the fix: %o',
  async (args) => {
    const { failed, facts } = await fetchPage(site.page('/plain', article(1)), args);
    expect(failed).toBe(true);
    expect(facts.failure).toMatchObject({
      message: expect.stringContaining('no browser'),
      hint: expect.stringMatching(/leave out render and wait_for; .*--browser/),
    });
    expect(site.asked).toEqual([]);
  },
);

test('the addresses on the way are told with the page', async () => {
  const end = site.page('/end', article(1));
  const { facts, text } = await fetchPage(redirect('/start', '/end'));
  expect(facts).toMatchObject({ url: site.url('/start'), final_url: end, redirects: [{ status: 302 }] });
  expect(text).toContain(`${site.url('/start')} -> ${end}`);
});

test.each([
  ['a circle of redirects', 'redirect-loop', () => redirect('/circle', '/circle')],
  ['a redirect to a private address', 'address-refused', () => redirect('/inside', 'http://127.0.0.1/')],
  ['another scheme', 'scheme-refused', () => 'file:///etc/passwd'],
  ['another port', 'port-refused', () => 'http://example.org:25/'],
])('%s is refused with the code %s', async (_, code, url) => {
  const { failed, facts } = await fetchPage(url());
  expect([failed, facts.failure?.code, facts.failure?.retryable]).toEqual([true, code, false]);
});

test('an answer that does not come in time is a failure that may be tried again', async () => {
  site.paths.set('/silent', () => {});
  const { facts } = await fetchPage(site.url('/silent'), { timeout_ms: 200 });
  expect(facts.failure).toMatchObject({ code: 'timeout', retryable: true });
});

test('an unreachable host is a retryable failure', async () => {
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo; // it listens on a port
      server.close(() => resolve(port));
    });
  });
  const client = await ground.client({
    extra: { 'allow-private': [`localhost:${port}`], 'ignore-robots-txt': true },
  });
  const { structuredContent } = await client.callTool('fetch', { url: `http://localhost:${port}/` });
  expect(structuredContent).toMatchObject({ failure: { code: 'connect-failed', retryable: true } });
});

test('what robots.txt keeps programs from is refused with the rule, and asked for only where it is ignored', async () => {
  const url = site.page('/private', article(1));
  site.page('/robots.txt', 'User-agent: *\nDisallow: /private\n', 'text/plain');
  const [obeying, ignoring] = [
    await ground.client(),
    await ground.client({ extra: { 'ignore-robots-txt': true } }),
  ];
  const refused = await obeying.callTool('fetch', { url });
  expect(refused.structuredContent).toMatchObject({ failure: { code: 'robots-refused' } });
  expect(JSON.stringify(refused.content)).toContain('/private');
  expect(site.asked).toEqual([]);
  expect((await ignoring.callTool('fetch', { url })).isError ?? false).toBe(false);
  site.paths.delete('/robots.txt');
});
