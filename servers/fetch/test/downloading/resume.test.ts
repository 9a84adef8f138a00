import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test, vi } from 'vitest';
import { cutAfter, Downloads, everything, sha256 } from './setting.ts';

const downloads = new Downloads();
const whole = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 251));
const HALF = 120_000;
const asked: (string | undefined)[] = [];
beforeEach(() => {
  asked.length = 0;
});

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Adds a path that cuts its first response and then responds in this way. */
function cutOnce(headers: Record<string, string>, then: Answer): string {
  let isFirst = true;
  downloads.site.paths.set('/large.bin', (request, response) => {
    asked.push(request.headers.range);
    if (!isFirst) return then(request, response);
    isFirst = false;
    response.writeHead(200, { 'content-length': String(whole.length), ...headers });
    cutAfter(response, whole, HALF);
  });
  return downloads.site.url('/large.bin');
}

/** Returns the first byte of a request's range, if its condition holds. */
function beginOf(request: IncomingMessage, validator: string): number {
  const [, from] = /^bytes=(\d+)-$/.exec(request.headers.range ?? '') ?? [];
  return from !== undefined && request.headers['if-range'] === validator ? Number(from) : 0;
}

const rest =
  (validator: string, headers: Record<string, string>): Answer =>
  (request, response) => {
    const from = beginOf(request, validator);
    if (from === 0) return void response.writeHead(200, headers).end(whole);
    const range = `bytes ${from}-${whole.length - 1}/${whole.length}`;
    response.writeHead(206, { 'content-range': range, ...headers }).end(whole.subarray(from));
  };

const sends = (content: Buffer, headers: Record<string, string> = {}): Answer => {
  return (_, response) => void response.writeHead(200, headers).end(content);
};

async function cut(url: string, args: Record<string, unknown> = {}) {
  const root = downloads.folder();
  const client = await downloads.client([root]);
  const first = await downloads.download(client, url, args);
  return { root, client, first };
}

const modified = { 'last-modified': 'Mon, 01 Jan 2024 00:00:00 GMT' };

test.each([
  ['a strong ETag', '"one"', { etag: '"one"' }],
  ['a Last-Modified', modified['last-modified'], modified],
])('a download that was cut continues at its end, by %s', async (_what, validator, headers) => {
  const url = cutOnce(headers, rest(validator, headers));
  const { root, client, first } = await cut(url);
  expect(first.facts.failure).toMatchObject({ code: 'connection-cut', retryable: true });
  expect(first.facts.failure?.hint).toContain('resume');
  expect(existsSync(join(root, 'large.bin'))).toBe(false);
  const { facts } = await downloads.download(client, url, { resume: true });
  const from = facts.resumed_from ?? 0;
  expect(from).toBeGreaterThan(0);
  expect(asked).toEqual([undefined, `bytes=${from}-`]);
  expect(facts).toMatchObject({ bytes: whole.length, sha256: sha256(whole) });
  expect(readFileSync(join(root, 'large.bin')).equals(whole)).toBe(true);
  expect(everything(root)).toEqual(['large.bin']);
});

test('it continues with a named path as well, and with another path', async () => {
  const headers = { etag: '"one"' };
  const url = cutOnce(headers, rest('"one"', headers));
  const { root, client } = await cut(url);
  const { facts } = await downloads.download(client, url, { resume: true, path: join(root, 'other.bin') });
  expect([facts.resumed_from! > 0, facts.sha256, everything(root)]).toEqual([
    true,
    sha256(whole),
    ['other.bin'],
  ]);
});

const other = Buffer.alloc(200_000, 'o');
const range = (from: number) => `bytes ${from}-${whole.length - 1}/${whole.length}`;
test.each<[string, Answer]>([
  ['the whole, as it is another by now', sends(other, { etag: '"two"' })],
  [
    'a part of another',
    (request, response) =>
      request.headers.range === undefined
        ? response.writeHead(200).end(other)
        : response
            .writeHead(206, { etag: '"two"', 'content-range': range(beginOf(request, '"one"')) })
            .end('x'),
  ],
  [
    'another part',
    (request, response) =>
      request.headers.range === undefined
        ? response.writeHead(200).end(other)
        : response.writeHead(206, { etag: '"one"', 'content-range': range(5) }).end(whole.subarray(5)),
  ],
  [
    'a part without saying which',
    (request, response) =>
      request.headers.range === undefined
        ? response.writeHead(200).end(other)
        : response.writeHead(206, { etag: '"one"' }).end(whole),
  ],
  [
    'that there is no such part',
    (request, response) =>
      request.headers.range === undefined
        ? response.writeHead(200).end(other)
        : response.writeHead(416, { 'content-range': 'bytes */100' }).end(),
  ],
])('where the server answers with %s the download starts over', async (_what, then) => {
  for (const named of [false, true]) {
    const url = cutOnce({ etag: '"one"' }, then);
    const { root, client } = await cut(url);
    const path = named ? { path: join(root, 'large.bin') } : {};
    const { facts } = await downloads.download(client, url, { resume: true, ...path });
    expect([facts.resumed_from, facts.bytes, facts.sha256]).toEqual([undefined, other.length, sha256(other)]);
    expect(everything(root)).toEqual(['large.bin']);
    expect(readFileSync(join(root, 'large.bin')).equals(other)).toBe(true);
  }
});

/** Responds with the other file to whole requests, and with this response to range requests. */
const part =
  (status: number, headers: Record<string, string>, body: Buffer | string = ''): Answer =>
  (request, response) => {
    if (request.headers.range === undefined) return void response.writeHead(200).end(other);
    const from = Number(/\d+/.exec(request.headers.range)![0]);
    const filled = Object.entries(headers).map(([name, value]) => [
      name,
      value.replaceAll('FROM', String(from)).replaceAll('BEFORE', String(from - 1)),
    ]);
    response.writeHead(status, Object.fromEntries(filled)).end(body === '' ? whole.subarray(from) : body);
  };
const last = whole.length - 1;
const rightRange = `bytes FROM-${last}/${whole.length}`;
const strong = { etag: '"one"' };

test.each<[string, Record<string, string>, Answer]>([
  ['a part without a validator', strong, part(206, { 'content-range': rightRange })],
  ['a part without a validator, after a date', modified, part(206, { 'content-range': rightRange })],
  [
    'a part with a date alone, after an ETag',
    strong,
    part(206, { 'content-range': rightRange, ...modified }),
  ],
  [
    'a part with an ETag, after a date',
    modified,
    part(206, { 'content-range': rightRange, ...modified, etag: '"new"' }),
  ],
  [
    'a part with a weak ETag of the same text',
    strong,
    part(206, { 'content-range': rightRange, etag: 'W/"one"' }),
  ],
  [
    'a part of another date',
    modified,
    part(206, { 'content-range': rightRange, 'last-modified': 'Tue, 02 Jan 2024 00:00:00 GMT' }),
  ],
  [
    'a part of a longer file with the same ETag',
    strong,
    part(206, { 'content-range': `bytes FROM-${last}/${whole.length + 5}`, ...strong }),
  ],
  [
    'a part of a shorter file with the same ETag',
    strong,
    part(206, { 'content-range': 'bytes FROM-FROM/FROM', ...strong }, 'x'),
  ],
  [
    'a part that begins one byte earlier',
    strong,
    part(206, { 'content-range': `bytes BEFORE-${last}/${whole.length}`, ...strong }),
  ],
  [
    'several parts',
    strong,
    part(
      206,
      { 'content-type': 'multipart/byteranges; boundary=x', 'content-range': rightRange, ...strong },
      '--x\r\n\r\nx\r\n--x--',
    ),
  ],
  [
    'an encoded part',
    strong,
    part(206, { 'content-range': rightRange, 'content-encoding': 'gzip', ...strong }, gzipSync('x')),
  ],
  ['416 of exactly what came, without a validator', strong, part(416, { 'content-range': 'bytes */FROM' })],
  [
    '416 of exactly what came, and the ETag',
    strong,
    part(416, { 'content-range': 'bytes */FROM', ...strong }),
  ],
  ['416 of the whole', strong, part(416, { 'content-range': `bytes */${whole.length}`, ...strong })],
  ['416 without a range', strong, part(416, strong)],
])('%s is neither appended to the part nor saved as a file', async (_what, headers, then) => {
  const url = cutOnce(headers, then);
  const { root, client, first } = await cut(url);
  expect(first.facts.failure?.hint).toContain('resume');
  const { facts, text } = await downloads.download(client, url, { resume: true });
  expect([asked.length, facts.resumed_from, facts.sha256]).toEqual([3, undefined, sha256(other)]);
  expect(facts.restarted).toMatch(/^(?:the server|the file)/);
  expect(text).toContain(`started over: ${facts.restarted}`);
  expect(readFileSync(join(root, 'large.bin')).equals(other)).toBe(true);
  expect(everything(root)).toEqual(['large.bin']);
});

test('a part of unknown length does not complete a file of unknown length', async () => {
  let isFirst = true;
  downloads.site.paths.set('/large.bin', (request, response) => {
    if (isFirst) {
      isFirst = false;
      response.writeHead(200, strong);
      return cutAfter(response, whole, HALF);
    }
    part(206, { 'content-range': 'bytes FROM-FROM/*', ...strong }, 'x')(request, response);
  });
  const { root, client } = await cut(downloads.site.url('/large.bin'));
  const { facts } = await downloads.download(client, downloads.site.url('/large.bin'), { resume: true });
  expect([facts.resumed_from, facts.sha256, everything(root)]).toEqual([
    undefined,
    sha256(other),
    ['large.bin'],
  ]);
});

test('the part of one URL is not joined to a range of the URL to which it redirects now', async () => {
  let target = '/a.bin';
  downloads.site.paths.set('/large.bin', (_, response) => {
    response.writeHead(302, { location: target }).end();
  });
  downloads.site.paths.set('/a.bin', (_, response) => {
    response.writeHead(200, { 'content-length': whole.length, ...strong });
    cutAfter(response, whole, HALF);
  });
  const second = Buffer.alloc(whole.length, 's');
  downloads.site.paths.set('/b.bin', (request, response) => {
    const from = beginOf(request, '"one"');
    if (from === 0) return void response.writeHead(200, strong).end(second);
    const headers = { 'content-range': `bytes ${from}-${last}/${whole.length}`, ...strong };
    response.writeHead(206, headers).end(second.subarray(from));
  });
  const { client } = await cut(downloads.site.url('/large.bin'));
  target = '/b.bin';
  const { facts } = await downloads.download(client, downloads.site.url('/large.bin'), { resume: true });
  expect([facts.sha256, facts.restarted]).toEqual([sha256(second), 'the URL redirects elsewhere now']);
});

test('more bytes than a range declares are a failure that keeps nothing', async () => {
  const url = cutOnce(strong, (request, response) => {
    if (request.headers.range === undefined) return void response.writeHead(200).end(whole);
    const from = beginOf(request, '"one"');
    response.writeHead(206, { 'content-range': `bytes ${from}-${from + 9}/${whole.length}`, ...strong });
    response.end(whole.subarray(from));
  });
  const { root, client } = await cut(url);
  const failed = await downloads.download(client, url, { resume: true });
  expect([failed.facts.failure?.message, everything(root)]).toEqual([
    'the server sent more bytes than it announced',
    [],
  ]);
  expect((await downloads.download(client, url, { resume: true })).facts.sha256).toBe(sha256(whole));
});

test('a range that ends before the file is kept, and the next call continues after it', async () => {
  const url = cutOnce(strong, (request, response) => {
    const from = beginOf(request, '"one"');
    const to = Math.min(from + 100_000, whole.length) - 1;
    const headers = { 'content-range': `bytes ${from}-${to}/${whole.length}`, ...strong };
    response.writeHead(206, headers).end(whole.subarray(from, to + 1));
  });
  const { root, client } = await cut(url);
  const outcomes: string[] = [];
  for (let saved = false; !saved; ) {
    const { failed, facts } = await downloads.download(client, url, { resume: true });
    outcomes.push(facts.failure?.code ?? facts.sha256);
    saved = !failed;
    expect(everything(root).includes('large.bin')).toBe(saved);
  }
  expect([outcomes[0], outcomes.at(-1)]).toEqual(['connection-cut', sha256(whole)]);
});

test('a range that was not requested is not a file', async () => {
  const url = cutOnce(strong, sends(whole));
  downloads.site.paths.set('/large.bin', (_, response) => {
    response.writeHead(206, { 'content-range': `bytes 0-9/${whole.length}`, ...strong });
    response.end(whole.subarray(0, 10));
  });
  const { root, first } = await cut(url);
  expect([first.facts.failure?.code, first.facts.failure?.message, everything(root)]).toEqual([
    'http-status',
    'the server responds with status 206, which has no file',
    [],
  ]);
});

test('the limit holds for the whole, also where the rest is longer than the server says', async () => {
  const headers = { etag: '"one"' };
  const url = cutOnce(headers, (request, response) => {
    const from = beginOf(request, '"one"');
    response.writeHead(206, { ...headers, 'content-range': range(from) });
    response.end(Buffer.concat([whole.subarray(from), Buffer.alloc(1000)]));
  });
  const { root, client } = await cut(url);
  const { facts } = await downloads.download(client, url, { resume: true, max_bytes: whole.length });
  expect([facts.failure?.code, asked.length, everything(root)]).toEqual(['too-large', 2, []]);
});

test.each([
  ['a weak ETag', { etag: 'W/"one"' }],
  ['nothing', {}],
  ['that it sends no parts', { etag: '"one"', 'accept-ranges': 'none' }],
])('a part from a server that says %s is not kept', async (_what, headers) => {
  const url = cutOnce(headers as Record<string, string>, sends(whole));
  const { root, client, first } = await cut(url);
  expect([first.facts.failure?.code, everything(root)]).toEqual(['connection-cut', []]);
  const { facts } = await downloads.download(client, url, { resume: true });
  expect([asked, facts.sha256]).toEqual([[undefined, undefined], sha256(whole)]);
});

test('without resume a download starts over, and the kept part is discarded', async () => {
  const headers = { etag: '"one"' };
  const url = cutOnce(headers, rest('"one"', headers));
  const { root, client } = await cut(url);
  expect(everything(root).some((name) => name.endsWith('.tmp'))).toBe(true);
  const { facts } = await downloads.download(client, url);
  expect([facts.resumed_from, asked, everything(root)]).toEqual([
    undefined,
    [undefined, undefined],
    ['large.bin'],
  ]);
});

test('a complete file whose name was taken is not sent again', async () => {
  const headers = { etag: '"one"', 'content-length': String(whole.length) };
  const root = downloads.folder();
  const path = join(root, 'large.bin');
  downloads.site.paths.set('/large.bin', (request, response) => {
    asked.push(request.headers.range);
    if (request.headers.range !== undefined)
      return void response
        .writeHead(416, { 'content-range': `bytes */${whole.length}`, etag: '"one"' })
        .end();
    response.writeHead(200, headers).write(whole.subarray(0, HALF), () => {
      writeFileSync(path, 'mine');
      response.end(whole.subarray(HALF));
    });
  });
  const client = await downloads.client([root]);
  const url = downloads.site.url('/large.bin');
  const first = await downloads.download(client, url, { path });
  expect([first.code, readFileSync(path, 'utf8')]).toEqual(['exists', 'mine']);
  const { facts } = await downloads.download(client, url, { path: join(root, 'other.bin'), resume: true });
  expect([facts.resumed_from, facts.sha256]).toEqual([whole.length, sha256(whole)]);
  expect([asked, everything(root)]).toEqual([
    [undefined, `bytes=${whole.length}-`],
    ['large.bin', 'other.bin'],
  ]);
});

test('a cancelled download with resume keeps its part', async () => {
  const headers = { etag: '"one"' };
  const root = downloads.folder();
  const client = await downloads.client([root]);
  let isFirst = true;
  let closed = false;
  downloads.site.paths.set('/large.bin', (request, response) => {
    if (!isFirst) return rest('"one"', headers)(request, response);
    isFirst = false;
    response.writeHead(200, { 'content-length': whole.length, ...headers }).write(whole.subarray(0, HALF));
    response.on('close', () => {
      closed = true;
    });
  });
  const url = downloads.site.url('/large.bin');
  const ending = new AbortController();
  let saved = 0;
  const saving = downloads.download(
    client,
    url,
    { resume: true },
    {
      signal: ending.signal,
      onProgress: ({ progress }) => {
        saved = progress;
      },
    },
  );
  await vi.waitUntil(() => saved > 0, { timeout: 120_000 });
  ending.abort();
  await expect(saving).rejects.toThrow();
  await vi.waitUntil(() => closed, { timeout: 120_000 });
  const { facts } = await vi.waitUntil(
    async () => {
      const tried = await downloads.download(client, url, { resume: true, path: join(root, 'end.bin') });
      return tried.failed ? undefined : tried;
    },
    { timeout: 120_000 },
  );
  expect([facts.resumed_from! > 0, facts.sha256]).toEqual([true, sha256(whole)]);
});

test('kept parts are removed when the server closes', async () => {
  const url = cutOnce({ etag: '"one"' }, sends(whole));
  const { root } = await cut(url);
  expect(everything(root).length).toBeGreaterThan(0);
  await downloads.served.close();
  expect(everything(root)).toEqual([]);
});
