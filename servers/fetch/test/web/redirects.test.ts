import { afterEach, expect, test } from 'vitest';
import { asking, failureOf, Loopback, read, readAll } from './loopback.ts';

const loopback = new Loopback();
afterEach(() => loopback.close());

/**
 * Starts a server whose paths define its responses, such as `/302/target`, and which reports the requests to the
 * target.
 */
async function maze(): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = [];
  const origin = await loopback.http((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      requests.push(`${request.method} ${request.headers.host?.split(':')[0]}${request.url} ${body}`.trim());
      const [, status, target] = /^\/(30\d)\/(.*)$/.exec(request.url ?? '') ?? [];
      if (status === undefined) response.end(JSON.stringify(request.headers));
      else response.writeHead(Number(status), { location: decodeURIComponent(target ?? '') }).end('moved');
    });
  });
  return { origin, requests };
}

const to = (target: string, status = 302) => `/${status}/${encodeURIComponent(target)}`;
const under = (host: string, origin: string) => origin.replace('localhost', host);

test('a redirect is followed, and every response is reported', async () => {
  const { origin } = await maze();
  const start = `${origin}${to(to('/end?x=1', 307), 301)}#part`;
  const visit = await loopback.web().visit(asking(start));
  visit.discard();
  expect(visit.url.href).toBe(`${origin}/end?x=1#part`);
  expect(visit.redirects).toEqual([
    { url: start, status: 301 },
    { url: `${origin}${to('/end?x=1', 307)}#part`, status: 307 },
  ]);
});

test.each([
  ['#other', '/end#other', '/end#other'],
  ['a fragment of before', '/end', '/end#part'],
  ['a relative path', '../end', '/end#part'],
])('%s is kept as in browsers', async (_, location, end) => {
  const { origin } = await maze();
  const visit = await loopback.web().visit(asking(`${origin}${to(location)}#part`));
  visit.discard();
  expect(visit.url.href).toBe(origin + end);
});

test('a Location in UTF-8 leads to the page that it names', async () => {
  const origin = await loopback.raw((socket) => {
    socket.on('data', (request) => {
      const path = / (\S+) /.exec(request.toString())?.[1];
      if (path === '/') socket.write('HTTP/1.1 302 Found\r\ncontent-length: 0\r\nlocation: /größe\r\n\r\n');
      else socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${path!.length}\r\n\r\n${path}`);
    });
  });
  expect(await read(loopback.web(), `${origin}/`)).toBe('/gr%C3%B6%C3%9Fe');
});

test.each(['http://', 'http://[::bag]/', 'http://a b/', 'http://localhost:99999/'])(
  'a redirect to %j is not a valid redirect',
  async (location) => {
    const { origin } = await maze();
    const error = await failureOf(loopback.web(), origin + to(location));
    expect([error.code, error.way.status, error.way.finalUrl]).toEqual([
      'invalid-response',
      302,
      origin + to(location),
    ]);
  },
);

test('two different Locations are invalid', async () => {
  const origin = await loopback.answering('HTTP/1.1 302 Found\r\nlocation: /a\r\nlocation: /b\r\n\r\n');
  expect((await failureOf(loopback.web(), origin)).code).toBe('invalid-response');
});

test('a redirect status without Location is a page', async () => {
  const origin = await loopback.http((_, response) => response.writeHead(302).end('a page'));
  expect(await read(loopback.web(), origin)).toBe('a page');
});

test.each([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [307, 'POST', 'POST text'],
  [308, 'POST', 'POST text'],
  [301, 'PUT', 'PUT text'],
  [303, 'PUT', 'GET'],
  [303, 'HEAD', 'HEAD'],
])('after %i a %s becomes a %s', async (status, method, expected) => {
  const { origin, requests } = await maze();
  const body = method === 'HEAD' ? undefined : Buffer.from('text');
  const headers = { 'content-type': 'text/x' };
  const visit = await loopback.web().visit(asking(origin + to('/end', status), { method, body, headers }));
  const [name, text = ''] = expected.split(' ');
  expect(requests.at(-1)).toBe(`${name} localhost/end ${text}`.trim());
  const reported = (await readAll(visit)).toString();
  if (name !== 'HEAD') expect(reported.includes('text/x')).toBe(text !== '');
});

test('a redirect loop ends at once and is reported', async () => {
  const origin = await loopback.http((request, response) => {
    response.writeHead(302, { location: request.url === '/a' ? '/b' : '/a' }).end();
  });
  const error = await failureOf(loopback.web(), `${origin}/a`);
  expect([error.code, error.way.finalUrl, error.way.redirects]).toEqual([
    'redirect-loop',
    `${origin}/b`,
    [{ url: `${origin}/a`, status: 302 }],
  ]);
});

test('a maze that never ends is left after as many redirects as the limit says', async () => {
  let asked = 0;
  const origin = await loopback.http((_, response) =>
    response.writeHead(302, { location: `/${++asked}` }).end(),
  );
  const error = await failureOf(loopback.web(), origin, { limits: { redirects: 3 } });
  expect([error.code, asked, error.way.redirects?.length]).toEqual(['too-many-redirects', 4, 3]);
});

test('as many redirects as the limit are followed', async () => {
  const { origin } = await maze();
  const limits = { redirects: 2 };
  expect(await read(loopback.web(), origin + to(to('/end')), { limits })).toContain('host');
});

test('each hop is judged by the guard before anything is sent', async () => {
  const { origin, requests } = await maze();
  const web = loopback.web({ guard: loopback.guard({ denyDomains: ['denied.example.com'] }) });
  const target = under('denied.example.com', origin);
  const error = await failureOf(web, origin + to(`${target}/x`));
  expect([error.code, error.way.status, requests.length]).toEqual(['domain-refused', 302, 1]);
  for (const place of [
    'ftp://example.com/',
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://[::ffff:127.0.0.1]/',
  ])
    expect((await failureOf(web, origin + to(place))).code).toMatch(/^(scheme|address|port)-refused$/);
});

test('a visit that stays within the site follows to a sister host, and names the site that it does not go to', async () => {
  const { origin, requests } = await maze();
  const web = loopback.web();
  const start = under('www.example.com', origin);
  const more = { redirects: 'same-site' as const };
  expect(await read(web, start + to(`${under('docs.example.com', origin)}/x`), more)).toContain(
    'docs.example.com',
  );
  const error = await failureOf(web, start + to(`${under('other.org', origin)}/x`), more);
  expect([error.code, error.message]).toEqual([
    'redirect-refused',
    `the page redirects to another site, to ${under('other.org', origin)}/x`,
  ]);
  expect(requests.some((request) => request.includes('other.org/x'))).toBe(false);
});

test('hosts under a shared public suffix are not one site', async () => {
  const { origin } = await maze();
  const start = under('one.github.io', origin) + to(`${under('two.github.io', origin)}/x`);
  const error = await failureOf(loopback.web(), start, { redirects: 'same-site' });
  expect(error.code).toBe('redirect-refused');
});

test('a visit that reports redirects gives the first one as it is', async () => {
  const { origin, requests } = await maze();
  const visit = await loopback.web().visit(asking(origin + to('/end', 308), { redirects: 'report' }));
  expect([visit.status, visit.headers.location, visit.redirects, requests.length]).toEqual([
    308,
    '/end',
    [],
    1,
  ]);
  expect((await readAll(visit)).toString()).toBe('moved');
});

test("another origin gets none of the caller's own headers", async () => {
  const { origin } = await maze();
  const headers = { 'x-api-key': 'k', 'x-other': 'o', accept: 'text/markdown', 'if-none-match': '"1"' };
  const start = origin + to(`${under('other.org', origin)}/x`);
  const reported = JSON.parse(await read(loopback.web(), start, { headers }));
  expect([reported['x-api-key'], reported['x-other'], reported.accept, reported['if-none-match']]).toEqual([
    undefined,
    undefined,
    'text/markdown',
    '"1"',
  ]);
  const home = JSON.parse(await read(loopback.web(), origin + to('/x'), { headers }));
  expect([home['x-api-key'], home['x-other']]).toEqual(['k', 'o']);
});

test('a name and password in a redirect are not reported', async () => {
  const { origin } = await maze();
  const error = await failureOf(loopback.web(), origin + to(`http://user:secret@${origin.slice(7)}/x`));
  expect(JSON.stringify([error.message, error.hint, error.way])).not.toContain('secret@');
});
