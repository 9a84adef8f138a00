import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
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

/** A path that cuts its first answer, and then answers this way. */
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

/** How many bytes a request wants left out, if its condition holds. */
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
])('a download that was cut goes on where it ended, by %s', async (_what, validator, headers) => {
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

test('where a path is named it goes on as well, and to another path too', async () => {
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
])('where the server answers with %s the download begins anew', async (_what, then) => {
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
])('what came from a server that says %s is not kept', async (_what, headers) => {
  const url = cutOnce(headers as Record<string, string>, sends(whole));
  const { root, client, first } = await cut(url);
  expect([first.facts.failure?.code, everything(root)]).toEqual(['connection-cut', []]);
  const { facts } = await downloads.download(client, url, { resume: true });
  expect([asked, facts.sha256]).toEqual([[undefined, undefined], sha256(whole)]);
});

test('without resume a download begins anew, and what was kept is gone', async () => {
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

test('a whole that could not take its name, as that was taken meanwhile, is not sent again', async () => {
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

test('a cancelled download that was to resume keeps what has come', async () => {
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
  await vi.waitUntil(() => saved > 0);
  ending.abort();
  await expect(saving).rejects.toThrow();
  await vi.waitUntil(() => closed);
  const { facts } = await vi.waitUntil(async () => {
    const tried = await downloads.download(client, url, { resume: true, path: join(root, 'end.bin') });
    return tried.failed ? undefined : tried;
  });
  expect([facts.resumed_from! > 0, facts.sha256]).toEqual([true, sha256(whole)]);
});

test('what is kept goes with the server', async () => {
  const url = cutOnce({ etag: '"one"' }, sends(whole));
  const { root } = await cut(url);
  expect(everything(root).length).toBeGreaterThan(0);
  await downloads.served.close();
  expect(everything(root)).toEqual([]);
});
