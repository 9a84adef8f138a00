import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test, vi } from 'vitest';
import { asking, failureOf, Loopback, read } from './loopback.ts';

const loopback = new Loopback();
afterEach(async () => {
  vi.useRealTimers();
  await loopback.close();
});

type Robots = string | ((response: ServerResponse) => unknown);

/** Starts a site with a robots.txt and returns its requests. */
async function site(robots: Robots): Promise<{ origin: string; asked: string[] }> {
  const asked: string[] = [];
  const origin = await loopback.http((request, response) => {
    asked.push(request.url!);
    if (request.url !== '/robots.txt') response.end(`page ${request.url}`);
    else if (typeof robots === 'string') response.end(robots);
    else robots(response);
  });
  return { origin, asked };
}

const web = () => loopback.web({ ignoreRobots: false });
const under = (host: string, origin: string) => origin.replace('localhost', host);

test('a page that robots.txt forbids is not requested, and the rule is named', async () => {
  const { origin, asked } = await site('# secret words\nUser-agent: *\nDisallow: /private\n');
  const error = await failureOf(web(), `${origin}/private/x`);
  expect([error.code, error.retryable, error.message]).toEqual([
    'robots-refused',
    false,
    `the robots.txt of ${origin} forbids this page to Rootbound-Fetch: line 3 says "Disallow: /private"`,
  ]);
  expect(JSON.stringify([error.message, error.hint, error.way])).not.toContain('secret words');
  expect(asked).toEqual(['/robots.txt']);
});

test('the rules for this server by name take precedence over those for all', async () => {
  const rules = 'User-agent: *\nDisallow: /\n\nUser-agent: rootbound-fetch\nDisallow: /no\n';
  const { origin } = await site(rules);
  const visitor = web();
  expect(await read(visitor, `${origin}/yes`)).toBe('page /yes');
  expect((await failureOf(visitor, `${origin}/no`)).code).toBe('robots-refused');
  const other = loopback.web({ ignoreRobots: false, userAgent: 'Other/2 (x)' });
  expect((await failureOf(other, `${origin}/yes`)).message).toContain('forbids this page to Other');
});

test('users are not subject to robots.txt, nor is anyone if the operator ignores it', async () => {
  const { origin, asked } = await site('User-agent: *\nDisallow: /\n');
  expect(await read(web(), `${origin}/x`, { identity: 'user' })).toBe('page /x');
  expect(await read(loopback.web({ ignoreRobots: true }), `${origin}/x`)).toBe('page /x');
  expect(asked).toEqual(['/x', '/x']);
});

test('robots.txt is requested once, also by concurrent callers', async () => {
  const { origin, asked } = await site('User-agent: *\nAllow: /\n');
  const visitor = web();
  await Promise.all(Array.from({ length: 10 }, (_, index) => read(visitor, `${origin}/${index}`)));
  await read(visitor, `${origin}/last`);
  expect(asked.filter((path) => path === '/robots.txt').length).toBe(1);
});

test('robots.txt is requested again after a day', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const { origin, asked } = await site('');
  const visitor = web();
  await read(visitor, origin);
  vi.advanceTimersByTime(86_000_000);
  await read(visitor, origin);
  expect(asked.filter((path) => path === '/robots.txt').length).toBe(1);
  vi.advanceTimersByTime(500_000);
  await read(visitor, origin);
  expect(asked.filter((path) => path === '/robots.txt').length).toBe(2);
});

test.each([400, 401, 403, 404, 410, 429, 302, 304])(
  'status %i of robots.txt allows everything',
  async (status) => {
    const { origin } = await site((response) =>
      response.writeHead(status).end('User-agent: *\nDisallow: /\n'),
    );
    expect(await read(web(), `${origin}/x`)).toBe('page /x');
  },
);

test('a robots.txt with Retry-After allows everything, after the wait', async () => {
  const { origin, asked } = await site((response) => response.writeHead(429, { 'retry-after': '60' }).end());
  const error = await failureOf(web(), `${origin}/x`);
  expect([error.code, error.retryable, asked]).toEqual(['busy', true, ['/robots.txt']]);
  expect(error.retryAfterMs).toBeGreaterThan(50_000);
});

test.each([500, 502, 503, 599])('status %i of robots.txt forbids everything', async (status) => {
  const { origin, asked } = await site((response) =>
    response.writeHead(status).end('User-agent: *\nAllow: /\n'),
  );
  const visitor = web();
  const error = await failureOf(visitor, `${origin}/x`);
  expect([error.code, error.retryable, error.message]).toEqual([
    'robots-unreachable',
    true,
    `the robots.txt of ${origin} cannot be read, so nothing there may be fetched: it responds with status ${status}`,
  ]);
  await failureOf(visitor, `${origin}/y`);
  expect(asked).toEqual(['/robots.txt']);
});

test.each<[string, (response: ServerResponse) => void]>([
  [
    'is cut off',
    (response) =>
      response.writeHead(200, { 'content-length': 100 }).write('User-agent: *', () => response.destroy()),
  ],
  ['resets the connection', (response) => response.socket!.resetAndDestroy()],
  ['cannot be decoded', (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('text')],
  [
    'leads to a private address',
    (response) => response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  ],
])('a robots.txt that %s forbids everything', async (_, answer) => {
  const { origin, asked } = await site(answer);
  const error = await failureOf(web(), `${origin}/x`);
  expect([error.code, error.way.finalUrl]).toEqual(['robots-unreachable', undefined]);
  expect(asked.every((path) => path === '/robots.txt')).toBe(true);
});

test('an unreachable host is reported as the failure of the page', async () => {
  const visitor = web();
  expect((await failureOf(visitor, 'http://unknown.example.com/')).code).toBe('name-not-found');
  const port = (await loopback.http(() => {})).split(':')[2];
  await loopback.stop(Number(port));
  expect((await failureOf(visitor, `http://localhost:${port}/`)).code).toBe('connect-failed');
});

test('redirects of robots.txt are followed, and its rules are those of the first host', async () => {
  const other = await site('User-agent: *\nDisallow: /private\n');
  const target = `${under('other.org', other.origin)}/robots.txt`;
  const { origin } = await site((response) => response.writeHead(301, { location: target }).end());
  const visitor = web();
  expect((await failureOf(visitor, `${origin}/private`)).message).toContain(`${origin} forbids`);
  expect(await read(visitor, `${origin}/x`)).toBe('page /x');
});

test('a robots.txt behind more than five redirects counts as missing', async () => {
  let hops = 0;
  const origin = await loopback.http((request, response) => {
    if (request.url === '/x') response.end('page');
    else response.writeHead(302, { location: `/robots.txt?${++hops}` }).end();
  });
  expect(await read(web(), `${origin}/x`)).toBe('page');
  expect(hops).toBe(6);
});

test('each host on the way is asked for its own rules, and a forbidden target is not asked for', async () => {
  const { origin: target, asked } = await site('User-agent: *\nDisallow: /private\n');
  const start = await loopback.http((request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else response.writeHead(302, { location: `${target}/private` }).end();
  });
  const error = await failureOf(web(), `${start}/x`);
  expect([error.code, error.way.finalUrl, error.way.status]).toEqual(['robots-refused', `${start}/x`, 302]);
  expect(asked).toEqual(['/robots.txt']);
});

test('rules within the first 500 KiB count, and the rest is not awaited', async () => {
  let closed = false;
  const { origin } = await site((response) => {
    response.socket!.on('close', () => {
      closed = true;
    });
    response.write('User-agent: *\nDisallow: /private\n');
    const more = () => {
      while (!closed && response.write('# nothing\n'.repeat(1000)));
      if (!closed) response.once('drain', more);
    };
    more();
  });
  const visitor = web();
  expect((await failureOf(visitor, `${origin}/private`)).code).toBe('robots-refused');
  expect(await read(visitor, `${origin}/x`)).toBe('page /x');
});

test('an encoded robots.txt is read', async () => {
  const { origin } = await site((response) => {
    response
      .writeHead(200, { 'content-encoding': 'gzip' })
      .end(gzipSync('User-agent: *\nDisallow: /private\n'));
  });
  expect((await failureOf(web(), `${origin}/private`)).code).toBe('robots-refused');
});

test('a robots.txt that does not arrive ends the visit at its own deadline, while others continue to wait', async () => {
  let answer: (() => void) | undefined;
  const { origin, asked } = await site((response) => {
    answer = () => response.end('');
  });
  const visitor = web();
  const patient = read(visitor, `${origin}/patient`);
  const error = await failureOf(visitor, `${origin}/hasty`, { limits: { deadlineMs: 100 } });
  expect([error.code, error.message]).toEqual([
    'timeout',
    'no complete response within 0.1 s; the last wait was for the robots.txt of the host',
  ]);
  answer!();
  expect(await patient).toBe('page /patient');
  expect(asked).toEqual(['/robots.txt', '/patient']);
});

test('pages of a host that wants a delay are asked for one after the other, apart from each other', async () => {
  const { origin } = await site('User-agent: *\nCrawl-delay: 0.05\n');
  const visitor = web();
  const visits = await Promise.all([1, 2, 3].map((path) => visitor.visit(asking(`${origin}/${path}`))));
  for (const visit of visits) visit.discard();
  const [first, second, third] = visits.map((visit) => visit.elapsedMs());
  expect(Math.max(first!, second!, third!)).toBeGreaterThanOrEqual(99);
});

test('a delay longer than a visit waits is reported, and is never more than ten seconds', async () => {
  const { origin } = await site('User-agent: *\nCrawl-delay: 86400\n');
  const visitor = web();
  expect(await read(visitor, `${origin}/1`)).toBe('page /1');
  const error = await failureOf(visitor, `${origin}/2`);
  expect([error.code, error.retryable]).toEqual(['busy', true]);
  expect(error.retryAfterMs).toBeLessThanOrEqual(10_000);
  expect(error.retryAfterMs).toBeGreaterThan(5000);
  // requests in the meantime do not make the wait longer
  expect((await failureOf(visitor, `${origin}/2`)).retryAfterMs).toBeLessThanOrEqual(error.retryAfterMs!);
});
