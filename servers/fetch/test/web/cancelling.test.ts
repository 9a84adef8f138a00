import type { Socket } from 'node:net';
import { afterEach, expect, test, vi } from 'vitest';
import { WebError } from '../../src/failure.ts';
import { asking, Loopback, read, readAll } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

const given = new Error('the caller has changed its mind');

async function silent(bytes = ''): Promise<{ origin: string; open: Set<Socket>; asked: () => boolean }> {
  const open = new Set<Socket>();
  let asked = false;
  const origin = await loopback.raw((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('data', () => {
      asked = true;
      if (bytes !== '') socket.write(bytes);
    });
  });
  return { origin, open, asked: () => asked };
}

test('nothing is sent for a caller that has cancelled before', async () => {
  const { origin, open } = await silent();
  await expect(loopback.web().visit(asking(origin, { signal: AbortSignal.abort(given) }))).rejects.toBe(
    given,
  );
  expect(open.size).toBe(0);
});

test('giving up while the name is looked up ends the visit, and no connection follows', async () => {
  const { origin, open } = await silent();
  let answer: (() => void) | undefined;
  const guard = loopback.guard({
    lookup: (_name, _options, done) => {
      answer = () => done(null, [{ address: '127.0.0.1', family: 4 }]);
    },
  });
  const controller = new AbortController();
  const visit = loopback.web({ guard }).visit(asking(origin, { signal: controller.signal }));
  await vi.waitUntil(() => answer !== undefined, { timeout: 120_000 });
  controller.abort(given);
  await expect(visit).rejects.toBe(given);
  answer!();
  // another connection would have been made after it
  const other = loopback
    .web()
    .visit(asking(origin))
    .catch(() => {});
  await vi.waitUntil(() => open.size > 0, { timeout: 120_000 });
  expect(open.size).toBe(1);
  for (const socket of open) socket.destroy();
  await other;
});

test('cancelling during the TLS handshake closes the connection', async () => {
  const { origin, open, asked } = await silent();
  const controller = new AbortController();
  const visit = loopback.web().visit(asking(origin.replace('http', 'https'), { signal: controller.signal }));
  await vi.waitUntil(asked, { timeout: 120_000 });
  controller.abort(given);
  await expect(visit).rejects.toBe(given);
  await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
});

test('cancelling before the headers closes the connection', async () => {
  const { origin, open, asked } = await silent();
  const controller = new AbortController();
  const visit = loopback.web().visit(asking(origin, { signal: controller.signal }));
  await vi.waitUntil(asked, { timeout: 120_000 });
  controller.abort(given);
  await expect(visit).rejects.toBe(given);
  await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
});

test.each([
  ['a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
  ['an encoded body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\ncontent-encoding: br\r\n\r\n'],
])('cancelling within %s closes the connection', async (_, bytes) => {
  const { origin, open } = await silent(bytes);
  const controller = new AbortController();
  const visit = await loopback.web().visit(asking(origin, { signal: controller.signal }));
  const body = readAll(visit);
  body.catch(() => {});
  controller.abort(given);
  await expect(body).rejects.toBe(given);
  await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
});

test('a reason that is an error itself is thrown unchanged', async () => {
  const { origin, asked } = await silent();
  const controller = new AbortController();
  const visit = loopback.web().visit(asking(origin, { signal: controller.signal }));
  await vi.waitUntil(asked, { timeout: 120_000 });
  const reason = new WebError('the whole call took too long', { code: 'timeout' });
  controller.abort(reason);
  await expect(visit).rejects.toBe(reason);
});

test('cancelling while nobody reads closes the connection', async () => {
  const { origin, open } = await silent('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc');
  const controller = new AbortController();
  const visit = await loopback.web().visit(asking(origin, { signal: controller.signal }));
  controller.abort(given);
  await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
  await expect(readAll(visit)).rejects.toBe(given);
});

test('cancelling in the queue passes the place to the next caller', async () => {
  const paths: string[] = [];
  let finish: (() => void) | undefined;
  const origin = await loopback.http((request, response) => {
    paths.push(request.url!);
    if (request.url === '/first') finish = () => response.end('first');
    else response.end(request.url);
  });
  const web = loopback.web({ perHost: 1 });
  const first = read(web, `${origin}/first`);
  await vi.waitUntil(() => finish !== undefined, { timeout: 120_000 });
  const controller = new AbortController();
  const second = web.visit(asking(`${origin}/second`, { signal: controller.signal }));
  const third = read(web, `${origin}/third`);
  controller.abort(given);
  await expect(second).rejects.toBe(given);
  finish!();
  expect(await Promise.all([first, third])).toEqual(['first', '/third']);
  expect(paths).toEqual(['/first', '/third']);
});

test('cancelling after a redirect closes the connection of the second host', async () => {
  const { origin, open, asked } = await silent();
  const first = await loopback.http((_, response) => response.writeHead(302, { location: origin }).end());
  const controller = new AbortController();
  const visit = loopback.web().visit(asking(first, { signal: controller.signal }));
  await vi.waitUntil(asked, { timeout: 120_000 });
  controller.abort(given);
  await expect(visit).rejects.toBe(given);
  await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
});

test('cancelling closes the connection for robots.txt if no other caller waits for it', async () => {
  const { origin, open, asked } = await silent();
  const web = loopback.web({ ignoreRobots: false });
  const [one, two] = [new AbortController(), new AbortController()];
  const first = web.visit(asking(`${origin}/1`, { signal: one.signal }));
  const second = web.visit(asking(`${origin}/2`, { signal: two.signal }));
  second.catch(() => {});
  await vi.waitUntil(asked, { timeout: 120_000 });
  one.abort(given);
  await expect(first).rejects.toBe(given);
  expect(open.size).toBe(1);
  two.abort(given);
  await expect(second).rejects.toBe(given);
  await vi.waitUntil(() => open.size === 0, { timeout: 120_000 });
});

test('a signal that outlives its visits holds no reference to them', async () => {
  const origin = await loopback.http((_, response) => response.end('page'));
  const { signal } = new AbortController();
  const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  const web = loopback.web();
  for (let index = 0; index < 5; index++) await read(web, origin, { signal });
  expect(added.mock.calls.length).toBe(5);
  expect(removed.mock.calls.length).toBeGreaterThanOrEqual(5);
});
