import type { ServerResponse } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { asking, failureOf, Loopback, read, readAll } from './loopback.ts';

const loopback = new Loopback();
afterEach(async () => {
  vi.useRealTimers();
  await loopback.close();
});

const under = (host: string, origin: string) => origin.replace('localhost', host);

/** Starts a server that responds on demand. */
async function gate(): Promise<{ origin: string; held: ServerResponse[]; paths: string[] }> {
  const held: ServerResponse[] = [];
  const paths: string[] = [];
  const origin = await loopback.http((request, response) => {
    paths.push(request.url!);
    held.push(response);
  });
  return { origin, held, paths };
}

test('a host is asked for so many pages at once, the others in order when one has ended', async () => {
  const { origin, held, paths } = await gate();
  const web = loopback.web({ perHost: 2 });
  const pages = [1, 2, 3, 4].map((path) => read(web, `${origin}/${path}`));
  await vi.waitUntil(() => held.length === 2, { timeout: 120_000 });
  const elsewhere = read(web, `${under('other.org', origin)}/other`);
  await vi.waitUntil(() => held.length === 3, { timeout: 120_000 });
  expect(paths).toEqual(['/1', '/2', '/other']);
  held[0]!.end('one');
  await vi.waitUntil(() => held.length === 4, { timeout: 120_000 });
  expect(paths.at(-1)).toBe('/3');
  for (const response of held) response.end('page');
  await vi.waitUntil(() => held.length === 5, { timeout: 120_000 });
  held[4]!.end('page');
  expect(await Promise.all([...pages, elsewhere])).toEqual(['one', 'page', 'page', 'page', 'page']);
});

test('a page keeps its turn until its last byte was received or it is discarded', async () => {
  const { origin, held } = await gate();
  const web = loopback.web({ perHost: 1 });
  const first = web.visit(asking(origin));
  await vi.waitUntil(() => held.length === 1, { timeout: 120_000 });
  held[0]!.write('part');
  const visit = await first;
  const second = read(web, origin);
  // something else is answered in between
  await read(
    web,
    await loopback.http((_, response) => response.end('elsewhere')).then((at) => under('other.org', at)),
  );
  expect(held.length).toBe(1);
  visit.discard();
  await vi.waitUntil(() => held.length === 2, { timeout: 120_000 });
  held[1]!.end('second');
  expect(await second).toBe('second');
});

test('the number of concurrent requests to all hosts is limited', async () => {
  const { origin, held } = await gate();
  const web = loopback.web({ concurrent: 2 });
  const hosts = ['localhost', 'other.org', 'example.org'];
  const pages = hosts.map((host) => read(web, under(host, origin)));
  await vi.waitUntil(() => held.length === 2, { timeout: 120_000 });
  held[0]!.end('page');
  await vi.waitUntil(() => held.length === 3, { timeout: 120_000 });
  expect(held.map((response) => response.req.headers.host!.split(':')[0])).toEqual(hosts);
  for (const response of held) response.end('page');
  expect(await Promise.all(pages)).toEqual(['page', 'page', 'page']);
});

test('a failure ends its turn', async () => {
  const origin = await loopback.http((request, response) => {
    if (request.url === '/cut') response.socket!.destroy();
    else response.end('page');
  });
  const web = loopback.web({ perHost: 1, concurrent: 1 });
  for (let index = 0; index < 3; index++)
    expect((await failureOf(web, `${origin}/cut`)).code).toBe('connection-cut');
  expect((await failureOf(web, 'http://unknown.example.com/')).code).toBe('name-not-found');
  expect(await read(web, `${origin}/page`)).toBe('page');
});

test.each([429, 503])(
  'a %i with Retry-After is given with what it says, and the host is left alone until then',
  async (status) => {
    vi.useFakeTimers({ toFake: ['performance'] });
    let asked = 0;
    const origin = await loopback.http((_, response) => {
      if (++asked === 1) response.writeHead(status, { 'retry-after': '30' }).end('too many');
      else response.end('page');
    });
    const web = loopback.web();
    const first = await web.visit(asking(origin));
    expect([first.status, first.headers['retry-after']]).toEqual([status, '30']);
    expect((await readAll(first)).toString()).toBe('too many');
    const second = await failureOf(web, origin);
    expect([second.code, second.retryable, second.way.status, asked]).toEqual(['busy', true, undefined, 1]);
    expect(second.retryAfterMs).toBeGreaterThan(29_000);
    expect(await read(web, under('other.org', origin))).toBe('page');
    vi.advanceTimersByTime(30_001);
    expect(await read(web, origin)).toBe('page');
  },
);

test('a short pause is kept by waiting', async () => {
  let asked = 0;
  const origin = await loopback.http((_, response) => {
    if (++asked === 1) response.writeHead(429, { 'retry-after': '1' }).end('too many');
    else response.end('page');
  });
  const web = loopback.web();
  expect([await read(web, origin), await read(web, origin)]).toEqual(['too many', 'page']);
});

test('a pause until a date is kept', async () => {
  const origin = await loopback.http((_, response) => {
    response.writeHead(503, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }).end('too many');
  });
  const web = loopback.web();
  expect(await read(web, origin)).toBe('too many');
  const error = await failureOf(web, origin);
  expect(error.code).toBe('busy');
  expect(error.retryAfterMs).toBeGreaterThan(50_000);
  expect(error.retryAfterMs).toBeLessThanOrEqual(60_000);
});

test.each(['', 'soon', '-5', '1e3'])(
  'a Retry-After of %j is ignored, and the response is a page',
  async (value) => {
    const origin = await loopback.http((_, response) =>
      response.writeHead(503, { 'retry-after': value }).end('later'),
    );
    expect(await read(loopback.web(), origin)).toBe('later');
  },
);

test('a pause of a year lasts an hour at most', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let asked = 0;
  const origin = await loopback.http((_, response) => {
    if (++asked === 1) response.writeHead(429, { 'retry-after': '31536000' }).end('too many');
    else response.end('page');
  });
  const web = loopback.web();
  expect(await read(web, origin)).toBe('too many');
  expect((await failureOf(web, origin)).retryAfterMs).toBeLessThanOrEqual(3_600_000);
  vi.advanceTimersByTime(3_600_001);
  expect(await read(web, origin)).toBe('page');
});

test('requests beyond the queue are refused at once, and the others are not disturbed', async () => {
  const { origin, held } = await gate();
  const web = loopback.web({ perHost: 1, waiting: 1 });
  const first = read(web, origin);
  await vi.waitUntil(() => held.length === 1, { timeout: 120_000 });
  const second = read(web, origin);
  const error = await failureOf(web, origin);
  expect([error.code, error.retryable]).toEqual(['busy', true]);
  held[0]!.end('first');
  await vi.waitUntil(() => held.length === 2, { timeout: 120_000 });
  held[1]!.end('second');
  expect(await Promise.all([first, second])).toEqual(['first', 'second']);
});
